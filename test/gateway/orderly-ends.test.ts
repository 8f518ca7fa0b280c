/** What the bridge itself ends in good order is not an abrupt end, for a client that answers its Logout(5). */
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { WorkerPorts } from '../../src/cluster/worker-ports.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';

const session = { cancelOnDisconnect: { when: 'abrupt', graceMs: 0 } };

async function withOrder(bridge: Bridge, port: number): Promise<FixPeer> {
  const peer = await FixPeer.connect(port, bridge.user('ALPHA'));
  await peer.logon('');
  peer.say('D|11=a|55=BTC-USDC|54=1|38=0.02|40=2|44=30000|59=1|60=now');
  await peer.next((message) => fieldOf(message, '150') === '0');
  return peer;
}

/** Returns the Text(58) of the bridge. */
async function answersLogout(peer: FixPeer): Promise<string | undefined> {
  const logout = await peer.next((message) => typeOf(message) === '5');
  peer.say('5');
  return fieldOf(logout, '58');
}

/** Whether the bridge keeps the client's order open, and has no cancel of it under way. */
function isUntouched({ gateway: { accounts } }: Bridge): boolean {
  return (
    accounts.every(({ bound: { runner } }) => !runner.isBusy) &&
    accounts.some(({ bound: { runner } }) => runner.orders.openCount === 1)
  );
}

test('a client whose session is configured differently by a reload is logged out, and keeps its orders', async () => {
  const bridge = await startBridge({ session });
  const peer = await withOrder(bridge, bridge.gateway.port);
  const config = parse(readFileSync(bridge.configFile, 'utf8')) as { sessions: object[] };
  const sessions = config.sessions.map((one) => ({ ...one, engine: { maxHeartBtIntS: 50 } }));
  writeFileSync(bridge.configFile, stringify({ ...config, sessions }));
  const answered = answersLogout(peer);
  await bridge.gateway.reload(loadConfig(bridge.configFile));
  expect(await answered).toBe('The configuration of this session changes');
  expect(isUntouched(bridge)).toBe(true);
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  again.nextOut = peer.nextOut;
  expect(fieldOf(await again.logon(''), '35')).toBe('A');
  again.hangUp();
  await bridge.stop();
});

test('the clients of a shard that is drained keep their orders', async () => {
  let ports = new WorkerPorts(() => {});
  const openPorts = () => {
    ports = new WorkerPorts(() => {});
    return ports;
  };
  const bridge = await startBridge({ session, outside: { openPorts } });
  const door = createServer((socket) => ports.take('fix', socket, '127.0.0.1', Buffer.alloc(0)));
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const peer = await withOrder(bridge, (door.address() as AddressInfo).port);
  const answered = answersLogout(peer);
  await bridge.restart();
  expect(await answered).toBe('The bridge goes down');
  expect(isUntouched(bridge)).toBe(true);
  door.close();
  await bridge.stop();
});
