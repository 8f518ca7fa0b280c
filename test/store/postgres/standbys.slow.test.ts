import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Connection, connectToPrimary } from '../../../src/store/postgres/connection.ts';
import { replicationOf } from '../../../src/store/postgres/standbys.ts';
import { bridgeRole, PostgresServer } from '../../support/postgres.ts';

let primary: PostgresServer;
let standby: PostgresServer | undefined;
let admin: Connection;
let connection: Connection;

beforeAll(async () => {
  primary = await PostgresServer.start({ fsync: 'off' });
  admin = await primary.admin('causeway');
  connection = await connectToPrimary(primary.place, 'process');
});
afterAll(async () => {
  await connection.close();
  await admin.close();
  await standby?.stop();
  await primary.stop();
});

test('a role that may not see standbys knows nothing of them, which is not the same as none', async () => {
  expect(await replicationOf(connection)).toEqual({ isReplicated: false, standbys: null });
  await admin.run(`grant pg_read_all_stats to ${bridgeRole}`);
  expect(await replicationOf(connection)).toEqual({ isReplicated: false, standbys: [] });
});

test('a standby is listed, and commits wait for it once the server names it', async () => {
  standby = await primary.standby();
  const one = { name: 'walreceiver', lagBytes: 0 };
  await expect
    .poll(() => replicationOf(connection))
    .toEqual({ isReplicated: false, standbys: [{ ...one, syncState: 'async' }] });
  await admin.run(`alter system set synchronous_standby_names = '*'`);
  await admin.run('select pg_reload_conf()');
  await expect
    .poll(() => replicationOf(connection))
    .toEqual({ isReplicated: true, standbys: [{ ...one, syncState: 'sync' }] });
});

test('a standby that does not write is behind by what the primary wrote since', async () => {
  standby?.pause();
  await admin.run(
    `set synchronous_commit = 'local'; create table grown as select generate_series(1, 10000)`,
  );
  const lag = async () => (await replicationOf(connection)).standbys?.[0]?.lagBytes;
  await expect.poll(lag).toBeGreaterThan(100_000);
  standby?.resume();
  await expect.poll(lag).toBe(0);
});

test('commits wait for a standby that is gone, which the setting says', async () => {
  await standby?.kill();
  await expect.poll(() => replicationOf(connection)).toEqual({ isReplicated: true, standbys: [] });
});
