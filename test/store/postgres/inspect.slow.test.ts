/** What is wrong with a database is said before a bridge starts on it, each thing with what to do. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ledgerTables } from '../../../src/signer/ledger-tables.ts';
import type { Connection } from '../../../src/store/postgres/connection.ts';
import { type InspectOptions, inspectDatabase } from '../../../src/store/postgres/inspect.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';

let server: PostgresServer;
let admin: Connection;

beforeAll(async () => {
  server = await PostgresServer.start({ fsync: 'off' });
  admin = await server.admin('causeway');
  await admin.run(`grant pg_read_all_stats to ${bridgeRole}`);
});
beforeEach(async () => {
  await admin.run(`alter system reset all`);
  await admin.run(`alter database causeway set timezone = 'UTC'`);
  await admin.run('select pg_reload_conf()');
});
afterAll(async () => {
  await admin.close();
  await server.stop();
});

const found = (more: object = {}, options: Partial<InspectOptions> = {}) =>
  inspectDatabase(
    { ...server.place, ...more },
    { durability: 'power', isStrict: false, ...options },
  );

const off = (name: string) =>
  `${name} is off in the database, so a loss of power can destroy it: set ${name} = on`;
const noName =
  'no synchronous standby is configured, so a failover can lose what was confirmed: set synchronous_standby_names in the database, or durability: power';

test('with real money a weakness is a fault, otherwise a warning', async () => {
  expect(await found()).toEqual({ faults: [], warnings: [off('fsync')], mayPass: false });
  expect(await found({}, { isStrict: true })).toEqual({
    faults: [off('fsync')],
    warnings: [],
    mayPass: false,
  });
  const alone = await found({}, { durability: 'replicated' });
  expect(alone.warnings).toEqual([off('fsync'), noName]);
  const powerful = await found({ user: 'postgres' });
  expect(powerful.warnings).toEqual([
    expect.stringMatching(/^the role postgres can write past the functions \(a superuser/),
    off('fsync'),
  ]);
});

test('a role that owns a table or may write to it goes past the functions', async () => {
  await admin.run(`grant truncate on causeway.held to ${bridgeRole}`);
  const { warnings } = await found();
  expect(warnings[0]).toContain(`the role ${bridgeRole} can write past the functions`);
  await admin.run(`revoke truncate on causeway.held from ${bridgeRole}`);
  expect((await found()).warnings).toEqual([off('fsync')]);
});

test('a standby that is named and not there may only be late', async () => {
  await admin.run(`alter system set synchronous_standby_names = 'one'`);
  await admin.run('select pg_reload_conf()');
  const asked = () => found({}, { durability: 'replicated', isStrict: true });
  await expect
    .poll(async () => (await asked()).faults.at(-1))
    .toContain('no synchronous standby is connected, so every commit would wait');
  // The fault beside it will not pass.
  expect((await asked()).mayPass).toBe(false);
  expect((await found()).warnings).toEqual([off('fsync')]);
});

test('a zone other than UTC is a warning, also with real money', async () => {
  await admin.run(`alter database causeway set timezone = 'Europe/Berlin'`);
  const { warnings } = await found({}, { isStrict: true });
  expect(warnings).toEqual([
    `SQL shows times in the zone Europe/Berlin, the bridge writes UTC: alter database causeway set timezone = 'UTC'`,
  ]);
  await admin.run(`alter database causeway set timezone = 'Etc/UTC'`);
  expect((await found({}, { isStrict: true })).warnings).toEqual([]);
});

test('a database that cannot be reached may come back, one that refuses does not', async () => {
  const away = await found({ hosts: [{ host: '127.0.0.1', port: 1 }] });
  expect(away.faults).toEqual([
    expect.stringMatching(
      /^no primary of the database can be used \(.*ECONNREFUSED.*\): start the primary, or correct store\.postgres\.hosts$/,
    ),
  ]);
  expect(away.mayPass).toBe(true);
  const unknown = await found({ user: 'nobody' });
  expect(unknown.faults[0]).toMatch(/role "nobody".*pg_hba/);
  expect(unknown.mayPass).toBe(false);
  const nowhere = await found({ database: 'nowhere' });
  expect(nowhere.faults[0]).toMatch(
    /"nowhere".*: create the database, then run causeway store migrate$/,
  );
  expect(nowhere.mayPass).toBe(false);
  const ledger = await found({ database: 'nowhere' }, { tables: ledgerTables });
  expect(ledger.faults[0]).toContain(`then run ${ledgerTables.command}`);
});

test('a database that is being started may come back', async () => {
  await admin.run('alter database causeway connection limit 0');
  const { faults, mayPass } = await found();
  expect(faults[0]).toMatch(/: raise max_connections of the database: each bridge needs 3/);
  expect(mayPass).toBe(true);
  await admin.run('alter database causeway connection limit -1');
});

test('tables that the role lacks rights on, or that are of another version, are each one fault', async () => {
  const faults = async () => (await found()).faults;
  const noRights = [
    'the role lacks rights on the tables: run causeway store migrate again with their owner',
  ];
  await admin.run(`revoke select on causeway.held from ${bridgeRole}`);
  expect(await faults()).toEqual(noRights);
  await admin.run(`grant select on causeway.held to ${bridgeRole}`);
  await admin.run(`revoke usage on schema causeway from ${bridgeRole}`);
  expect(await faults()).toEqual(noRights);
  await admin.run(`grant usage on schema causeway to ${bridgeRole}`);
  expect(await faults()).toEqual([]);
  await admin.run(`insert into causeway.schema_version (version, file) values (99, 'later')`);
  expect(await faults()).toEqual([
    expect.stringMatching(/^the tables have version 99, written by a later version of the program/),
  ]);
  await admin.run('delete from causeway.schema_version');
  expect(await faults()).toEqual([
    expect.stringMatching(
      /^the tables have version 0 and this program needs \d+: run causeway store migrate$/,
    ),
  ]);
  await admin.run('drop schema causeway cascade');
  expect(await faults()).toEqual([
    'the database has no tables of causeway: run causeway store migrate with its owner',
  ]);
});
