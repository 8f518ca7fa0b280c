/**
 * What can happen between a commit and the news of it: connections, servers and owners that are lost, held, stopped or replaced. An
 * acknowledged commit is never lost, and none happens twice.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import {
  openPostgresStore,
  type PostgresOptions,
} from '../../../src/store/postgres/postgres-store.ts';
import { PositionConflict, type Store, StoreFailed } from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { append, journal } from '../contract.ts';

const owner = { node: 'n1', address: '' };
/** A busy machine must not look like a lost server where that is not what is tested. */
const patient = { replyMs: 5_000 };
let primary: PostgresServer;
let standby: PostgresServer;
let proxy: TcpProxy;
let admin: Connection;
let made = 0;
const stores: Store[] = [];

beforeAll(async () => {
  primary = await PostgresServer.start();
  standby = await primary.standby();
  proxy = await TcpProxy.to(primary.port);
  admin = await primary.admin('causeway');
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
});

afterEach(async () => {
  standby.resume();
  for (const name of ['requests', 'replies'] as const) proxy.set(name, 'pass');
  for (const store of stores.splice(0)) await store.close();
});

afterAll(async () => {
  admin.destroy();
  await proxy.close();
  for (const server of [primary, standby]) await server.stop();
});

async function open(shard: string, more: Partial<PostgresOptions> = {}): Promise<Store> {
  const place = { ...primary.place, hosts: [{ host: '127.0.0.1', port: proxy.port }] };
  const store = await openPostgresStore({
    place,
    shard,
    owner,
    durability: 'replicated',
    ...patient,
    ...more,
  });
  stores.push(store);
  return store;
}

const newShard = () => `shard-${++made}`;

async function positionOf(shard: string): Promise<number> {
  const text = 'select position from causeway.shards where shard = $1';
  const [row] = await admin.query<{ position: number }>({ text, values: [shard] });
  return Number(row?.position);
}

const recordsOf = (shard: string) =>
  admin.query<{ position: number }>({
    text: `select position, convert_from(payload, 'UTF8') as text from causeway.records where shard = $1 order by position`,
    values: [shard],
  });

const waitingForStandby = async () =>
  (await admin.query({ text: `select pid from pg_stat_activity where wait_event = 'SyncRep'` }))
    .length;

