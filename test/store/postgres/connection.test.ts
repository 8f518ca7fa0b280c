/** What the meaning of a commit depends on: the primary, its settings, and when a statement counts as done. */
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Connection,
  ConnectionLost,
  connectToPrimary,
  nameOf,
} from '../../../src/store/postgres/connection.ts';
import { listShards, takeShard } from '../../../src/store/postgres/lease.ts';
import { placeKeys, placeOf } from '../../../src/store/postgres/place-config.ts';
import { PostgresServer } from '../../support/postgres.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let admin: Connection;
const owner = { node: 'n1', address: '' };

const directory = mkdtempSync(join(tmpdir(), 'hba-'));
const hbaFile = join(directory, 'pg_hba.conf');

beforeAll(async () => {
  chmodSync(directory, 0o755);
  const all = ['all', 'replication'].map((what) => `host ${what} all 127.0.0.1/32 trust`);
  writeFileSync(hbaFile, all.join('\n'));
  primary = await PostgresServer.start({ fsync: 'off', hba_file: hbaFile });
  standby = await primary.standby({ fsync: 'off' });
  admin = await primary.admin('causeway');
});

afterAll(async () => {
  await admin.close();
  for (const each of [standby, primary]) await each.stop();
  rmSync(directory, { recursive: true });
});

const both = () => ({
  ...primary.place,
  hosts: [standby, primary].flatMap((each) => each.place.hosts),
});

async function synchronous(names: string): Promise<void> {
  await admin.run(`alter system set synchronous_standby_names = '${names}'`);
  await admin.run('select pg_reload_conf()');
  const sees = async () =>
    (
      await admin.query<{ names: string }>({
        text: `select current_setting('synchronous_standby_names') as names`,
      })
    )[0]?.names;
  await expect.poll(sees).toBe(names);
}

test('of several hosts the primary is used, wherever it is in the list', async () => {
  const connection = await connectToPrimary(both(), 'power');
  expect(connection.at.port).toBe(primary.port);
  await connection.close();
});

test('without a primary the error names each host and why', async () => {
  const nobody = { host: '127.0.0.1', port: 1 };
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const hosts = [...standby.place.hosts, nobody, { host: '127.0.0.1', port }];
  const failure = connectToPrimary({ ...primary.place, hosts }, 'power');
  await expect(failure).rejects.toThrow(ConnectionLost);
  await expect(failure).rejects.toThrow(`127.0.0.1:${standby.port}: is a standby`);
  await expect(failure).rejects.toThrow('127.0.0.1:1: connect ECONNREFUSED');
  await expect(failure).rejects.toThrow(`127.0.0.1:${port}: no answer within 1000 ms`);
  silent.close();
});

test('a server of an earlier timeline is refused, and keeps no connection however often it is asked', async () => {
  const count = async () =>
    (
      await admin.query<{ pid: number }>({
        text: `select pid from pg_stat_activity where usename = 'bridge'`,
      })
    ).length;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const failure = connectToPrimary(primary.place, 'power', { timeline: 2 });
    await expect(failure).rejects.toThrow('is not the primary any more');
  }
  await expect.poll(count).toBe(0);
});

test('an integer of eight bytes is a number, and one of any length is text', async () => {
  const text = 'select 9007199254740991::bigint as long, 18446744073709551615::numeric as longer';
  const rows = await admin.query({ text });
  expect(rows).toEqual([{ long: Number.MAX_SAFE_INTEGER, longer: '18446744073709551615' }]);
});

test('a database that is read-only is not the primary', async () => {
  await admin.run('alter database causeway set default_transaction_read_only = on');
  await expect(connectToPrimary(primary.place, 'power')).rejects.toThrow('is read-only');
  await admin.run('set default_transaction_read_only = off');
  await admin.run('alter database causeway reset default_transaction_read_only');
});

test('a statement is not done before the standby has it, and a wait that is canceled is a lost reply', async () => {
  await synchronous('*');
  const connection = await connectToPrimary(primary.place, 'replicated');
  expect(await takeShard(connection, 'a', 0, owner)).toBeDefined();
  standby.pause();
  const outcome: string[] = [];
  const taken = takeShard(connection, 'b', 0, owner).then(
    () => outcome.push('done'),
    (error) => outcome.push(error.message),
  );
  const waiting = async () =>
    (
      await admin.query<{ pid: number }>({
        text: `select pid from pg_stat_activity where wait_event = 'SyncRep'`,
      })
    ).length;
  await expect.poll(waiting).toBe(1);
  expect(outcome).toEqual([]);
  await admin.run(
    `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
  );
  await taken;
  expect(outcome).toEqual([expect.stringContaining('canceling wait for synchronous replication')]);
  expect(connection.lost).toBeInstanceOf(ConnectionLost);
  // The primary commits it all the same, a moment after its warning.
  await expect.poll(() => listShards(admin)).toHaveLength(2);
  standby.resume();
  await synchronous('');
});

test('what the role has as its defaults does not change what a commit means', async () => {
  await admin.run(`alter role bridge set synchronous_commit = off`);
  await admin.run(`alter role bridge set client_min_messages = error`);
  const connection = await connectToPrimary(primary.place, 'replicated');
  const text = `select current_setting('synchronous_commit') || ' ' || current_setting('client_min_messages') as found`;
  expect(await connection.query({ text })).toEqual([{ found: 'on warning' }]);
  await connection.close();
});

test('a wrong password is not in the error', async () => {
  const place = { ...primary.place, user: 'nobody', secrets: () => ({ password: 'very-secret' }) };
  const failure = await connectToPrimary(place, 'power').catch((error) => error);
  expect(String(failure.stack)).toContain('nobody');
  expect(String(failure.stack)).not.toContain('very-secret');
});

test('a password that was changed while the process runs is used for the next connection', async () => {
  const passwordFile = join(directory, 'password');
  const change = (password: string) => writeFileSync(passwordFile, password, { mode: 0o600 });
  change('old');
  const hosts = primary.place.hosts.map(nameOf);
  const keys = placeKeys('bridge', 'causeway', 'causeway store migrate');
  const place = placeOf(
    z.strictObject(keys).parse({ hosts, user: 'bridge', passwordFile }),
    String,
  );
  writeFileSync(
    hbaFile,
    'host all postgres 127.0.0.1/32 trust\nhost all bridge 127.0.0.1/32 scram-sha-256\n',
  );
  await admin.run(`alter role bridge password 'new'`);
  await admin.run('select pg_reload_conf()');
  const connected = async () => (await connectToPrimary(place, 'power')).close();
  const refused = () => connected().then(String, String);
  await expect.poll(refused).toContain('password authentication failed for user "bridge"');
  change('new');
  await connected();
});
