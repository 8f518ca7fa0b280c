/** Stores of earlier versions: all that could be read of them can be read of the log, and what is damaged is refused by name. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { logFolder, openLogStore } from '../../../src/store/log/log-store.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { causeway } from '../../support/program.ts';
import { append } from '../contract.ts';
import { exportedBefore, type KeptStore, keptStores, unpacked } from './kept-stores.ts';

const made: string[] = [];
afterAll(() => {
  for (const directory of made) rmSync(directory, { recursive: true });
});

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
  '%s: a copy of it says what the version said that wrote it, and so does the store after a start',
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

test('a crash while it is copied begins anew, and one before the old files are moved goes on', async () => {
  const { directory, path, open, exported, kept } = given('killed');
  const begun = `${logFolder(path)}.new`;
  mkdirSync(begun);
  writeFileSync(join(begun, '1-1.log'), 'a part');
  const store = await open();
  await store.commit([append('new', 0, 'one')]);
  await store.close();
  expect(existsSync(begun)).toBe(false);
  const after = await exported();
  rmSync(path);
  for (const name of readdirSync(kept)) renameSync(join(kept, name), join(directory, name));
  await (await open()).close();
  expect(await exported()).toBe(after);
  expect(readdirSync(kept)).toContain('gateway.db-front-1-0');
});

test('a store of either version beside the other is refused: nobody can say which one counts', async () => {
  const { path, open, kept } = given('closed');
  await (await open()).close();
  copyFileSync(join(kept, 'gateway.db'), path);
  await expect(open()).rejects.toThrow('move one of them away');
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

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
