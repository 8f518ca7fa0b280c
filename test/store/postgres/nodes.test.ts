/** What nodes write and read about themselves and about accounts, on a real server. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { leaseMs, takeShard } from '../../../src/store/postgres/lease.ts';
import {
  type Announcement,
  announce,
  leaveCluster,
  NameTaken,
  type Place,
  placeAll,
  placesOf,
  removeNode,
  shardsOfStreams,
} from '../../../src/store/postgres/nodes.ts';
import { PostgresServer } from '../../support/postgres.ts';

let server: PostgresServer;
let admin: Connection;
let connection: Connection;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  connection = await connectToPrimary(server.place, 'power');
});

afterAll(async () => {
  for (const each of [admin, connection]) await each.close();
  await server.stop();
});

beforeEach(() => admin.run('delete from causeway.nodes; delete from causeway.placement'));

const about = (node: string, more: Partial<Announcement> = {}): Announcement => ({
  ...{ node, instance: `${node} first`, version: '1.0.0', isDraining: false },
  ...{ relay: '10.0.0.1:9890', fix: '10.0.0.1:9880', fixp: '', serving: ['a', 'b, c'] },
  ...more,
});

test('a node reads what all nodes say, its own words among them, and who owns the shards', async () => {
  await takeShard(connection, 'a', 0, { node: 'n1', address: '' });
  await announce(connection, about('n2', { isDraining: true, serving: [] }));
  const { nodes, shards } = await announce(connection, about('n1'));
  expect(nodes).toMatchObject([about('n1'), about('n2', { isDraining: true, serving: [] })]);
  for (const { ageMs } of nodes) expect(ageMs).toBeLessThan(leaseMs);
  expect(shards).toMatchObject([{ shard: 'a', node: 'n1', epoch: 1 }]);
  const again = await announce(connection, about('n1'));
  expect(again.nodes[0]?.renewedAt).not.toBe(nodes[0]?.renewedAt);
  expect(again.nodes[1]?.renewedAt).toBe(nodes[1]?.renewedAt);
});

test('the name of a node that is alive is not given to another process, and of a dead one it is', async () => {
  await announce(connection, about('n1'));
  const twin = about('n1', { instance: 'n1 second', fix: '10.0.0.9:9880' });
  await expect(announce(connection, twin)).rejects.toThrow(NameTaken);
  expect((await announce(connection, about('n1'))).nodes).toMatchObject([about('n1')]);
  await admin.run(
    `update causeway.nodes set renewed_at = clock_timestamp() - interval '2 seconds'`,
  );
  expect((await announce(connection, twin)).nodes).toMatchObject([twin]);
  await expect(announce(connection, about('n1'))).rejects.toThrow(NameTaken);
});

test('a node that leaves is gone at once, and only it can say so', async () => {
  await announce(connection, about('n1'));
  await leaveCluster(connection, about('n1', { instance: 'n1 second' }));
  const { nodes } = await announce(connection, about('n2'));
  expect(nodes.map(({ node }) => node)).toEqual(['n1', 'n2']);
  await leaveCluster(connection, about('n1'));
  expect((await announce(connection, about('n2'))).nodes.map(({ node }) => node)).toEqual(['n2']);
});

test('a node is removed once it has ended, and not before', async () => {
  await announce(connection, about('n1'));
  expect(await removeNode(connection, 'n1')).toBe('alive');
  await admin.run(
    `update causeway.nodes set renewed_at = clock_timestamp() - interval '2 seconds'`,
  );
  expect(await removeNode(connection, 'n1')).toBe('removed');
  expect(await removeNode(connection, 'n1')).toBe('unknown');
});

const place = (kind: Place['kind'], name: string, shard: string): Place => ({ kind, name, shard });

test('accounts and sessions stay where they were first; one that moved is told, and nothing else is placed', async () => {
  expect(
    await placeAll(connection, [place('account', 'x', 'a'), place('session', 'x', 'b')]),
  ).toEqual([]);
  expect(
    await placeAll(connection, [place('account', 'x', 'a'), place('account', 'y', 'a')]),
  ).toEqual([]);
  const moved = [
    place('account', 'x', 'b'),
    place('account', 'y', 'a'),
    place('account', 'z', 'a'),
  ];
  expect(await placeAll(connection, moved)).toEqual([place('account', 'x', 'a')]);
  expect(await placeAll(connection, [place('account', 'z', 'b')])).toEqual([]);
  expect(await placesOf(connection, ['x', 'y'], ['z'])).toEqual([
    place('account', 'x', 'a'),
    place('account', 'y', 'a'),
  ]);
});

test('two nodes that place an account in different shards at the same time do not both succeed', async () => {
  const other = await connectToPrimary(server.place, 'power');
  const found = await Promise.all([
    placeAll(connection, [place('account', 'x', 'a')]),
    placeAll(other, [place('account', 'x', 'b')]),
  ]);
  await other.close();
  expect(found.filter((moved) => moved.length === 0)).toHaveLength(1);
});

test('a journal is found in whichever shard it is', async () => {
  await admin.run(
    `insert into causeway.streams values ('gateway', 'desk/1', 0), ('a', 'desk/2', 0)`,
  );
  expect(await shardsOfStreams(connection, ['desk/1', 'desk/3'])).toEqual([
    { shard: 'gateway', stream: 'desk/1' },
  ]);
});

test('the role of the bridge cannot write a node or a place past the functions', async () => {
  for (const text of [
    `update causeway.nodes set node = 'n9'`,
    `delete from causeway.placement`,
    `insert into causeway.placement values ('account', 'x', 'b')`,
  ])
    await expect(connection.query({ text })).rejects.toThrow('permission denied');
});
