/** Two nodes with one database, of which one cannot reach the signer: the other one has all shards, and keeps them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards } from '../../src/store/postgres/lease.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';
import { Stand } from './stand.ts';

let server: PostgresServer;
let stand: Stand;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
});

afterAll(async () => {
  await stand.stop();
  await server.stop();
});

const owners = async () => {
  const connection = await connectToPrimary(server.place, 'process');
  const rows = await listShards(connection);
  await connection.close();
  return rows.map(({ epoch, node, shard }) => ({ epoch, node, shard }));
};

test('a node that cannot reach the signer takes no shard, not even a free one, and gets none from the other node', async () => {
  const file = stand.withDataDir('other');
  stand.change(file.replace('cluster.yaml', 'gateway.yaml'), {
    signer: { mode: 'process', socket: 'no-signer.sock' },
  });
  const n2 = stand.started(new RunProcess(file, ['--name', 'n2'], [], 'node'));
  await n2.says(/signer is not there yet: .*ENOENT/);
  expect(await owners()).toEqual([]);
  const n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  const served = ['desk-a', 'desk-b'].map((shard) => ({ epoch: 1, node: 'n1', shard }));
  expect(await owners()).toEqual(served);
  const text = /desk-. stays here: node n2 is not ready to serve it: the signer did not answer/;
  // A minute later n1 has two shards more than the other node.
  await expect.poll(() => n1.said, { timeout: 100_000 }).toMatch(text);
  expect(await owners()).toEqual(served);
  await n2.says(/this node, n2, is not ready to serve shard desk-.: the signer did not answer/);
});
