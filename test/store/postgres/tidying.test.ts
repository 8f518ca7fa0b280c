/** What a shard no longer needs is deleted a bounded number of rows at a time, and a session keeps no more than it may. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { Reads } from '../../../src/store/postgres/reads.ts';
import { Rows } from '../../../src/store/postgres/rows.ts';
import { Tidying } from '../../../src/store/postgres/tidying.ts';
import type { Store } from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { append, kept, messages, numbers } from '../contract.ts';

let server: PostgresServer;
let admin: Connection;
let store: Store;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  store = await openPostgresStore({
    place: server.place,
    shard: 'a',
    owner: { node: 'n1', address: '' },
    durability: 'process',
    keptBytesPerSession: 1_000,
  });
});

afterAll(async () => {
  await store.close();
  await admin.close();
  await server.stop();
});

async function rowsOf(table: string): Promise<number> {
  const text = `select count(*)::int as rows from causeway.${table}`;
  return (await admin.query<{ rows: number }>({ text }))[0]?.rows ?? 0;
}

test('forgotten records are deleted in the end, also many of them', async () => {
  const told = [];
  for (let i = 0; i < 3_000; i += 1) told.push(store.commit([append('j', i, `record ${i}`)]));
  await Promise.all(told);
  await store.commit([{ kind: 'forget', stream: 'j', position: 2_990 }]);
  expect(await store.read('j', 0, 100)).toHaveLength(10);
  await expect.poll(() => rowsOf('records')).toBe(10);
  expect(await store.end('j')).toBe(3_000);
});

test('a session at its limit keeps the newest messages and says from where, and the others are deleted', async () => {
  for (let seq = 1; seq <= 200; seq += 1) {
    await store.commit([messages('A', seq, 'ten bytes.'), numbers('A', 1, seq + 1)]);
  }
  // The session may be trimmed between two questions, so they are asked until their answers fit.
  const ends = async () => {
    const { oldestKept } = await store.numbers('A');
    const found = await kept(store, 'A');
    const isWhole = found[0] === `${oldestKept}:ten bytes.` && found.at(-1) === '200:ten bytes.';
    return isWhole && oldestKept > 95 && oldestKept < 105;
  };
  await expect.poll(ends).toBe(true);
  const surplus = async () => (await rowsOf('messages')) - (await kept(store, 'A')).length;
  await expect.poll(surplus).toBe(0);
  await store.commit([{ kind: 'reset', session: 'A', nextIn: 1, nextOut: 1 }]);
  await expect.poll(() => rowsOf('messages')).toBe(0);
});

test('a session that grows beyond its limit while it is trimmed is trimmed again', async () => {
  const rows = new Rows();
  const from = { place: server.place, shard: 'b', epoch: 0, rows, confirmed: () => 0 };
  const tidying = new Tidying(new Reads(from), rows, 1e9);
  const grow = (seq: number) => {
    const writes = [messages('B', seq, 'x'.repeat(200))];
    rows.take(writes);
    tidying.committed(writes);
    return [...tidying.overLimit(100)];
  };
  expect(grow(1)).toEqual(['B']);
  expect(grow(2)).toEqual([]);
  rows.trim('B', 2, 200);
  tidying.trimmed('B');
  expect([...tidying.overLimit(100)]).toEqual(['B']);
  await tidying.close();
});
