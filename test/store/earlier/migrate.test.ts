/** Stores of earlier versions: all that could be read of them can be read of the log, and what is damaged is refused by name. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { developmentAccounts } from '../../../src/sandbox/development-accounts.ts';
import { nobleEcdsa } from '../../../src/signer/ecdsa.ts';
import { migrate } from '../../../src/store/earlier/migrate.ts';
import { realDisk } from '../../../src/store/log/disk.ts';
import { defaultStoreLimits, logFolder, openLogStore } from '../../../src/store/log/log-store.ts';
import { leaveNote } from '../../../src/store/note.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { causeway } from '../../support/program.ts';
import { quickProfile, sandboxProfile, writeQuickFiles } from '../../support/quick-files.ts';
import { append } from '../contract.ts';
import { CrashingDisk } from './crashing-disk.ts';
import { exportedBefore, type KeptStore, keptStores, unpacked } from './kept-stores.ts';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true });
});

const options = { ...defaultStoreLimits, isSynced: false };

function given(name: KeptStore) {
  const directory = unpacked(name);
  made.push(directory);
  const path = join(directory, 'gateway.db');
  const told: string[] = [];
  const onMigrated = (kept: string) => void told.push(kept);
  const open = () =>
    openLogStore({ path, durability: 'process', reserveBytes: 0, segmentBytes: 4_096, onMigrated });
  const exported = async () => (await causeway('journal', 'export', directory)).stdout;
  return { directory, path, told, open, exported, kept: join(directory, 'before-log') };
}

test.each(Object.keys(keptStores) as KeptStore[])(
  '%s: a copy of it exports what the version that wrote it exported, and so does the store after a start',
  async (name) => {
    const { directory, path, told, open, exported, kept } = given(name);
    const files = readdirSync(directory).map((file) => [file, readFileSync(join(directory, file))]);
    const before = exportedBefore(name);
    expect(await exported()).toBe(before);
    expect(readdirSync(directory)).toEqual(files.map(([file]) => file));
    for (const [file, bytes] of files) {
      expect(readFileSync(join(directory, String(file))).equals(bytes as Buffer)).toBe(true);
    }
    await (await open()).close();
    expect(told).toEqual([kept]);
    expect(await exported()).toBe(before);
    expect(readdirSync(kept)).toContain('gateway.db');
    expect(readFileSync(path, 'utf8')).toBe(
      'The store is in gateway-log. What an earlier version wrote is in before-log.\n',
    );
    const again = await open();
    await again.commit([append('new', 0, 'goes on')]);
    await again.close();
    expect(told).toHaveLength(1);
    expect((await causeway('journal', 'verify', directory)).status).toBe(0);
  },
);

test('after a crash at any change of the disk the next start has all of the old store and keeps its files', async () => {
  const whole = given('killed');
  const log = new CrashingDisk();
  await migrate(whole.path, logFolder(whole.path), options, log);
  const marked = log.changes.findIndex((change) => change.includes('moving-old-files'));
  // Before the marker everything is in a folder that the next start empties, and a sync changes nothing that a process sees.
  const points = [...log.changes.keys()]
    .slice(marked)
    .filter((at) => !log.changes[at]?.startsWith('sync'));
  expect(points.length).toBeGreaterThan(8);
  for (const at of [5, ...points]) {
    const { directory, path, open, exported, kept } = given('killed');
    const disk = new CrashingDisk(at);
    await expect(migrate(path, logFolder(path), options, disk)).rejects.toThrow('died');
    await (await open()).close();
    const after = `after ${log.changes[at]}`;
    expect(await exported(), after).toBe(exportedBefore('killed'));
    const names = ['gateway.db', 'gateway.db-front-1-0', 'gateway.db-front-1-1'];
    expect(readdirSync(kept).sort(), after).toEqual(names);
    expect(readdirSync(directory).sort(), after).toEqual([
      'before-log',
      'gateway-log',
      'gateway.db',
    ]);
    expect(readdirSync(logFolder(path)).filter((name) => !/^\d/.test(name))).toEqual([]);
  }
});

test('the marker is on the disk before the copy becomes the log, and goes after the old files are moved', async () => {
  const { path } = given('killed');
  const folder = logFolder(path);
  const disk = new CrashingDisk();
  await migrate(path, folder, options, disk);
  const changes = disk.changes.map((change) => change.replace(/\.new-[0-9a-f]+/, '.new'));
  const at = (change: string) => {
    expect(changes).toContain(change);
    return changes.lastIndexOf(change);
  };
  const order = [
    `write ${folder}.new/moving-old-files`,
    `sync ${folder}.new/moving-old-files`,
    `syncDirectory ${folder}.new`,
    `rename ${folder}.new`,
    `rename ${path}-front-1-0`,
    `sync ${path}.new`,
    `rename ${path}`,
    `rename ${path}.new`,
    `syncDirectory ${dirname(path)}`,
    `remove ${folder}/moving-old-files`,
  ].map(at);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});

test('a database beside a log that is no copy of it is refused, and both stay as they are', async () => {
  for (const isMigrated of [false, true]) {
    const { directory, path, open, exported } = given('closed');
    const backup = join(directory, 'backup');
    renameSync(path, backup);
    if (isMigrated) copyFileSync(backup, path);
    const store = await open();
    await store.commit([append('new', 0, 'one')]);
    await store.close();
    const before = await exported();
    rmSync(join(directory, 'before-log'), { recursive: true, force: true });
    copyFileSync(backup, path);
    await expect(open()).rejects.toThrow(
      `${path} is a store of an earlier version, and ${logFolder(path)} is another store: move the one`,
    );
    expect(readFileSync(path).equals(readFileSync(backup))).toBe(true);
    expect(existsSync(join(directory, 'before-log'))).toBe(false);
    for (const verb of [['journal', 'export'], ['replay']]) {
      const { status, stderr } = await causeway(...verb, directory);
      expect([verb, status]).toEqual([verb, 1]);
      expect(stderr).toContain('is another store');
    }
    // A log that is named is read.
    expect((await causeway('journal', 'export', logFolder(path))).stdout).toBe(before);
    rmSync(path);
    await (await open()).close();
    expect(await exported()).toBe(before);
  }
});

test('a database that changed after it was copied is not taken for the one in the log', async () => {
  const { path, open } = given('closed');
  const disk = new CrashingDisk('makeDirectory before-log');
  await migrate(path, logFolder(path), options, disk).catch(() => {});
  expect(disk.hasCrashed).toBe(true);
  edit(path, "UPDATE cursors SET value = value + 1, crc = crc + 1 WHERE name = 'a'");
  await expect(open()).rejects.toThrow('is another store');
});

test('a marker without its database is removed, and nothing is reported as copied', async () => {
  const { path, open, told, exported } = given('closed');
  const disk = new CrashingDisk('makeDirectory before-log');
  await migrate(path, logFolder(path), options, disk).catch(() => {});
  const before = await exported();
  rmSync(path);
  await (await open()).close();
  expect(readdirSync(logFolder(path))).not.toContain('moving-old-files');
  expect([told, await exported()]).toEqual([[], before]);
  expect(readFileSync(path, 'utf8')).toBe('The store is in gateway-log.\n');
});

test('files of an earlier migration are not overwritten, and none is left behind there', async () => {
  for (const name of ['gateway.db', 'gateway.db-front-1-0']) {
    const { path, open, kept } = given('killed');
    mkdirSync(kept);
    writeFileSync(join(kept, name), 'kept before');
    await expect(open()).rejects.toThrow(`${join(kept, name)} is left of one`);
    expect(readFileSync(join(kept, name), 'utf8')).toBe('kept before');
    expect(existsSync(logFolder(path))).toBe(false);
  }
});

test('a note does not replace the store of an earlier version', async () => {
  const { path } = given('closed');
  const before = readFileSync(path);
  await leaveNote(path, 'shard gateway of database causeway', realDisk);
  expect(readFileSync(path)).toEqual(before);
  expect(existsSync(`${path}.new`)).toBe(false);
});

test('a log without the note gets it at the next start, also after a crash within the first', async () => {
  const { path, open } = given('closed');
  await (await open()).close();
  rmSync(join(path, '../before-log'), { recursive: true });
  for (const left of [undefined, '']) {
    rmSync(path);
    if (left !== undefined) writeFileSync(path, left);
    writeFileSync(`${path}.new`, 'The st');
    await (await open()).close();
    expect(readFileSync(path, 'utf8')).toBe('The store is in gateway-log.\n');
    expect(existsSync(`${path}.new`)).toBe(false);
  }
});

test('a store of a relay and its reserve are treated the same', async () => {
  const { directory, path } = given('closed');
  const relay = join(directory, 'relay.db');
  renameSync(path, relay);
  writeFileSync(`${relay}-reserve`, 'room');
  const store = openLogStore({ path: relay, durability: 'process', reserveBytes: 4 });
  await (await store).close();
  expect(readdirSync(directory).sort()).toEqual([
    'before-log',
    'relay-log',
    'relay.db',
    'relay.db-reserve',
  ]);
  rmSync(join(directory, 'before-log'), { recursive: true });
  edit(relay, 'CREATE TABLE other (a)', true);
  const again = openLogStore({ path: relay, durability: 'process', reserveBytes: 0 });
  await expect(again).rejects.toThrow('is another store');
});

test('"causeway run" names the store that is in the way, and leaves both', async () => {
  const { directory, path, open } = given('closed');
  await (await open()).close();
  copyFileSync(join(directory, 'before-log', 'gateway.db'), path);
  const demo = mkdtempSync(join(tmpdir(), 'causeway-migrate-'));
  made.push(demo);
  const config = await writeQuickFiles({
    directory: demo,
    seed: 1,
    fixHost: '127.0.0.1',
    fixPort: 0,
    fixpPort: 0,
    venueUrl: 'http://127.0.0.1:9',
    profileFile: quickProfile(demo),
    accounts: developmentAccounts({ profile: sandboxProfile, seed: 1 }, nobleEcdsa(), 2),
    cancelOnDisconnect: false,
  });
  const dataDir = join(demo, 'gateway');
  cpSync(directory, dataDir, { recursive: true });
  const names = () =>
    readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('gateway.lock'))
      .sort();
  const before = names();
  const { status, stderr } = await causeway('run', '--config', config);
  expect(status).toBe(1);
  expect(stderr).toContain(`${join(dataDir, 'gateway.db')} is a store of an earlier version, and`);
  expect(stderr).toContain('Nothing was changed.');
  expect(names()).toEqual(before);
});

test('a file of version 1 has no files in front of its tables', async () => {
  const { path, open, exported } = given('closed');
  edit(path, 'DROP TABLE front; PRAGMA user_version = 1');
  await (await open()).close();
  expect(await exported()).toBe(exportedBefore('closed'));
});

test('a file of a later schema is refused, and one that is no store', async () => {
  const { path, open } = given('closed');
  edit(path, 'PRAGMA user_version = 99');
  await expect(open()).rejects.toThrow('schema version 99');
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  await expect(open()).rejects.toThrow(path);
});

test.each([
  ["UPDATE journal SET payload = CAST('x' AS BLOB) WHERE position = 110", 'record 110 of stream b'],
  [
    "DELETE FROM journal WHERE stream = 'b' AND position = 110",
    'record 110 of stream b: it is missing',
  ],
  ['UPDATE messages SET bytes = zeroblob(length(bytes)) WHERE first_seq = 1', 'messages from 1 of'],
  ['UPDATE sessions SET next_in = 1234', 'the numbers of session A'],
  ['UPDATE snapshots SET position = 3', 'the snapshot of stream'],
  ['UPDATE cursors SET value = 1', 'cursor a'],
  ['UPDATE held SET bytes = zeroblob(1)', 'held message'],
  ['UPDATE front SET carried = carried + 1', 'the row of the front file'],
])(
  'after «%s» it is not copied, the fault names %s, and the old store stays',
  async (sql, record) => {
    const { directory, path, open } = given('closed');
    edit(path, sql);
    const opening = open();
    await expect(opening).rejects.toThrow(CorruptRecord);
    await expect(opening).rejects.toThrow(record);
    expect(existsSync(logFolder(path))).toBe(false);
    expect(readdirSync(directory)).toContain('gateway.db');
  },
);

test('a damaged commit in front of the tables with durable ones behind it is refused by its number', async () => {
  const { directory, open } = given('killed');
  const front = join(directory, 'gateway.db-front-1-0');
  const bytes = readFileSync(front);
  bytes[Math.floor(0.9 * bytes.length)]! ^= 1;
  writeFileSync(front, bytes);
  await expect(open()).rejects.toThrow(/-front-1-0, record \d+: it is damaged and durable records/);
});

test('tables that are older than a file in front of them are refused, by its name', async () => {
  const { directory, open } = given('closed');
  const front = join(directory, 'gateway.db-front-3-0');
  writeFileSync(front, 'of a later opening');
  await expect(open()).rejects.toThrow(`older copy: ${front}`);
});

function edit(path: string, sql: string, isNew = false): void {
  if (isNew) rmSync(path);
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
