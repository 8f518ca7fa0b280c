/** A kill switch and a shard that changes its owner in between, as processes with a database. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import { Stand } from './stand.ts';

let server: PostgresServer;
let stand: Stand;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  const store = { postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole } };
  stand = await Stand.open(() => ({ store, durability: 'power' }));
  const n1 = stand.node('n1');
  for (const shard of ['desk-a', 'desk-b']) await n1.says(new RegExp(`${shard} is served`));
  await stand.node('n2').says(/status on/);
});

afterAll(async () => {
  await stand.stop();
  await server.stop();
});

const ask = (name: string, action: string, ...more: readonly string[]) =>
  causeway('node', action, '--config', stand.clusterFile, '--name', name, ...more);

test('a shard whose owner hangs does not confirm, and its next owner does it as it begins', async () => {
  const { pid } = await stand.shard('desk-b');
  process.kill(pid, 'SIGSTOP');
  const { stdout } = await ask('n2', 'halt', '--why', 'wrong prices');
  expect(stdout).toMatch(/Shard desk-a confirms \(node n1/);
  // It never confirms: the node kills it when its lease is over, or when another node has the shard.
  await expect
    .poll(async () => (await ask('n1', 'acts')).stdout, { timeout: 60_000 })
    .toMatch(/Shard desk-b confirms \(node n[12]/);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect((await ask('n1', 'acts')).stdout).not.toContain('NOT confirmed');
});
