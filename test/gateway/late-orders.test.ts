/**
 * Orders that the venue applies later than the bridge sends them again, or in spite of a rejection, over real sockets
 * (decisions 0255 and 0255).
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FixLog } from '../../src/dropcopy/fix-log.ts';
import { Verifier } from '../../src/dropcopy/verify.ts';
import { nobody } from '../../src/gateway/account/observer.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let alpha: FixPeer;
let dropCopy: FixPeer;
let fences = 0;
const path = '/trading/actions';

beforeAll(async () => {
  bridge = await startBridge({
    config: { patienceMs: 300, unknownAfterMs: 400 },
    observer: {
      ...nobody,
      requested: (_, { body }) => {
        if (String(body).includes('"Cancel"')) fences += 1;
      },
    },
  });
  alpha = await logon('ALPHA');
  dropCopy = await logon('DROP');
});

afterAll(() => bridge.stop());

async function logon(compId: string): Promise<FixPeer> {
  const session = bridge.user(compId);
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  return peer;
}

/** The state and the end of an order as they are told, up to the first report of this kind. */
async function toldUntil(peer: FixPeer, clOrdId: string, execType: string): Promise<string[]> {
  const told: string[] = [];
  while (told.at(-1)?.startsWith(`150=${execType} `) !== true) {
    const report = await peer.next((message) => fieldOf(message, '11') === clOrdId);
    const facts = ['150', '39', '151', '378', '9102'].map((tag) => [tag, fieldOf(report, tag)]);
    told.push(facts.flatMap(([tag, value]) => (value == null ? [] : `${tag}=${value}`)).join(' '));
  }
  return told;
}

test('R46: an order that the venue holds back stays pending, though its fences are refused, and is new when it is applied', async () => {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const held = { kind: 'hold_cut', delayMs: null, claimsNonce: true, path };
  await bridge.admin('POST', '/faults', held);
  alpha.say('D|11=held|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now');
  await expect.poll(() => fences).toBeGreaterThan(1);
  expect(await toldUntil(alpha, 'held', 'I')).toEqual([
    '150=A 39=A 151=0.1',
    '150=I 39=A 151=0.1 9102=bridge.unknown_outcome',
  ]);
  expect(bridge.gateway.view.rejects).toEqual(new Map());
  await bridge.admin('POST', '/faults/release');
  expect(await toldUntil(alpha, 'held', '0')).toEqual(['150=0 39=0 151=0.1']);
  alpha.say('F|11=c-held|41=held|55=BTC-USDC|54=1|60=now');
  await alpha.next((message) => fieldOf(message, '150') === '4');
});

test('R120: a maker is told that the outcome of its quote is unknown, and what becomes of it', async () => {
  const held = { kind: 'hold_cut', delayMs: null, claimsNonce: true, path };
  await bridge.admin('POST', '/faults', held);
  alpha.say('i|117=Q|301=2|296=1|302=s|304=1|295=1|299=e|55=BTC-USDC|132=40000|134=0.1');
  const unknown = '150=I 39=A 151=0.1 9102=bridge.unknown_outcome';
  expect(await toldUntil(alpha, 'Q.s.e.B', 'I')).toEqual([unknown]);
  expect(await toldUntil(dropCopy, 'Q.s.e.B', 'I')).toEqual(['150=A 39=A 151=0.1', unknown]);
  await bridge.admin('POST', '/faults/release');
  const answer = await alpha.next((message) => fieldOf(message, '35') === 'b');
  expect(fieldOf(answer, '297')).toBe('0');
  alpha.say('Z|117=Z|298=4|301=0');
  await expect.poll(() => bridge.gateway.accounts[0]?.bound.runner.orders.openCount).toBe(0);
});

test('an order that is open although it was rejected is reported to client and drop copy, and canceled at once', async () => {
  await bridge.admin('POST', '/faults', { kind: 'swap', path, times: 2 });
  await bridge.admin('POST', '/faults', { kind: 'frame_delay', delayMs: null, times: null });
  alpha.say('D|11=good|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now');
  alpha.say('D|11=bad|55=BTC-USDC|54=2|38=100000|40=2|44=40000|59=1|60=now');
  expect((await toldUntil(alpha, 'good', '8')).at(-1)).toMatch('150=8 39=8 151=0');
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
  const rest = ['150=D 39=0 151=0.1 378=99 9102=bridge.applied_late', '150=4 39=4 151=0 378=4'];
  expect(await toldUntil(alpha, 'good', '4')).toEqual(rest);
  expect((await toldUntil(dropCopy, 'good', '4')).slice(-2)).toEqual(rest);
  // The other answer names the order of the first: it is looked up, and was refused.
  const { runner } = bridge.gateway.accounts[0]?.bound ?? expect.fail('no account');
  await expect.poll(() => runner.orders.openCount).toBe(0);
  expect([...runner.orders.all()].find(({ clOrdId }) => clOrdId === 'bad')?.phase).toBe('rejected');
  const alive = bridge.lines.filter(({ code }) => code === 'alive_after_end');
  const orderId = expect.stringMatching(/^0x[0-9a-f]{64}$/);
  expect(alive).toEqual([
    { event: 'account', account: 'desk-a', code: 'alive_after_end', orderId },
  ]);
  const foreign = bridge.lines.filter(({ code }) => code === 'foreign_answer');
  expect(foreign).toMatchObject([{ orderId }]);
});

test('D-11: the totals of a drop copy hold although outcomes were unknown', async () => {
  dropCopy.say('UR|9120=t|9121=6');
  await dropCopy.next((message) => fieldOf(message, '35') === 'UA');
  dropCopy.say('2|7=1|16=0');
  const [log, verifier] = [new FixLog(), new Verifier()];
  for (let type: string | undefined; type !== 'UT'; ) {
    const message = await dropCopy.next(() => true);
    type = fieldOf(message, '35');
    for (const logged of log.push(message)) verifier.take(logged);
  }
  const { checked, copies } = verifier.finish();
  expect(checked).toMatchObject([{ account: 'desk-a', count: copies, faults: [] }]);
});
