/** The bridge on a database: it trades, dies, and another one continues with the same numbers; only one at a time does. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/gateway/config-file.ts';
import { DataHeld } from '../../src/gateway/data-lock.ts';
import { freeShard } from '../../src/gateway/shard-store.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { FixPeer, fieldOf, typeOf } from '../support/fix-peer.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';

let server: PostgresServer;
let bridge: Bridge;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const hosts = [`127.0.0.1:${server.port}`];
  const store = { postgres: { hosts, user: bridgeRole } };
  bridge = await startBridge({ config: { store, durability: 'power', shutdownGraceMs: 500 } });
});

afterAll(async () => {
  await bridge.stop();
  await server.stop();
});

const time = () => new Date().toISOString().replaceAll('-', '').replace('T', '-').slice(0, 17);
const order = (id: string, side: 1 | 2) =>
  `D|11=${id}|55=BTC-USDC|54=${side}|38=0.01|40=2|44=40000|59=1|60=${time()}`;

test('a bridge on a database that was killed is continued elsewhere, with its orders and numbers', async () => {
  let nextOut = 0;
  let lastHeard = 0;
  await bridge.restart(async () => {
    const killed = new RunProcess(bridge.configFile);
    const client = await FixPeer.connect(await killed.port(), bridge.user('ALPHA'));
    expect(typeOf(await client.logon(''))).toBe('A');
    client.say(order('resting', 2));
    expect(fieldOf(await client.heard(), '150')).toBe('A');
    const resting = await client.heard();
    expect([fieldOf(resting, '150'), fieldOf(resting, '39')]).toEqual(['0', '0']);
    lastHeard = Number(fieldOf(resting, '34'));
    nextOut = client.nextOut;
    await killed.kill();
    // Another machine has none of the files.
    const { config, path } = loadConfig(bridge.configFile);
    rmSync(path(config.dataDir), { recursive: true });
  });
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('ALPHA'));
  client.nextOut = nextOut;
  const logon = await client.logon('');
  expect([typeOf(logon), fieldOf(logon, '34')]).toEqual(['A', String(lastHeard + 1)]);
  const taker = await FixPeer.connect(bridge.gateway.port, bridge.user('BRAVO'));
  expect(typeOf(await taker.logon(''))).toBe('A');
  taker.say(order('taking', 1));
  for (const [peer, id] of [
    [client, 'resting'],
    [taker, 'taking'],
  ] as const) {
    const fill = await peer.next((message) => fieldOf(message, '150') === 'F');
    expect([fieldOf(fill, '11'), fieldOf(fill, '39')]).toEqual([id, '2']);
    peer.hangUp();
  }
});

test('a shard that a process owns is not free, and is as soon as it stops', async () => {
  await expect(freeShard(server.place, 'gateway', 0)).rejects.toThrow(DataHeld);
  await bridge.restart(async () => {
    expect(await freeShard(server.place, 'gateway', 0)).toBeGreaterThan(0);
  });
});

test('a bridge whose database hangs is stopped all the same, whatever its clients and the venue sent meanwhile', async () => {
  const client = await FixPeer.connect(bridge.gateway.port, bridge.user('CHARLIE'));
  expect(typeOf(await client.logon(''))).toBe('A');
  const admin = await server.admin('causeway');
  await admin.run('begin; lock table causeway.shards in access exclusive mode');
  client.say(order('never recorded', 2));
  await bridge.admin('POST', '/markets/1', { status: 'halt' });
  await bridge.restart(async () => {
    await admin.run('rollback');
    await admin.close();
    await bridge.admin('POST', '/markets/1', { status: 'resume' });
  });
  const again = await FixPeer.connect(bridge.gateway.port, bridge.user('CHARLIE'));
  again.nextOut = client.nextOut;
  await again.logon('');
  // The bridge asks again for what it has not recorded.
  expect(fieldOf(await again.next((message) => typeOf(message) === '2'), '7')).toBe('2');
  again.hangUp();
});
