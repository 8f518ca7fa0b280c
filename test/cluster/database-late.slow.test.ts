/** Nodes and bridges that start before their database, as after a loss of power. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { RunProcess } from '../support/run-process.ts';
import { Stand } from './stand.ts';

let server: PostgresServer;
let stand: Stand;

beforeAll(async () => {
  server = await PostgresServer.start();
  const hosts = [`127.0.0.1:${server.port}`];
  stand = await Stand.open(() => ({
    store: { postgres: { hosts, user: bridgeRole } },
    durability: 'power',
  }));
  await server.kill();
}, 120_000);

afterAll(async () => {
  await stand.stop();
  await server.stop();
}, 120_000);

const node = () => stand.started(new RunProcess(stand.clusterFile, ['--name', 'n1'], [], 'node'));
const waiting = /"event":"database_away".*waits for the database: no primary .*ECONNREFUSED/;

test('a node waits for a database that does not run yet, serves once it does, and when it is stopped takes back no shard', async () => {
  const stopped = node();
  await stopped.says(waiting);
  stopped.signal('SIGTERM');
  expect(await stopped.ended()).toBe(0);
  const started = node();
  await started.says(waiting);
  await server.run();
  await started.says(/the database can be used/);
  for (const shard of ['desk-a', 'desk-b']) await started.says(new RegExp(`${shard} is served`));
  const before = started.said.length;
  started.signal('SIGTERM');
  expect(await started.ended()).toBe(0);
  // The shard that it releases first is free while the other worker still stops.
  expect(started.said.slice(before)).not.toMatch(/is served|the worker of shard .* has ended/);
  await server.kill();
});

test('a node whose role has no connection left says so, and serves once it has one', async () => {
  await server.run();
  const admin = await server.admin();
  await admin.run(`alter role ${bridgeRole} connection limit 0`);
  const started = node();
  await started.says(/waits for the database: .*too many connections for role.*max_connections/);
  await admin.run(`alter role ${bridgeRole} connection limit -1`);
  await admin.close();
  for (const shard of ['desk-a', 'desk-b']) await started.says(new RegExp(`${shard} is served`));
  started.signal('SIGTERM');
  expect(await started.ended()).toBe(0);
  await server.kill();
});

test('a node whose database has a misspelt host waits, and its alarm names the host and the key', async () => {
  const hosts = ['db.misspelt.invalid:5432'];
  stand.change(stand.bridgeFile, { store: { postgres: { hosts, user: bridgeRole } } });
  const started = node();
  await started.says(
    /"alarm":true.*waits for the database: .*db\.misspelt\.invalid:5432: .*correct store\.postgres\.hosts/,
  );
  started.signal('SIGTERM');
  expect(await started.ended()).toBe(0);
});

test('so does a bridge as one process, and it is not waited for what only an operator can mend', async () => {
  stand.change(stand.bridgeFile, {
    store: {
      postgres: { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole, database: 'other' },
    },
  });
  const bridge = stand.bridge();
  await bridge.says(waiting);
  await server.run();
  await bridge.says(/database "other" does not exist/);
  expect(await bridge.ended()).toBe(1);
});
