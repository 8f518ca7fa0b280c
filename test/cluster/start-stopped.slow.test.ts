/** A node that is stopped while its workers have taken their shards of the database, but do not serve them yet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectToPrimary } from '../../src/store/postgres/connection.ts';
import { listShards } from '../../src/store/postgres/lease.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
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

const taken = async () => {
  const connection = await connectToPrimary(server.place, 'process');
  const rows = await listShards(connection);
  await connection.close();
  return rows.map(({ epoch, isReleased }) => ({ epoch, isReleased }));
};

test('a node that is stopped during its start releases the shards that its workers have taken', async () => {
  // The start waits for a venue that is ready.
  const away = { kind: 'fail_before', status: 503, path: '/readiness', times: null };
  await fetch(`${stand.sandbox.info.adminUrl}/faults`, {
    method: 'POST',
    body: JSON.stringify(away),
  });
  const node = stand.node('n1');
  const both = (isReleased: boolean) => [
    { epoch: 1, isReleased },
    { epoch: 1, isReleased },
  ];
  await expect.poll(taken, { timeout: 40_000 }).toEqual(both(false));
  node.signal('SIGTERM');
  expect(await node.ended()).toBe(0);
  expect(node.said).not.toContain('is served by');
  expect(await taken()).toEqual(both(true));
});
