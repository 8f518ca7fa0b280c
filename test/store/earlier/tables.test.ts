/** The tables of earlier versions are read as they were written, or refused by the record that is not. */
import { rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { EarlierTables } from '../../../src/store/earlier/tables.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { unpacked } from './kept-stores.ts';

const directories: string[] = [];
const given = () => {
  const directory = unpacked('closed');
  directories.push(directory);
  return join(directory, 'gateway.db');
};

afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

/** Everything, or the fault with which it ends. */
function readAll(path: string): unknown {
  let tables: EarlierTables | undefined;
  try {
    tables = new EarlierTables(path);
    return {
      front: tables.front(),
      begins: [...tables.begins()],
      cursors: [...tables.cursors()],
      sessions: [...tables.sessions()],
      writes: [...tables.writes()],
    };
  } catch (error) {
    return error;
  } finally {
    tables?.close();
  }
}

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

test('records come stream by stream in their order, each behind the one before it', () => {
  const tables = new EarlierTables(given());
  const ends = new Map(tables.begins());
  let appends = 0;
  for (const write of tables.writes()) {
    if (write.kind !== 'append') continue;
    expect(write.expected).toBe(ends.get(write.stream));
    ends.set(write.stream, write.expected + 1);
    appends += 1;
  }
  tables.close();
  expect(appends).toBeGreaterThan(10);
});

const columns = {
  journal: ['stream', 'position', 'payload', 'crc'],
  snapshots: ['stream', 'position', 'payload', 'crc'],
  messages: ['session', 'first_seq', 'ends', 'bytes', 'crc'],
  held: ['session', 'position', 'bytes', 'crc'],
  sessions: ['session', 'next_in', 'next_out', 'oldest_kept', 'released_to', 'held_to', 'crc'],
  cursors: ['name', 'value', 'crc'],
};

test.each(
  Object.entries(columns).flatMap(([table, names]) => names.map((name) => [table, name] as const)),
)('a row of %s with another %s is refused', (table, column) => {
  const path = given();
  const other = `CASE typeof(${column}) WHEN 'integer' THEN ${column} + 1000000
    WHEN 'text' THEN ${column} || 'x' ELSE CAST('xxxx' AS BLOB) END`;
  const last = `(SELECT max(rowid) FROM ${table})`;
  const where = hasRowid(path, table) ? `WHERE rowid = ${last}` : '';
  edit(path, `UPDATE ${table} SET ${column} = ${other} ${where}`);
  expect(readAll(path)).toBeInstanceOf(CorruptRecord);
});

function hasRowid(path: string, table: string): boolean {
  const database = new DatabaseSync(path);
  try {
    database.prepare(`SELECT rowid FROM ${table}`);
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

test('a file that was cut is damage, and text is not a database', () => {
  const path = given();
  truncateSync(path, 3 * 4_096);
  expect(readAll(path)).toBeInstanceOf(CorruptRecord);
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  expect(readAll(path)).toBeInstanceOf(CorruptRecord);
});

test('a later schema is refused by its number', () => {
  const path = given();
  edit(path, 'PRAGMA user_version = 3');
  expect(String(readAll(path))).toContain(`${path} has schema version 3`);
});
