import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { actsAfter, addAct, lastRecords } from '../../../src/store/postgres/acts.ts';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { openPostgresStore } from '../../../src/store/postgres/postgres-store.ts';
import { PostgresServer } from '../../support/postgres.ts';
import { append } from '../contract.ts';

let server: PostgresServer;
let admin: Connection;
/** As a node has it. */
let connection: Connection;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  connection = await connectToPrimary(server.place, 'process');
});
beforeEach(() => admin.run('delete from causeway.acts'));
afterAll(async () => {
  await connection.close();
  await admin.close();
  await server.stop();
});

const kill = { kind: 'kill', scope: { all: true }, why: 'wrong "prices"' };

test('an act is there once, however often it was sent, and keeps its first form', async () => {
  const first = await addAct(connection, 'a', kill);
  expect(await addAct(connection, 'a', { kind: 'other' })).toEqual(first);
  expect(await actsAfter(connection, 0)).toEqual([{ ...first, act: kill }]);
  expect(first.atMs).toBeGreaterThan(Date.UTC(2024, 0));
});

test('acts come in the order of their numbers, from the one after that which was asked for', async () => {
  const ids: number[] = [];
  for (const uid of ['c', 'a', 'b']) ids.push((await addAct(connection, uid, { uid })).id);
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  const [first = 0, , last = 0] = ids;
  const after = async (id: number) => (await actsAfter(connection, id)).map(({ act }) => act);
  expect(await after(first - 1)).toEqual([{ uid: 'c' }, { uid: 'a' }, { uid: 'b' }]);
  expect(await after(first)).toEqual([{ uid: 'a' }, { uid: 'b' }]);
  expect(await after(last)).toEqual([]);
});

test('the last records of a stream are those of each shard, the oldest first, and of no other stream', async () => {
  for (const [shard, count] of [
    ['west', 3],
    ['east', 1],
    ['none', 0],
  ] as const) {
    const owner = { node: 'n1', address: '' };
    const store = await openPostgresStore({
      place: server.place,
      shard,
      owner,
      durability: 'process',
    });
    await store.commit([append('other', 0, 'x')]);
    for (let i = 0; i < count; i += 1) await store.commit([append('acts', i, `${shard} ${i + 1}`)]);
    await store.close();
  }
  const last = async (limit: number) =>
    (await lastRecords(connection, 'acts', limit)).map(({ shard, payload }) => [
      shard,
      Buffer.from(payload).toString(),
    ]);
  expect(await last(2)).toEqual([
    ['east', 'east 1'],
    ['west', 'west 2'],
    ['west', 'west 3'],
  ]);
  expect(await last(1)).toEqual([
    ['east', 'east 1'],
    ['west', 'west 3'],
  ]);
});
