/** An order that waits for a nonce when it is stopped, over real sockets: it is refused at once and never sent. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobody } from '../../src/gateway/account/observer.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

const alphaSession = 'FIX.4.4:CAUSEWAY/->ALPHA/';
/** More than the window has nonces for orders. */
const tooMany = 230;
const by = { who: 'test', why: 'runaway' };

let bridge: Bridge;
let alpha: FixPeer;
let charlie: FixPeer;
/** The markets of all orders in requests to the venue; those that wait are for market 2, the others for 1. */
const sent = new Set<string>();
let count = 0;

/** The venue takes nothing and says so, which costs no look-ups: CHARLIE's orders use up the nonces of the account. */
beforeAll(async () => {
  bridge = await startBridge({
    config: { patienceMs: 600_000, shutdownGraceMs: 1_000 },
    session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } },
    observer: {
      ...nobody,
      requested: (_, { body }) => {
        for (const [, market = ''] of String(body).matchAll(/"market(?:Id)?":"?(\d+)/g))
          sent.add(market);
      },
    },
  });
  alpha = await client('ALPHA');
  charlie = await client('CHARLIE');
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'fail_before', status: 429, path, times: null });
  await useUpNonces();
}, 60_000);

afterAll(async () => {
  for (const peer of [alpha, charlie]) peer.hangUp();
  await bridge.stop();
});

async function client(name: string): Promise<FixPeer> {
  const session = bridge.user(name);
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  return peer;
}

function say(peer: FixPeer, symbol: string, price: number): string {
  count += 1;
  const clOrdId = `o${count}`;
  peer.say(`D|11=${clOrdId}|55=${symbol}|54=1|38=0.1|40=2|44=${price}|59=1|60=now`);
  return clOrdId;
}

async function useUpNonces(): Promise<void> {
  for (let i = 0; i < tooMany; i += 1) say(charlie, 'BTC-USDC', 40_000);
  const text = `all ${count} in`;
  charlie.say(`1|112=${text}`);
  await charlie.next((message) => fieldOf(message, '112') === text);
  expect(waiting()).toBeGreaterThan(0);
}

function waiting(): number {
  return bridge.gateway.accounts[0]?.bound.runner.waiting ?? 0;
}

/** An order for the market that nothing else is sent for; it has come in and waits, and its client has been told so. */
async function waits(peer: FixPeer): Promise<string> {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const before = waiting();
  const clOrdId = say(peer, 'ETH-USDC', 2_000);
  const told = await peer.next((message) => fieldOf(message, '11') === clOrdId);
  expect(['150', '39', '37'].map((tag) => fieldOf(told, tag))).toEqual(['A', 'A', 'NONE']);
  expect(waiting()).toBe(before + 1);
  return clOrdId;
}

async function refusal(peer: FixPeer, clOrdId: string): Promise<string | undefined> {
  const isRefusal = (message: string) =>
    fieldOf(message, '11') === clOrdId && fieldOf(message, '150') === '8';
  return fieldOf(await peer.next(isRefusal), '9102');
}

test('R-15: the kill switch of a session refuses what waits for a nonce, and spares the others', async () => {
  const [own, other] = [await waits(alpha), await waits(charlie)];
  const before = waiting();
  expect(bridge.gateway.operator.kill(by, { kind: 'session', name: alphaSession })).toBe(0);
  expect(await refusal(alpha, own)).toBe('bridge.kill_switch');
  expect(waiting()).toBe(before - 1);
  bridge.gateway.operator.release(by, { kind: 'session', name: alphaSession });
  charlie.say(`F|11=f${own}|41=${other}|55=ETH-USDC|54=1|60=now`);
  expect(await refusal(charlie, other)).toBe('bridge.canceled_unsent');
  const late = await charlie.next((message) => fieldOf(message, '35') === '9');
  expect(['41', '39', '434', '102'].map((tag) => fieldOf(late, tag))).toEqual([
    other,
    '8',
    '1',
    '0',
  ]);
});

test('C.5: what is asked of an order that waits for a nonce is answered behind its own 150=A', async () => {
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
  const clOrdId = say(charlie, 'ETH-USDC', 2_000);
  charlie.say(`F|11=x${clOrdId}|41=${clOrdId}|55=ETH-USDC|54=1|60=now`);
  const told: (string | undefined)[] = [];
  while (told.at(-1) !== '8') {
    const ids = [clOrdId, `x${clOrdId}`];
    const next = await charlie.next((message) => ids.includes(fieldOf(message, '11') ?? ''));
    told.push(fieldOf(next, '150'));
  }
  expect(told).toEqual(['A', '6', '8']);
});

test('V-07: cancel on disconnect takes back what waits for a nonce', async () => {
  const clOrdId = await waits(alpha);
  const before = waiting();
  alpha.hangUp();
  await expect.poll(waiting).toBe(before - 1);
  alpha = await client('ALPHA');
  expect(await refusal(alpha, clOrdId)).toBe('bridge.canceled_unsent');
});

test('R106: a mass cancel is answered, and then what waited for a nonce is refused', async () => {
  const clOrdId = await waits(alpha);
  alpha.say('q|11=m|530=1|55=ETH-USDC|60=now');
  const [answer, end] = [await alpha.heard(), await alpha.heard()];
  expect(['35', '533'].map((tag) => fieldOf(answer, tag))).toEqual(['r', '1']);
  expect(['11', '150', '9102'].map((tag) => fieldOf(end, tag))).toEqual([
    clOrdId,
    '8',
    'bridge.canceled_unsent',
  ]);
});

test('a quote that waits for a nonce and is canceled is refused, and its orders with it', async () => {
  const before = waiting();
  alpha.say('i|117=q1|301=2|296=1|302=s|304=1|295=1|299=e|55=ETH-USDC|132=2000|134=0.1');
  await expect.poll(waiting).toBe(before + 1);
  alpha.say('Z|117=q1|298=4|301=0');
  const answer = await alpha.heard();
  expect(['35', '117', '297'].map((tag) => fieldOf(answer, tag))).toEqual(['b', 'q1', '5']);
  expect(waiting()).toBe(before);
});

test.each([{ kind: 'account', name: 'desk-a' }, { kind: 'all' }] as const)(
  'R-15: the kill switch of $kind refuses all that waits for a nonce',
  async (scope) => {
    const clOrdId = await waits(alpha);
    bridge.gateway.operator.kill(by, scope);
    expect(await refusal(alpha, clOrdId)).toBe('bridge.kill_switch');
    expect(waiting()).toBe(0);
    bridge.gateway.operator.release(by, scope);
    // What the venue had refused for now was taken back, too, and its nonces with it.
    await useUpNonces();
  },
);

test('a shutdown refuses what waits for a nonce, and none of these orders has ever been sent', async () => {
  const clOrdId = await waits(alpha);
  const stopped = bridge.gateway.stop();
  expect(await refusal(alpha, clOrdId)).toBe('bridge.draining');
  await bridge.admin('DELETE', '/faults');
  for (const peer of [alpha, charlie]) peer.hangUp();
  await stopped;
  expect([...sent]).toEqual(['1']);
});
