/** A reload that gives the users of FIXP sessions to each other, over real sockets. */
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { parse, stringify } from 'yaml';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { connectFixp, startFixpBridge } from '../acceptance/parity/lanes.ts';
import { fieldOf } from '../support/fix-peer.ts';

test('two FIXP sessions may exchange their users in one reload, and trade on', async () => {
  const bridge = await startFixpBridge();
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as {
    sessions: { senderCompId: string; users: string[] }[];
  };
  const users = new Map(config.sessions.map((one) => [one.senderCompId, one.users]));
  const exchanged: Record<string, string> = { ALPHA: 'BRAVO', BRAVO: 'ALPHA' };
  for (const session of config.sessions)
    session.users = users.get(exchanged[session.senderCompId] ?? '') ?? session.users;
  writeFileSync(bridge.configFile, stringify(config));
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  for (const name of ['ALPHA', 'BRAVO']) {
    const peer = await connectFixp(bridge, bridge.user(name), undefined);
    await peer.logon();
    peer.say('D|11=a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
    await peer.next((message) => fieldOf(message, '150') === '0');
    peer.hangUp();
  }
  await bridge.stop();
});
