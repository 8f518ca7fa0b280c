/** Limits that an administrator changes, over real sockets and a restart. */
import { afterEach, expect, test } from 'vitest';
import { ActRefused } from '../../../src/gateway/operator/operator.ts';
import { type Bridge, startBridge } from '../../support/bridge.ts';
import { FixPeer, fieldOf } from '../../support/fix-peer.ts';

let bridge: Bridge;
const peers: FixPeer[] = [];
const by = { who: 'ann', why: 'a test' };
const alpha = { kind: 'session', name: 'FIX.4.4:CAUSEWAY/->ALPHA/' } as const;

afterEach(async () => {
  for (const peer of peers) peer.hangUp();
  await bridge.stop();
});

async function outcome(peer: FixPeer, clOrdId: string): Promise<string | undefined> {
  peer.say(`D|11=${clOrdId}|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now`);
  const report = await peer.next((message) => ['0', '8'].includes(fieldOf(message, '150') ?? ''));
  return fieldOf(report, '150') === '0' ? 'new' : fieldOf(report, '9102');
}

async function client(): Promise<FixPeer> {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  peers.push(peer);
  await peer.logon();
  return peer;
}

test('a changed limit applies at once, after a restart, and until it is reset', async () => {
  bridge = await startBridge({});
  const before = await client();
  bridge.gateway.operator.setLimits(by, alpha, { maxOrderQty: '0.01' });
  expect(await outcome(before, 'b')).toBe('bridge.limit');
  expect(bridge.gateway.view.session(alpha.name)).toMatchObject({
    limits: { maxOrderQty: '0.01' },
    changed: { who: 'ann', why: 'a test' },
  });
  before.hangUp();
  await bridge.restart();
  const after = await client();
  expect(await outcome(after, 'c')).toBe('bridge.limit');
  bridge.gateway.operator.setLimits(by, alpha, null);
  expect(await outcome(after, 'd')).toBe('new');
  expect(bridge.gateway.view.session(alpha.name)?.changed).toBeNull();
  const [last] = await bridge.gateway.view.auditRecords(Number.MAX_SAFE_INTEGER, 1);
  const limits = { maxOrderQty: '0.01' };
  expect(last).toMatchObject({ what: 'set_limits', before: { limits }, after: { limits: null } });
});

test('a limit of an account applies to all of its sessions, and one of nobody is refused', async () => {
  bridge = await startBridge({});
  const peer = await client();
  const { operator } = bridge.gateway;
  operator.setLimits(by, { kind: 'account', name: 'desk-a' }, { maxOpenOrders: 1 });
  expect(await outcome(peer, 'a')).toBe('new');
  expect(await outcome(peer, 'b')).toBe('bridge.limit');
  const nobody = { kind: 'account', name: 'nobody' } as const;
  expect(() => operator.setLimits(by, nobody, {})).toThrow(ActRefused);
});
