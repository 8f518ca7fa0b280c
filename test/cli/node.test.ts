/** `causeway node` with an action, as an operator calls it beside a running node. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { NodeServer } from '../../src/cluster/node-server.ts';
import { SmallNode } from '../cluster/small-node.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';

let small: SmallNode;
let server: NodeServer;

beforeAll(async () => {
  small = await SmallNode.make();
  await small.open();
  server = new NodeServer(small.node);
  await server.listenPrivately(join(small.directory, 'gateway', 'n1.sock'));
});

afterAll(async () => {
  await server.close();
  await small.close();
});

const call = (action: string, ...more: string[]) =>
  causeway('node', action, '--config', small.clusterFile, ...more);

test('what a node refuses is a failure with its reason, and what it answers is JSON where it was asked for', async () => {
  const refused = await call('accept', '--name', 'n1', '--json');
  const error = expect.stringContaining('no shard has lost commits');
  expect([refused.status, JSON.parse(refused.stderr)]).toMatchObject([1, { error }]);
  const status = await call('status', '--name', 'n1', '--json');
  expect(JSON.parse(status.stdout)).toMatchObject([{ name: 'desk-a' }, { name: 'desk-b' }]);
  expect((await call('status', '--name', 'n1')).stdout).toBe(status.stdout);
  const drained = await call('drain', '--name', 'n1', '--json');
  expect(JSON.parse(drained.stdout)).toEqual({ node: 'n1', text: 'drained' });
  expect((await call('drain', '--name', 'n1')).stdout).toBe('drained\n');
});

test('a node that has ended is removed from the database, once', async () => {
  const database = await PostgresServer.start({ fsync: 'off' });
  const admin = await database.admin('causeway');
  const file = join(small.directory, 'gateway.yaml');
  const postgres = { hosts: [`127.0.0.1:${database.port}`], user: bridgeRole };
  writeFileSync(file, stringify({ ...parse(readFileSync(file, 'utf8')), store: { postgres } }));
  await admin.run(
    `insert into causeway.nodes values ('n3', 'first', '', '', '', '1', false, '{}', now() - interval '1 hour')`,
  );
  await admin.close();
  const removed = await call('remove', '--name', 'n3', '--json');
  expect([removed.status, JSON.parse(removed.stdout)]).toEqual([0, { node: 'n3', removed: true }]);
  expect((await call('remove', '--name', 'n3')).stderr).toContain('has no node n3');
  await database.stop();
});
