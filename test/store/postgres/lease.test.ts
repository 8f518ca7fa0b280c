import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import {
  isFree,
  leaseMs,
  listShards,
  markOwner,
  releaseShard,
  renewShard,
  takeShard,
} from '../../../src/store/postgres/lease.ts';
import { Primary } from '../../../src/store/postgres/primary.ts';
import { PostgresServer } from '../../support/postgres.ts';

let server: PostgresServer;
let admin: Connection;
let connection: Connection;
const first = { node: 'n1', address: '10.0.0.1:7001' };
const second = { node: 'n2', address: '10.0.0.2:7001' };

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  connection = await connectToPrimary(server.place, 'power');
});

afterAll(async () => {
  for (const each of [admin, connection]) await each.close();
  await server.stop();
});

const rowOf = async (shard: string) =>
  (await listShards(connection)).find((row) => row.shard === shard);

/** As if the owner had renewed so long ago. */
const renewedBefore = (shard: string, ms: number) =>
  admin.query({
    text: `update causeway.shards set renewed_at = clock_timestamp() - $2::interval where shard = $1`,
    values: [shard, `${ms} milliseconds`],
  });

test('a shard that nobody has owned is taken once, by the one who is first', async () => {
  const other = await connectToPrimary(server.place, 'power');
  const taken = await Promise.all([
    takeShard(connection, 'a', 0, first),
    takeShard(other, 'a', 0, second),
  ]);
  await other.close();
  expect(taken.filter((each) => each !== undefined)).toMatchObject([{ epoch: 1, position: 0 }]);
  expect(await rowOf('a')).toMatchObject({ epoch: 1, isReleased: false });
});

test('a valid lease is not taken; an expired or released one is, by one who saw the epoch', async () => {
  await takeShard(connection, 'b', 0, first);
  expect(await takeShard(connection, 'b', 1, second)).toBeUndefined();
  await renewedBefore('b', leaseMs + 100);
  expect(isFree((await rowOf('b'))!)).toBe(true);
  expect(await takeShard(connection, 'b', 0, second)).toBeUndefined();
  expect(await takeShard(connection, 'b', 1, second)).toMatchObject({ epoch: 2 });
  expect(await rowOf('b')).toMatchObject({ ...second, epoch: 2 });
  expect(isFree((await rowOf('b'))!)).toBe(false);
  await releaseShard(connection, 'b', 2);
  expect(isFree((await rowOf('b'))!)).toBe(true);
  expect(await takeShard(connection, 'b', 2, first)).toMatchObject({ epoch: 3 });
});

test('a renewal keeps the lease, and an owner of an earlier epoch can neither renew nor release', async () => {
  await takeShard(connection, 'c', 0, first);
  await renewedBefore('c', leaseMs + 100);
  expect(await renewShard(connection, 'c', 1)).toMatchObject({ position: 0, isReplicated: false });
  expect(await takeShard(connection, 'c', 1, second)).toBeUndefined();
  expect(await takeShard(connection, 'c', 1, second, true)).toMatchObject({ epoch: 2 });
  expect(await renewShard(connection, 'c', 1)).toBeUndefined();
  await releaseShard(connection, 'c', 1);
  expect(isFree((await rowOf('c'))!)).toBe(false);
});

test('a lease from the future, as a server with a slow clock sees it, holds nobody up', async () => {
  await takeShard(connection, 'd', 0, first);
  await renewedBefore('d', -3_600_000);
  expect(isFree((await rowOf('d'))!)).toBe(true);
  expect(await takeShard(connection, 'd', 1, second)).toMatchObject({ epoch: 2 });
});

test('an owner whose renewal waits in the database is seen to wait, and one that says nothing is not', async () => {
  const own = await connectToPrimary(server.place, 'power');
  await takeShard(own, 'e', 0, first);
  await markOwner(own, 'e', 1);
  expect(await rowOf('e')).toMatchObject({ isConnected: true, isWaiting: false });
  await admin.run('begin; lock table causeway.shards in share mode');
  const renewed = renewShard(own, 'e', 1);
  await expect.poll(() => rowOf('e')).toMatchObject({ isConnected: true, isWaiting: true });
  await admin.run('rollback');
  await renewed;
  expect(await rowOf('e')).toMatchObject({ isConnected: true, isWaiting: false });
  await own.close();
  await expect.poll(() => rowOf('e')).toMatchObject({ isConnected: false, isWaiting: false });
});

test('names are parameters, whatever is in them', async () => {
  const name = `'; drop table causeway.shards; --`;
  expect(await takeShard(connection, name, 0, { node: name, address: name })).toBeDefined();
  expect(await rowOf(name)).toMatchObject({ node: name, address: name });
});

test('the role of the bridge reads the tables and cannot write past the functions', async () => {
  for (const text of [
    `update causeway.shards set epoch = 1`,
    `delete from causeway.records`,
    `insert into causeway.cursors values ('a', 'b', 1)`,
    `create table causeway.own (id int)`,
  ]) {
    await expect(connection.query({ text })).rejects.toThrow('permission denied');
  }
});

test('queries to the primary are answered again after it was unreachable', async () => {
  const primary = new Primary({ place: server.place });
  const before = await primary.ask(listShards);
  expect(before.length).toBeGreaterThan(0);
  await server.kill();
  await expect(primary.ask(listShards)).rejects.toThrow();
  await server.run();
  await expect.poll(() => primary.ask(listShards).catch(() => [])).toHaveLength(before.length);
  await primary.close();
});
