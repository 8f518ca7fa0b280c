/** What a spare worker keeps of a shard that it has read, for how long, and that a failure is not kept. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { aheadKeptMs, WorkerAhead } from '../../src/cluster/worker-ahead.ts';
import { loadConfig } from '../../src/gateway/config/config-file.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { freePort } from '../../src/runtime/free-port.ts';
import type { Connection } from '../../src/store/postgres/connection.ts';
import { type Bridge, startBridge } from '../support/bridge.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';

let server: PostgresServer;
let admin: Connection;
let bridge: Bridge;
/** Those of the bridge itself. */
let connectionsBefore: number;
let clock = new ManualClock();
let ahead = new WorkerAhead(clock);

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  const hosts = [`127.0.0.1:${server.port}`];
  bridge = await startBridge({
    config: { store: { postgres: { hosts, user: bridgeRole } }, durability: 'power' },
  });
  connectionsBefore = await connections();
});
afterEach(async () => {
  await ahead.of('none', loaded());
  clock = new ManualClock();
  ahead = new WorkerAhead(clock);
});
afterAll(async () => {
  await bridge.stop();
  await admin.close();
  await server.stop();
});

const loaded = () => loadConfig(bridge.configFile);
const read = (shard: string, config = loaded()) => ahead.read(shard, config, () => {});

async function connections(): Promise<number> {
  const text = `select count(*)::int as open from pg_stat_activity where usename = '${bridgeRole}'`;
  return (await admin.query<{ open: number }>({ text }))[0]?.open ?? 0;
}
const ownConnections = async () => (await connections()) - connectionsBefore;

/** The same configuration with a database that is not there. */
async function cutOff() {
  const { config, ...rest } = loaded();
  const port = await freePort({ host: '127.0.0.1', port: 0 });
  const { store } = config;
  if (store === undefined || !('postgres' in store))
    throw new Error('the store is not in a database');
  const postgres = { ...store.postgres, hosts: [`127.0.0.1:${port}`] };
  return { ...rest, config: { ...config, store: { ...store, postgres } } };
}

test('what was read of a shard is there for that shard, and its connections are closed for another one', async () => {
  await read('a');
  expect(await ownConnections()).toBe(2);
  const found = await ahead.of('a', loaded());
  expect(found?.isFor(loaded())).toBe(true);
  expect(await ahead.of('b', loaded())).toBeUndefined();
  await expect.poll(ownConnections).toBe(0);
});

test('it is read once, however often it is asked for, and another shard takes its place', async () => {
  await Promise.all([read('a'), read('a')]);
  await read('a');
  expect(await ownConnections()).toBe(2);
  const before = await ahead.of('a', loaded());
  await read('b');
  await expect.poll(ownConnections).toBe(2);
  const after = await ahead.of('b', loaded());
  expect(after).toBeDefined();
  expect(after).not.toBe(before);
});

test('it is kept for a while after it was last asked for', async () => {
  await read('a');
  clock.advance(aheadKeptMs - 1);
  await read('a');
  clock.advance(aheadKeptMs - 1);
  expect(await ownConnections()).toBe(2);
  clock.advance(1);
  await expect.poll(ownConnections).toBe(0);
  expect(await ahead.of('a', loaded())).toBeUndefined();
});

test('once its shard is taken it is not closed any more', async () => {
  await read('a');
  await ahead.of('a', loaded());
  clock.advance(aheadKeptMs);
  expect(await ownConnections()).toBe(2);
});

test('under another configuration it counts for nothing', async () => {
  await read('a');
  const { config, ...rest } = loaded();
  expect(await ahead.of('a', { ...rest, config: { ...config, journalDays: 9 } })).toBeUndefined();
  await expect.poll(ownConnections).toBe(0);
});

test('a shard that could not be read is read again when it is asked for again', async () => {
  await expect(read('a', await cutOff())).rejects.toThrow(/ECONNREFUSED/);
  expect(await ahead.of('a', loaded())).toBeUndefined();
  await expect(read('a', await cutOff())).rejects.toThrow(/ECONNREFUSED/);
  await read('a');
  expect(await ahead.of('a', loaded())).toBeDefined();
});
