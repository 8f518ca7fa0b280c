/** What a shard has, read from a real database: whole, in pieces, and not from a server that lacks it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { type ReadFrom, Reads } from '../../../src/store/postgres/reads.ts';
import { loadRows } from '../../../src/store/postgres/rows.ts';
import {
  CorruptRecord,
  PositionConflict,
  StoreFailed,
  type Write,
} from '../../../src/store/store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { append, messages, numbers } from '../contract.ts';

let server: PostgresServer;
let admin: Connection;
let shard: string;
let made = 0;
const open: Reads[] = [];

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
});
beforeEach(async () => {
  made += 1;
  shard = `shard-${made}`;
  for (const reads of open.splice(0)) await reads.close();
});
afterAll(async () => {
  for (const reads of open) await reads.close();
  await admin.close();
  await server.stop();
});

/** Commits these, and reads them as the shard's next owner would. */
async function holding(commits: readonly (readonly Write[])[], change: Partial<ReadFrom> = {}) {
  const owner = { node: 'n1', address: '' };
  const store = await openPostgresStore({
    place: server.place,
    shard,
    owner,
    durability: 'process',
  });
  await Promise.all(commits.map((writes) => store.commit(writes)));
  await store.close();
  const rows = await loadRows(admin, shard);
  const from = { place: server.place, shard, epoch: 1, rows, confirmed: () => commits.length };
  const reads = new Reads({ ...from, confirmed: () => 1, ...change });
  open.push(reads);
  return { reads, rows };
}

const words = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const records = async (reads: Reads, stream: string, after: number, limit: number) =>
  (await reads.records(stream, after, limit)).map((one) => `${one.position}:${words(one.payload)}`);

test('more records than one statement reads are all there, in order, and no more than were asked for', async () => {
  const { reads } = await holding([
    Array.from({ length: 2_500 }, (_, i) => append('a', i, `${i + 1}`)),
  ]);
  const expected = Array.from({ length: 2_500 }, (_, i) => `${i + 1}:${i + 1}`);
  expect(await records(reads, 'a', 0, 9_999)).toEqual(expected);
  expect(await records(reads, 'a', 100, 1_500)).toEqual(expected.slice(100, 1_600));
  expect(await records(reads, 'a', 2_500, 10)).toEqual([]);
  expect(await records(reads, 'b', 0, 10)).toEqual([]);
});

test('records begin after those that were forgotten, and end where the owner knows them to end', async () => {
  const { reads, rows } = await holding([
    [1, 2, 3, 4].map((n) => append('a', n - 1, `${n}`)),
    [{ kind: 'forget', stream: 'a', position: 2 }],
  ]);
  expect(await records(reads, 'a', 0, 10)).toEqual(['3:3', '4:4']);
  Object.assign(rows.streams.get('a') ?? {}, { end: 3 });
  expect(await records(reads, 'a', 0, 10)).toEqual(['3:3']);
});

test('a record that is missing in the middle or at the end is named, and nothing is passed off as whole', async () => {
  const { reads } = await holding([[1, 2, 3].map((n) => append('a', n - 1, `${n}`))]);
  const remove = (position: number) =>
    admin.run(`delete from causeway.records where shard = '${shard}' and position = ${position}`);
  await remove(2);
  await expect(reads.records('a', 0, 10)).rejects.toThrow(CorruptRecord);
  await expect(reads.records('a', 0, 10)).rejects.toThrow(/record 2 of stream a/);
  await remove(3);
  await expect(reads.records('a', 2, 10)).rejects.toThrow(/record 3 of stream a/);
  expect(await records(reads, 'a', 0, 1)).toEqual(['1:1']);
});

test('a snapshot is that of its stream', async () => {
  const payload = Buffer.from('state');
  const { reads } = await holding([
    [append('a', 0, 'one'), append('b', 0, 'one')],
    [{ kind: 'snapshot', stream: 'a', position: 1, payload }],
  ]);
  const { position, payload: found } = (await reads.snapshot('a')) ?? {};
  expect([position, found && words(found)]).toEqual([1, 'state']);
  expect(await reads.snapshot('b')).toBeUndefined();
  expect(await reads.snapshot('none')).toBeUndefined();
});