test('a wait for the standby that is canceled acknowledges nothing before the standby has the commit', async () => {
  const shard = newShard();
  const store = await open(shard);
  standby.pause();
  const told: string[] = [];
  const committed = store.commit([append('a', 0, 'one')]).then(() => told.push('one'));
  await expect.poll(waitingForStandby).toBe(1);
  await admin.run(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  // The renewal with which the owner asks waits for the standby in its place.
  await expect.poll(waitingForStandby).toBe(1);
  expect(told).toEqual([]);
  expect(await positionOf(shard)).toBe(1);
  standby.resume();
  await committed;
  expect(await journal(store, 'a')).toEqual(['1:one']);
});

test('a backend that is ended in the middle of a commit changes nothing for who waits', async () => {
  const shard = newShard();
  const store = await open(shard);
  standby.pause();
  const committed = store.commit([append('a', 0, 'one')]);
  await expect.poll(waitingForStandby).toBe(1);
  await admin.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  standby.resume();
  await committed;
  expect(await positionOf(shard)).toBe(1);
  expect(await journal(store, 'a')).toEqual(['1:one']);
});

test('of two owners the later one counts: what the first sends late changes nothing, and it ends', async () => {
  const shard = newShard();
  const first = await open(shard);
  await first.commit([append('a', 0, 'of the first')]);
  proxy.set('requests', 'hold');
  const late = first.commit([append('a', 1, 'late')]);
  await new Promise((resolve) => setImmediate(resolve));
  const second = await open(shard, { place: primary.place });
  await second.commit([append('a', 1, 'of the second')]);
  proxy.set('requests', 'pass');
  await expect(late).rejects.toThrow(PositionConflict);
  await expect(first.commit([])).rejects.toThrow(PositionConflict);
  expect(await journal(second, 'a')).toEqual(['1:of the first', '2:of the second']);
});

test('an owner that slept through its lease acknowledges nothing, though its commit was in time', async () => {
  const shard = newShard();
  const first = await open(shard, { replyMs: 300 });
  proxy.set('replies', 'hold');
  const told = first.commit([append('a', 0, 'in time')]);
  await expect.poll(() => positionOf(shard)).toBe(1);
  const { place } = primary;
  // By then its lease is over.
  const taken = () => open(shard, { place, seenEpoch: 1 }).catch(() => undefined);
  await expect.poll(taken).toBeDefined();
  await stores.at(-1)?.commit([append('a', 1, 'next')]);
  proxy.set('replies', 'pass');
  await expect(told).rejects.toThrow(PositionConflict);
  expect(await recordsOf(shard)).toMatchObject([{ text: 'in time' }, { text: 'next' }]);
});

/** As a process that is stopped: nothing runs, and time passes. */
const sleep = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('an owner that slept after its commit must ask before anything leaves, and learns that it was replaced', async () => {
  const shard = newShard();
  const first = await open(shard, { replyMs: 300 });
  await first.commit([append('a', 0, 'recorded')]);
  expect(first.confirmed()).toBeUndefined();
  sleep(400);
  // Nobody has taken its shard.
  await first.confirmed();
  expect(first.confirmed()).toBeUndefined();
  await open(shard, { place: primary.place });
  sleep(400);
  await expect(first.confirmed()).rejects.toThrow(PositionConflict);
  await expect(first.confirmed()).rejects.toThrow(PositionConflict);
});

test('two owners that take a shard from each other mix nothing up', async () => {
  const shard = newShard();
  const acknowledged: string[] = [];
  let store = await open(shard);
  for (let round = 1; round <= 8; round += 1) {
    const end = await store.end('a');
    const burst = [0, 1, 2].map((n) => {
      const name = `${round}.${n}`;
      return store.commit([append('a', end + n, name)]).then(
        () => acknowledged.push(name),
        () => {},
      );
    });
    const next = await open(shard);
    await Promise.all(burst);
    await store.close();
    store = next;
  }
  const found = (await journal(store, 'a', 0, 1_000)).map((line) => line.split(':')[1]);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toEqual(expect.arrayContaining(acknowledged));
});

test('while the database is away commits wait, new work is refused, and a limit ends the owner', async () => {
  const alarms: string[] = [];
  const shard = newShard();
  const store = await open(shard, {
    maxWaitingBytes: 40_000,
    replyMs: 200,
    onAway: (problem) => alarms.push(problem ?? 'back'),
  });
  proxy.set('requests', 'drop');
  const first = store.commit([append('a', 0, 'x'.repeat(15_000))]);
  expect(store.room()).toBe('reserve');
  await expect.poll(() => alarms).toHaveLength(1);
  proxy.set('requests', 'pass');
  proxy.reset();
  await first;
  expect(store.room()).toBe('plenty');
  expect(alarms.at(-1)).toBe('back');
  proxy.set('requests', 'drop');
  const lost = [1, 2, 3].map((n) => store.commit([append('a', n, 'x'.repeat(15_000))]));
  for (const each of lost) await expect(each).rejects.toThrow(StoreFailed);
  proxy.set('requests', 'pass');
  proxy.reset();
});

test('a primary that stops or dies is replaced by its standby, and no acknowledged commit is lost or doubled', async () => {
  const shard = newShard();
  const hosts = [...primary.place.hosts, ...standby.place.hosts];
  const place = { ...primary.place, hosts };
  const store = await open(shard, { place, replyMs: 500 });
  let end = 0;
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await store.commit([append('a', end, `record ${end + 1}`)]);
      end += 1;
    }
  })();
  await expect.poll(() => end).toBeGreaterThan(20);
  // The old primary goes on as if nothing had happened, but no standby confirms its commits any more.
  primary.pause();
  standby.promote();
  const behind = await standby.admin('causeway');
  await behind.run(`alter system reset synchronous_standby_names`);
  await behind.run('select pg_reload_conf()');
  await behind.close();
  const before = end;
  await expect.poll(() => end).toBeGreaterThan(before + 20);
  primary.resume();
  const resumed = end;
  await expect.poll(() => end).toBeGreaterThan(resumed + 20);
  isOver = true;
  await writing;
  const expected = Array.from({ length: end }, (_, i) => `${i + 1}:record ${i + 1}`);
  expect(await journal(store, 'a', 0, 1e6)).toEqual(expected);
  // Whoever opens it next finds the promoted one, although the old primary accepts connections again.
  const next = await open(shard, { place });
  expect(await next.end('a')).toBe(end);
});

test('the owner exits if the database is older than its acknowledged commits', async () => {
  const server = standby;
  const shard = newShard();
  const { place } = server;
  const before = await open(shard, { place });
  await before.commit([append('a', 0, 'one')]);
  await before.close();
  await server.kill();
  server.backUp();
  await server.run();
  const store = await open(shard, { place });
  await store.commit([append('a', 1, 'two')]);
  await server.kill();
  const waiting = store.commit([append('a', 2, 'three')]);
  const ended = expect(waiting).rejects.toThrow();
  server.restore();
  await server.run();
  await ended;
  await expect(store.commit([])).rejects.toThrow(/another owner|older backup/);
});
