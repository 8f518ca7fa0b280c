/** An account is taken from a session while it has orders on it, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config-file.ts';
import { startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf } from '../support/fix-peer.ts';

test('cancel on disconnect covers orders on an account that a reload took from the session', async () => {
  const bridge = await startBridge({
    session: { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } },
  });
  const peer = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  await peer.logon('');
  peer.say('D|11=a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '0');
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as {
    sessions: { senderCompId: string; accounts: string[] }[];
  };
  for (const session of config.sessions)
    if (session.senderCompId === 'ALPHA') session.accounts = ['desk-b'];
  writeFileSync(bridge.configFile, stringify(config));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  const open = () => bridge.gateway.accounts[0]?.bound.line.orders.openCount;
  expect(open()).toBe(1);
  peer.hangUp();
  await expect.poll(open).toBe(0);
  await bridge.stop();
});
