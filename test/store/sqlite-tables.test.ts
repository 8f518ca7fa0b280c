/** How records come into the tables: once, in order, whole, and only from the opening that owns them. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { encodeRecord, markBytes, recordsIn, type StoredRecord } from '../../src/store/record.ts';
import { upgrades } from '../../src/store/schema.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { SqliteTables } from '../../src/store/sqlite-tables.ts';
import { CorruptRecord, PositionConflict, type Write } from '../../src/store/store.ts';
import { append, messages, numbers } from './contract.ts';

const mark = Buffer.alloc(markBytes, 1);
const owner = { opening: 1, mark, carried: 0 };
const record = (sequence: number, ...writes: Write[]): StoredRecord[] => [
  ...recordsIn(encodeRecord(mark, sequence, writes), mark),
];

function open() {
  const database = new DatabaseSync(':memory:');
  database.exec(upgrades.get(0) ?? '');
  const tables = new SqliteTables(database, { maxBytes: 1e8, keptBytesPerSession: 1e6 });
  tables.setOwner(owner);
  return { database, tables, reader: new SqliteReader(database) };
}

test('records are carried over once, whatever of them is handed in again', () => {
  const { tables, reader } = open();
  const one = record(1, append('a', 0, 'one'));
  const two = record(2, append('a', 1, 'two'));
  tables.carry(owner, one, 1);
  tables.carry(owner, [...one, ...two], 2);
  expect([reader.end('a'), tables.owner().carried]).toEqual([2, 2]);
});

test('a record that is not where it was written is told, and nothing is carried over', () => {
  const { tables, reader } = open();
  const one = record(1, append('a', 0, 'one'));
  expect(() => tables.carry(owner, one, 2)).toThrow(CorruptRecord);
  expect(() => tables.carry(owner, record(2, append('a', 0, 'x')), 2)).toThrow('record 1');
  expect([reader.end('a'), tables.owner().carried]).toEqual([0, 0]);
});

test('an opening that does not own the tables any more carries nothing over', () => {
  const { tables, reader } = open();
  tables.setOwner({ opening: 2, mark, carried: 0 });
  expect(() => tables.carry(owner, record(1, append('a', 0, 'late')), 1)).toThrow(PositionConflict);
  expect(reader.end('a')).toBe(0);
});

test('what SQLite refuses leaves nothing, in the tables or in what is known of them', () => {
  const { tables, reader } = open();
  tables.carry(owner, record(1, messages('A', 1, 'one'), numbers('A', 2, 2)), 1);
  const twice = record(2, numbers('A', 7, 7), messages('A', 1, 'a second one'));
  expect(() => tables.carry(owner, twice, 2)).toThrow('UNIQUE');
  expect(reader.numbers('A').nextIn).toBe(2);
  tables.carry(owner, record(2, { kind: 'mark', session: 'A', name: 'period', value: 5 }), 2);
  expect(reader.numbers('A')).toMatchObject({ nextIn: 2, periodStartMs: 5 });
});

test('several numbers of one session are written once', () => {
  const { database, tables } = open();
  const numbered = [2, 3, 4].flatMap((n) => record(n - 1, numbers('A', n, n)));
  tables.carry(owner, numbered, 3);
  expect(database.prepare('SELECT next_in FROM sessions').all()).toEqual([{ next_in: 4 }]);
});

test('damage to the row of the owner is told', () => {
  const { database, tables } = open();
  database.exec('UPDATE front SET carried = 9');
  expect(() => tables.owner()).toThrow('the row of the front file');
});
