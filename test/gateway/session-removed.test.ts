/** A session is removed from the configuration while it has open orders, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

test('cancel on disconnect at a start covers the orders of a session that the configuration no longer has', async () => {
  const bridge = await startBridge({
    session: { cancelOnDisconnect: { when: 'always', graceMs: 500 } },
  });
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await peer.logon('');
  peer.say('D|11=a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '0');
  peer.hangUp();
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as {
    sessions: { senderCompId: string }[];
  };
  const sessions = config.sessions.filter(({ senderCompId }) => senderCompId !== 'ALPHA');
  writeFileSync(bridge.configFile, stringify({ ...config, sessions }));
  await bridge.restart();
  const open = () => bridge.gateway.accounts[0]?.bound.runner.orders.openCount;
  await expect.poll(open, { timeout: 10_000 }).toBe(0);
  // Nobody has to do anything about them.
  expect(bridge.lines.filter(({ event }) => event === 'orders_left')).toEqual([]);
  await bridge.stop();
});