test('messages are those of the numbering in force, as many as fit, and one in any case', async () => {
  const { reads } = await holding([
    [messages('S', 1, 'of yesterday', 'too'), numbers('S', 1, 3)],
    [
      { kind: 'reset', session: 'S', nextIn: 1, nextOut: 1 },
      messages('S', 1, 'one', 'two', 'three'),
    ],
  ]);
  const found = async (from: number, to: number, maxBytes: number) =>
    (await reads.messages('S', from, to, maxBytes)).map(
      ({ seq, bytes }) => `${seq}:${words(bytes)}`,
    );
  expect(await found(1, 9, 100)).toEqual(['1:one', '2:two', '3:three']);
  expect(await found(2, 2, 100)).toEqual(['2:two']);
  expect(await found(1, 9, 6)).toEqual(['1:one', '2:two']);
  expect(await found(1, 9, 5)).toEqual(['1:one']);
  expect(await found(3, 9, 0)).toEqual(['3:three']);
  expect(await reads.messages('T', 1, 9, 100)).toEqual([]);
});

test('more messages than one statement reads are all there', async () => {
  const bodies = Array.from({ length: 2_001 }, (_, i) => `${i + 1}`);
  const { reads } = await holding([[messages('S', 1, ...bodies)]]);
  const found = await reads.messages('S', 1, 9_999, 1e6);
  expect(found.map(({ seq, bytes }) => [seq, words(bytes)])).toEqual(
    bodies.map((body, i) => [i + 1, body]),
  );
});

test('what a session holds comes by position, and where it is too large is found by its bytes', async () => {
  const hold = (position: number) =>
    ({ kind: 'hold', session: 'S', position, bytes: Buffer.from(`${position}`) }) as const;
  const { reads } = await holding([
    [hold(1), hold(2), hold(3), messages('S', 1, 'abc', 'de', 'f')],
  ]);
  const held = async (after: number, limit: number) =>
    (await reads.held('S', after, limit)).map(
      ({ position, bytes }) => `${position}:${words(bytes)}`,
    );
  expect(await held(0, 2)).toEqual(['1:1', '2:2']);
  expect(await held(2, 9)).toEqual(['3:3']);
  expect(await reads.held('T', 0, 9)).toEqual([]);
  expect(await reads.cutOf('S', 3)).toEqual({ oldestKept: 2, bytes: 3 });
  expect(await reads.cutOf('S', 4)).toEqual({ oldestKept: 3, bytes: 5 });
  expect(await reads.cutOf('S', 7)).toBeUndefined();
});

test('a server that lacks what was committed is not believed', async () => {
  const { place } = server;
  await using connection = await connectToPrimary(place, 'process');
  const { reads } = await holding([[append('a', 0, 'one')]], { confirmed: () => 2, connection });
  await expect(reads.records('a', 0, 1)).rejects.toThrow(
    new StoreFailed('the database cannot be read: the server does not have what was committed'),
  );
});

test('after its connection is lost a read is asked again, unless it is part of a transaction', async () => {
  const lose = () =>
    admin.run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = 'bridge'`);
  const { reads } = await holding([[append('a', 0, 'one')]]);
  expect(await records(reads, 'a', 0, 1)).toEqual(['1:one']);
  await lose();
  expect(await records(reads, 'a', 0, 1)).toEqual(['1:one']);
  reads.renew();
  expect(await records(reads, 'a', 0, 1)).toEqual(['1:one']);
  await using connection = await connectToPrimary(server.place, 'process');
  const rows = await loadRows(admin, shard);
  const from = { place: server.place, shard, epoch: 1, rows, confirmed: () => 1 };
  const within = new Reads({ ...from, connection });
  await lose();
  await expect(within.records('a', 0, 1)).rejects.toThrow(/^the database cannot be read: /);
});

test('an owner that was replaced reads no more', async () => {
  const { reads } = await holding([[append('a', 0, 'one')]], { epoch: 7 });
  await expect(reads.records('a', 0, 1)).rejects.toThrow(PositionConflict);
});

test('a table that cannot be read is a failure at once, and a store that is closed reads nothing', async () => {
  const { reads } = await holding([[append('a', 0, 'one')]]);
  await admin.run('alter table causeway.records rename to hidden');
  await expect(reads.records('a', 0, 1)).rejects.toThrow(
    /^the database cannot be read: .*records.* does not exist/,
  );
  await admin.run('alter table causeway.hidden rename to records');
  expect(await reads.usedBytes()).toBeGreaterThan(8_192);
  await reads.close();
  await expect(reads.records('a', 0, 1)).rejects.toThrow('the store is closed');
});
