/** The store on PostgreSQL: the contract of every store, then what is its own. */
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { freePort } from '../../../src/runtime/free-port.ts';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import { listShards } from '../../../src/store/postgres/lease.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { type Store, StoreFailed } from '../../../src/store/store.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { TcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/waits.ts';
import { append, journal, storeContract } from '../contract.ts';
import { answersOf, WriteMaker } from '../log/random-writes.ts';

let server: PostgresServer;
let admin: Connection;
let proxy: TcpProxy;
let made = 0;
const shards = new Map<Store, string>();
const owner = { node: 'n1', address: '' };

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  proxy = await TcpProxy.to(server.port);
});

afterEach(() => {
  vi.useRealTimers();
});

afterAll(async () => {
  for (const store of shards.keys()) await store.close();
  await admin.close();
  await proxy.close();
  await server.stop();
});

async function open(shard = `shard-${++made}`, more: object = {}): Promise<Store> {
  const { place } = server;
  const store = await openPostgresStore({ place, shard, owner, durability: 'process', ...more });
  shards.set(store, shard);
  return store;
}

storeContract({ open: () => open(), reopen: (store) => open(shards.get(store)) });

const step = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.tuple(fc.nat(11), fc.nat(2_000)), { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('takeover' as const) },
  { weight: 1, arbitrary: fc.constant('compare' as const) },
);

test('whatever is written and however often it is opened, it answers as a store in memory does', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 80, size: 'max' }),
      async (steps) => {
        let store = await open();
        const shard = shards.get(store);
        let told = Promise.resolve();
        const model = new MemoryStore();
        const maker = new WriteMaker();
        for (const each of steps) {
          if (each === 'compare') expect(await answersOf(store)).toEqual(await answersOf(model));
          else if (each === 'close' || each === 'takeover') {
            await told;
            const before = store;
            if (each === 'close') await before.close();
            store = await open(shard);
            await before.close();
          } else {
            const writes = each.map(([choice, size]) => maker.make(choice, size));
            told = store.commit(writes);
            await model.commit(writes);
            if (writes.length % 2 === 0) await told;
          }
        }
        expect(await answersOf(store)).toEqual(await answersOf(model));
        await store.close();
      },
    ),
    { numRuns: 5 },
  );
});

test('an owner is seen to be connected, must ask whether it owns its shard once its connection is closed, and is seen again', async () => {
  const shard = 'connected';
  const store = await open(shard);
  const isConnected = async () =>
    (await listShards(admin)).find((row) => row.shard === shard)?.isConnected;
  const owners = `application_name = 'causeway ${shard} 1'`;
  const backends = async () =>
    (
      await admin.query<{ pid: number }>({
        text: `select pid from pg_stat_activity where ${owners}`,
      })
    ).map(({ pid }) => pid);
  expect(await isConnected()).toBe(true);
  await store.commit([{ kind: 'cursor', name: 'any', value: 1 }]);
  expect(store.confirmed()).toBeUndefined();
  const before = await backends();
  await admin.query({
    text: `select pg_terminate_backend(pid) from pg_stat_activity where ${owners}`,
  });
  let confirmed: Promise<void> | undefined;
  await expect
    .poll(
      () => {
        confirmed ??= store.confirmed();
        return confirmed !== undefined;
      },
      { interval: 1 },
    )
    .toBe(true);
  await confirmed;
  await expect.poll(isConnected).toBe(true);
  expect(await backends()).not.toEqual(before);
  await store.close();
  await expect.poll(isConnected).toBe(false);
});

/** With a record, and a database that cannot be reached any more. */
async function cutOff(way = proxy): Promise<Store> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const hosts = [{ host: '127.0.0.1', port: way.port }];
  const store = await open(undefined, { place: { ...server.place, hosts } });
  await store.commit([append('a', 0, 'one')]);
  way.aim(await freePort({ host: '127.0.0.1', port: 0 }));
  way.reset();
  return store;
}

/** Time passes twice as fast until the promise is settled. */
async function settled(promise: Promise<unknown>): Promise<void> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  void promise.then(settle, settle);
  await until(() => {
    vi.advanceTimersByTime(10);
    return isSettled;
  });
}

