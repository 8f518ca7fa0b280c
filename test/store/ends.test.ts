/** What a commit is compared with: what the tables hold, and what was taken in since. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Ends } from '../../src/store/ends.ts';
import { encodeRecord, markBytes, recordsIn } from '../../src/store/record.ts';
import { upgrades } from '../../src/store/schema.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { SqliteTables } from '../../src/store/sqlite-tables.ts';
import type { Write } from '../../src/store/store.ts';
import { append, messages, numbers } from './contract.ts';

/** Of a store whose tables hold this. */
function ends(...writes: Write[]): Ends {
  const database = new DatabaseSync(':memory:');
  database.exec(upgrades.get(0) ?? '');
  const tables = new SqliteTables(database, { maxBytes: 1e8, keptBytesPerSession: 1e6 });
  const mark = Buffer.alloc(markBytes, 1);
  tables.transaction(() => tables.apply([...recordsIn(encodeRecord(mark, 1, writes), mark)]));
  return new Ends(new SqliteReader(database));
}

const hold = (position: number) =>
  ({ kind: 'hold', session: 'A', position, bytes: new Uint8Array(1) }) as const;
const reset = { kind: 'reset', session: 'A', nextIn: 1, nextOut: 1 } as const;

test('a stream ends where the tables and the commits since say', () => {
  const found = ends(append('a', 0, 'one'), append('a', 1, 'two'));
  expect([found.of('a'), found.of('b')]).toEqual([2, 0]);
  expect(found.take([append('a', 2, 'three'), append('a', 3, 'four')])).toBeUndefined();
  expect(found.of('a')).toBe(4);
});

test('a commit with an append elsewhere is told, and none of it is taken in', () => {
  const found = ends(append('a', 0, 'one'));
  const outcome = found.take([append('b', 0, 'x'), append('b', 1, 'y'), append('a', 0, 'again')]);
  expect(outcome).toEqual({ stream: 'a', expected: 0, actual: 1 });
  expect(found.take([append('b', 0, 'x')])).toBeUndefined();
});

test('messages go on behind the last ones, those of a session that was reset from anywhere', () => {
  const found = ends(messages('A', 5, 'five', 'six'), numbers('A', 1, 7));
  expect(() => found.take([messages('A', 6, 'six again')])).toThrow('follow number 6');
  expect(found.take([messages('A', 8, 'eight')])).toBeUndefined();
  expect(() => found.take([messages('A', 8, 'again')])).toThrow('from 8 of session A');
  expect(found.take([reset, messages('A', 1, 'new')])).toBeUndefined();
});

test('held messages go on behind the last one, also when all are released', () => {
  const found = ends(hold(3), { kind: 'mark', session: 'A', name: 'released', value: 3 });
  expect(() => found.take([hold(3)])).toThrow('held message 3 of session A follows number 3');
  expect(found.take([hold(4), hold(5)])).toBeUndefined();
  expect(() => found.take([hold(5)])).toThrow('follows number 5');
});
