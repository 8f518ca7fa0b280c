/** `causeway store` and the part of `causeway check` about the database, from outside. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { startSandbox } from '../../src/sandbox/server.ts';
import { openLogStore } from '../../src/store/log/log-store.ts';
import type { Connection } from '../../src/store/postgres/connection.ts';
import { inspectDatabase } from '../../src/store/postgres/inspect.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { answersOf, WriteMaker } from '../store/log/random-writes.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { bridgeRole, PostgresServer } from '../support/postgres.ts';
import { causeway } from '../support/program.ts';
import { sandboxProfile, writeQuickFiles } from '../support/quick-files.ts';

let server: PostgresServer;
let admin: Connection;
let directory: string;
let config: string;
const owner = { node: 'n1', address: '' };

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  directory = mkdtempSync(join(tmpdir(), 'causeway-store-'));
  const sandbox = await startSandbox({ seed: 1, profile: sandboxProfile, makers: false });
  const { accounts, baseUrl } = sandbox.info;
  config = await writeQuickFiles({
    directory,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    venueUrl: baseUrl,
    accounts,
    profileFile: join(import.meta.dirname, '../../dictionaries/venue.sandbox.yaml'),
    cancelOnDisconnect: false,
  });
  await sandbox.stop();
  const postgres = { hosts: [`127.0.0.1:${server.port}`], user: bridgeRole, shard: 'copied' };
  writeFileSync(config, stringify({ ...parse(readFileSync(config, 'utf8')), store: { postgres } }));
});

afterAll(async () => {
  await admin.close();
  await server.stop();
  rmSync(directory, { recursive: true });
});

const shardOptions = () =>
  ({ place: server.place, shard: 'copied', owner, durability: 'power' }) as const;

test('a data directory is copied into the database and back, and answers the same in each', async () => {
  const from = join(directory, 'from');
  const model = new MemoryStore();
  const maker = new WriteMaker();
  const log = await openLogStore({
    path: join(from, 'gateway.db'),
    durability: 'process',
    reserveBytes: 0,
  });
  for (let i = 0; i < 400; i += 1) {
    const writes = [maker.make((i * 7) % 12, (i * 131) % 2_000)];
    await Promise.all([log.commit(writes), model.commit(writes)]);
  }
  await log.close();
  const expected = await answersOf(model);

  const into = await causeway('store', 'copy', from, config);
  expect([into.status, into.stderr]).toEqual([0, '']);
  expect(into.stdout).toMatch(/^\d+ entries, compared: sha256 [0-9a-f]{64}\n$/);
  const store = await openPostgresStore(shardOptions());
  expect(await answersOf(store)).toEqual(expected);

  // It is in use.
  const busy = await causeway('store', 'copy', config, join(directory, 'back'));
  expect([busy.status, busy.stderr]).toEqual([
    1,
    'causeway store: shard copied is in use by n1: stop that process first\n',
  ]);
  await store.close();
  const again = await causeway('store', 'copy', from, config);
  expect([again.status, again.stderr]).toEqual([
    1,
    'causeway store: shard copied of the database has data: name one without\n',
  ]);

  // A bridge that ran there on the database left a note.
  const note = join(directory, 'back', 'gateway.db');
  mkdirSync(join(directory, 'back'));
  writeFileSync(note, 'The store is in shard copied of database causeway.\n');
  const back = await causeway('store', 'copy', config, join(directory, 'back'), '--json');
  expect(readFileSync(note, 'utf8')).toBe('The store is in gateway-log.\n');
  const { entries, sha256 } = JSON.parse(back.stdout);
  const asText = `${entries} entries, compared: sha256 ${sha256}\n`;
  expect([asText, back.stderr]).toEqual([into.stdout, '']);
  const path = join(directory, 'back', 'gateway.db');
  const copied = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  expect(await answersOf(copied)).toEqual(expected);
  await copied.close();
  const relay = join(directory, 'relay.yaml');
  const { signer: _, sessions, ...asRelay } = parse(readFileSync(config, 'utf8'));
  const readers = [{ ...sessions[0], role: 'drop-copy' }];
  writeFileSync(relay, stringify({ ...asRelay, roles: ['drop-copy'], sessions: readers }));
  const ofRelay = await causeway('store', 'copy', relay, join(directory, 'relay'));
  expect([ofRelay.stdout, ofRelay.stderr]).toEqual([asText, '']);
  expect(readdirSync(join(directory, 'relay')).toSorted()).toEqual(['relay-log', 'relay.db']);
  const full = await causeway('store', 'copy', config, join(directory, 'back'));
  expect([full.status === 0, full.stderr]).toEqual([
    false,
    expect.stringContaining('there is a store'),
  ]);
});

test('migrations are applied once, and name the files', async () => {
  const call = ['store', 'migrate', '--config', config, '--user', 'postgres'];
  expect((await causeway(...call)).stdout).toBe('the tables are complete\n');
  const asJson = await causeway(...call, '--json');
  expect([asJson.status, JSON.parse(asJson.stdout)]).toEqual([0, { applied: [] }]);
  await admin.run('drop schema causeway cascade');
  const { place } = server;
  const check = () => inspectDatabase(place, { durability: 'power', isStrict: false });
  expect((await check()).faults).toEqual([expect.stringContaining('causeway store migrate')]);
  expect((await causeway(...call)).stdout).toBe('0001-tables.sql\n0002-nodes.sql\n0003-acts.sql\n');
  expect(await check()).toMatchObject({
    faults: [],
    warnings: [expect.stringContaining('fsync is off')],
  });
});
