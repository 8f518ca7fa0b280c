/** A store as tables: every kind of row, read back with SQL. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { writeTables } from '../../../src/cli/journal/tables.ts';
import { openLogStore } from '../../../src/store/log/log-store.ts';
import type { Write } from '../../../src/store/store.ts';

let directory: string;
let tables: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tables-'));
  tables = join(directory, 'tables.sqlite');
});

afterEach(() => rmSync(directory, { recursive: true }));

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** Writes each group as one commit, and opens the store as `causeway journal` does. */
async function storeOf(...commits: Write[][]): Promise<JournalFile> {
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  for (const writes of commits) await store.commit(writes);
  await store.close();
  return JournalFile.open(directory);
}

function exported(opened: JournalFile): { rows: number; all: (sql: string) => unknown[] } {
  using file = opened;
  const rows = writeTables(file, tables);
  const all = (sql: string) => {
    const database = new DatabaseSync(tables, { readOnly: true });
    const found = database.prepare(sql).all();
    database.close();
    return found;
  };
  return { rows, all };
}

const append = (stream: string, expected: number, text: string): Write => ({
  kind: 'append',
  stream,
  expected,
  payload: bytes(text),
});

test('each record of each stream is a row, with its bytes, and its text where it is text', async () => {
  const file = await storeOf(
    [append('desk/x', 0, '{"a":1}'), append('audit', 0, 'first')],
    [append('desk/x', 1, '\xff')],
  );
  const { all, rows } = exported(file);
  expect(rows).toBe(3);
  expect(all('SELECT * FROM journal ORDER BY stream, position')).toEqual([
    { stream: 'audit', position: 1, text: 'first', bytes: new Uint8Array(bytes('first')) },
    { stream: 'desk/x', position: 1, text: '{"a":1}', bytes: new Uint8Array(bytes('{"a":1}')) },
    { stream: 'desk/x', position: 2, text: null, bytes: new Uint8Array([0xff]) },
  ]);
});

test('a snapshot, a cursor, the numbers of a session, and its kept and held messages are rows', async () => {
  const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';
  const kept = ['8=FIX.4.4\x01a', '8=FIX.4.4\x01b'].map(bytes);
  const [first, second] = kept.map(({ length }) => length) as [number, number];
  const file = await storeOf(
    [append('desk/x', 0, 'one'), append('desk/x', 1, 'two')],
    [{ kind: 'snapshot', stream: 'desk/x', position: 2, payload: bytes('state') }],
    [
      { kind: 'numbers', session, nextIn: 7, nextOut: 10 },
      {
        kind: 'messages',
        session,
        firstSeq: 8,
        bytes: Buffer.concat(kept),
        ends: [first, first + second],
      },
      { kind: 'hold', session, position: 1, bytes: bytes('waits') },
      { kind: 'cursor', name: 'copies/day', value: 5 },
    ],
  );
  const { all } = exported(file);
  expect(all('SELECT stream, position, text FROM snapshots')).toEqual([
    { stream: 'desk/x', position: 2, text: 'state' },
  ]);
  expect(all('SELECT session, next_in, next_out, held_to FROM sessions')).toEqual([
    { session, next_in: 7, next_out: 10, held_to: 1 },
  ]);
  expect(all('SELECT session, seq, text FROM messages ORDER BY seq')).toEqual([
    { session, seq: 8, text: '8=FIX.4.4\x01a' },
    { session, seq: 9, text: '8=FIX.4.4\x01b' },
  ]);
  expect(all('SELECT session, position, text FROM held')).toEqual([
    { session, position: 1, text: 'waits' },
  ]);
  expect(all('SELECT * FROM cursors')).toEqual([{ name: 'copies/day', value: 5 }]);
});

test('a file that exists is not touched', async () => {
  writeFileSync(tables, 'mine');
  using file = await storeOf([append('desk/x', 0, 'one')]);
  expect(() => writeTables(file, tables)).toThrow(`there is a file ${tables}`);
  expect(readFileSync(tables, 'utf8')).toBe('mine');
});

test('a damaged record ends the export, and no half-filled file is left behind', async () => {
  const whole = await storeOf([append('desk/x', 0, 'the record')], [append('desk/x', 1, 'two')]);
  const folder = whole.path;
  whole[Symbol.dispose]();
  using opened = await JournalFile.open(directory);
  for (const name of readdirSync(folder)) {
    const content = readFileSync(join(folder, name));
    const at = content.indexOf('the record');
    if (at < 0) continue;
    content[at]! ^= 1;
    writeFileSync(join(folder, name), content);
  }
  expect(() => writeTables(opened, tables)).toThrow();
  expect(existsSync(tables)).toBe(false);
});
