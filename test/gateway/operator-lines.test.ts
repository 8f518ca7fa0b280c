/** What an operator reads of a bridge at work, over real sockets. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AlarmList } from '../../src/console/alarm-list.ts';
import { bridgeMetrics } from '../../src/console/bridge-metrics.ts';
import { Live } from '../../src/console/live.ts';
import type { Trail } from '../../src/console/trail.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { lineEvents } from '../../src/runtime/operator-line.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer } from '../support/fix-peer.ts';

let bridge: Bridge;

beforeAll(async () => {
  bridge = await startBridge();
});
afterAll(() => bridge.stop());

const named = (event: string) => bridge.lines.filter((line) => line.event === event);

test('a logon and its end name the session, its address and that it has no TLS', async () => {
  const session = bridge.user();
  const peer = await FixPeer.connect(bridge.gateway.port, session);
  await peer.logon();
  const facts = { session: 'FIX.4.4:CAUSEWAY/->ALPHA/', address: '127.0.0.1', tls: false };
  expect(named('logged_on')).toEqual([{ event: 'logged_on', ...facts }]);
  peer.hangUp();
  const lost = { event: 'disconnected', ...facts, reason: 'the connection was lost' };
  await expect.poll(() => named('disconnected')).toEqual([lost]);
});

test('a client that logs out and closes its connection is reported with the text of its Logout', async () => {
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user());
  await peer.logon();
  peer.say('5|58=end of day');
  await peer.next((message) => message.includes('|35=5|'));
  peer.hangUp();
  await expect
    .poll(() => named('disconnected').at(-1)?.reason)
    .toBe('logged out by the peer: end of day');
});

test('a refused logon is a line of its own with the address, folded by network', async () => {
  const session = bridge.user();
  const peer = await FixPeer.connect(bridge.gateway.port, { ...session, password: 'wrong' });
  await peer.logon().catch(() => {});
  await expect
    .poll(() => named('connection_refused'))
    .toMatchObject([
      { address: '127.0.0.1', tls: false, about: expect.stringContaining('127.0.0') },
    ]);
});

test("an account's stream is a line with its alias", () => {
  expect(named('stream_live')).toContainEqual({ event: 'stream_live', account: 'desk-a' });
});

test('R81: a venue that does not report its build is a warning and a metric', async () => {
  await bridge.admin('POST', '/build', { hidden: true });
  await bridge.restart();
  const { view } = bridge.gateway;
  const clock = new ManualClock();
  const metrics = bridgeMetrics({
    view: () => view,
    trail: { count: 0, dropped: 0, waitingBytes: 0 } as Trail,
    alarms: new AlarmList(clock),
    passwords: { waiting: 0, dropped: 0 },
    live: new Live(clock, () => ({})),
  });
  expect(named('venue_build')).toHaveLength(1);
  expect(lineEvents.venue_build.level).toBe('warn');
  expect(await metrics.text()).toMatch(/^causeway_venue_build_unknown [1-9]/m);
});