test('a read that finds the database away is answered once it is back, however long that takes', async () => {
  const store = await cutOff();
  const reading = journal(store, 'a');
  for (let passedMs = 0; passedMs < 400_000; passedMs += 100) {
    vi.advanceTimersByTime(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  proxy.aim(server.port);
  await settled(reading);
  expect(await reading).toEqual(['1:one']);
  await settled(store.commit([append('a', 1, 'two')]));
});

test('a database that refuses commits because its disk is full is away until one succeeds', async () => {
  const said: string[] = [];
  const onAway = (problem: string | undefined) => void said.push(problem ?? 'back');
  const store = await open('full', { onAway });
  await store.commit([append('a', 0, 'one')]);
  await admin.run(`
    create sequence causeway.refused;
    create function causeway.refuse() returns trigger language plpgsql security definer as $$ begin
      perform nextval('causeway.refused');
      raise exception 'No space left on device' using errcode = '53100';
    end $$;
    create trigger no_space before insert on causeway.records
    for each row when (new.shard = 'full') execute function causeway.refuse()`);
  const committing = store.commit([append('a', 1, 'two')]);
  // Its lease is renewed on one connection after the other meanwhile.
  const count = { text: 'select last_value as refused from causeway.refused', values: [] };
  const refused = async () => Number((await admin.query<{ refused: string }>(count))[0]?.refused);
  await expect.poll(refused).toBeGreaterThan(5);
  expect(said).toEqual(['No space left on device']);
  await admin.run('drop trigger no_space on causeway.records');
  await committing;
  expect(said).toEqual(['No space left on device', 'back']);
  expect(await journal(store, 'a')).toEqual(['1:one', '2:two']);
});

test('a commit that the database ends after its transaction_timeout is sent again', async () => {
  const store = await open('timed');
  await admin.run(`
    create function causeway.time_out() returns trigger language plpgsql as $$ begin
      raise exception 'terminating connection due to transaction timeout' using errcode = '25P04';
    end $$;
    create trigger timed_out before insert on causeway.records
    for each row when (new.shard = 'timed') execute function causeway.time_out()`);
  const committing = store.commit([append('a', 0, 'one')]);
  await expect.poll(() => store.room(), { timeout: 5_000 }).toBe('reserve');
  await admin.run('drop trigger timed_out on causeway.records');
  await committing;
  expect(await journal(store, 'a')).toEqual(['1:one']);
});

test('a store that is closed while it connects again keeps no connection, and does not renew its lease', async () => {
  const way = await TcpProxy.to(server.port);
  const store = await cutOff(way);
  way.set('replies', 'hold');
  way.aim(server.port);
  await until(() => {
    vi.advanceTimersByTime(10);
    return way.open > 0;
  });
  await settled(store.close());
  const lease = async () =>
    (await listShards(admin)).find(({ shard }) => shard === shards.get(store))?.renewedAt;
  const before = await lease();
  way.set('replies', 'pass');
  await until(() => {
    vi.advanceTimersByTime(10);
    return way.open === 0;
  });
  expect(await lease()).toEqual(before);
  await way.close();
});

test('losses of an idle owner that were settled at once do not add up to an alarm', async () => {
  const way = await TcpProxy.to(server.port);
  const place = { ...server.place, hosts: [{ host: '127.0.0.1', port: way.port }] };
  const away: (string | undefined)[] = [];
  const shard = `shard-${++made}`;
  const renewal = async () =>
    (await listShards(admin)).find((row) => row.shard === shard)?.renewedAt;
  const store = await open(shard, { place, onAway: (problem: string) => away.push(problem) });
  for (let loss = 0; loss < 4; loss += 1) {
    way.reset();
    // Once as it settles, and once because it is idle.
    for (let renewals = 0, last = await renewal(); renewals < 2; renewals += 1) {
      await expect.poll(renewal, { timeout: 10_000 }).not.toBe(last);
      last = await renewal();
    }
  }
  expect(away).toEqual([]);
  await store.close();
  await way.close();
});

test('a store whose database is away closes, and its reads end', async () => {
  const store = await cutOff();
  const reading = expect(journal(store, 'a')).rejects.toThrow(StoreFailed);
  // Tidying reads as well.
  vi.advanceTimersByTime(1_000);
  await settled(Promise.all([store.close(), reading]));
  await reading;
  proxy.aim(server.port);
});
