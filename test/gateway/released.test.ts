/** A replace that was held back until its order is known, over real sockets: it is judged again when it goes out. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

let bridge: Bridge;
let peer: FixPeer;

beforeAll(async () => {
  bridge = await startBridge();
  const session = bridge.user();
  peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
});

afterAll(async () => {
  peer.hangUp();
  await bridge.stop();
});

test('what became forbidden while a replace was held is refused with its reason, and its order stays', async () => {
  const { runner } = bridge.gateway.accounts[0]!.bound;
  const { gate } = bridge.gateway;
  await expect.poll(() => gate.state).toBe('open');
  const path = '/trading/actions';
  await bridge.admin('POST', '/faults', { kind: 'slow', delayMs: null, path, times: 1 });
  peer.say('D|11=a|55=BTC-USDC|54=1|38=0.1|40=2|44=40000|59=1|60=now');
  peer.say('G|11=b|41=a|55=BTC-USDC|54=1|38=0.2|40=2|44=40000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === 'E');
  gate.setAccount(runner.account, 'reducing', 'a test');
  await bridge.admin('DELETE', '/faults');
  await bridge.admin('POST', '/faults/release');
  const refusal = await peer.next((message) => fieldOf(message, '35') === '9');
  expect(['11', '41', '434', '102', '9102'].map((tag) => fieldOf(refusal, tag))).toEqual([
    'b',
    'a',
    '2',
    '99',
    'bridge.account_closing',
  ]);
  gate.setAccount(runner.account, 'open', 'a test');
  expect([...runner.orders.open()]).toMatchObject([{ phase: 'live', clOrdId: 'a', pending: null }]);
});
