/** The orders of one account between its clients and the venue: what is told of them while the venue is silent or away. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf } from '../../support/fix-peer.ts';

let bridge: Bridge;
let alpha: FixPeer;

beforeAll(async () => {
  bridge = await startBridge({ config: { unknownAfterMs: 300 } });
});

beforeEach(async () => {
  const session = bridge.user();
  alpha = await FixPeer.connect(bridge.gateway.port, session);
  await alpha.logon();
  await expect.poll(() => bridge.gateway.gate.state).toBe('open');
});

afterEach(() => alpha.hangUp());

afterAll(() => bridge.stop());

function order(id: string): void {
  alpha.say(`D|11=${id}|55=BTC-USDC|54=1|38=0.01|40=2|44=40000|59=1|60=now`);
}

/** The next report of an order: its ExecType(150). */
async function next(id: string): Promise<string> {
  const said = await alpha.next((one) => fieldOf(one, '11') === id);
  return fieldOf(said, '150') ?? '';
}

test('an order without an answer is reported as unknown, and later with exactly one outcome', async () => {
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'hold', delayMs: null, path });
  order('silent');
  expect([await next('silent'), await next('silent')]).toEqual(['A', 'I']);
  await bridge.admin('POST', '/faults/release');
  expect(await next('silent')).toBe('0');
  alpha.say('1|112=end');
  await alpha.next((said) => fieldOf(said, '112') === 'end');
  expect(alpha.unasked()).toEqual([]);
});

test('a market that the venue halts takes no order until it resumes', async () => {
  const market = bridge.gateway.profile.markets[0]?.marketId;
  await bridge.admin('POST', `/markets/${market}`, { status: 'halt' });
  await expect
    .poll(async () => {
      order(`halted-${alpha.nextOut}`);
      return (await alpha.heard()).includes('|150=8|');
    })
    .toBe(true);
  await bridge.admin('POST', `/markets/${market}`, { status: 'resume' });
  await expect
    .poll(async () => {
      order(`resumed-${alpha.nextOut}`);
      const said = await alpha.next((one) => /\|150=[08]\|/.test(one));
      return fieldOf(said, '150');
    })
    .toBe('0');
});
