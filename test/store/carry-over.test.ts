/** What is read back from the front file on its way into the tables is what was written, or it is told. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { carryOver } from '../../src/store/carry-over.ts';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { takeOver } from '../../src/store/take-over.ts';
import { append, messages, numbers } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-carry-'));
const closing: (() => void)[] = [];
let made = 0;

afterAll(() => {
  for (const close of closing) close();
  rmSync(folder, { recursive: true });
});

function open(maxBytes = 1e8) {
  const path = join(folder, `${++made}.db`);
  const database = openChecked(path);
  const limits = { maxBytes, keptBytesPerSession: 1e6, longBytes: 500 };
  const { owner, front, tables } = takeOver(path, database, limits);
  closing.push(() => {
    front.close();
    database.close();
  });
  const carry = () => carryOver(tables, owner, front.uncarried());
  return { path, front, carry, reader: new SqliteReader(database) };
}

test('all of both files comes into the tables', () => {
  const { front, carry, reader } = open();
  for (let seq = 1; seq <= 4; seq += 1) {
    const body = 'x'.repeat(200);
    front.append([append('a', seq - 1, body), messages('A', seq, body), numbers('A', 1, seq + 1)]);
  }
  expect(carry()).toBe('carried');
  expect([reader.end('a'), reader.lastKept('A'), reader.numbers('A').nextOut]).toEqual([4, 4, 5]);
});

test('a record that was changed on the disk is told, and nothing is carried over', () => {
  const { path, front, carry, reader } = open();
  for (const [position, text] of ['one', 'two'].entries())
    front.append([append('a', position, text)]);
  const file = `${path}-front-1-0`;
  const bytes = readFileSync(file);
  bytes[bytes.indexOf('two')]! ^= 1;
  writeFileSync(file, bytes);
  expect(carry()).toEqual({ problem: expect.stringContaining('it does not hold record 2') });
  expect(reader.end('a')).toBe(0);
});

test('where there is no room, that is the answer', () => {
  const { front, carry, reader } = open(100_000);
  const before = reader.usedBytes();
  front.append([append('a', 0, 'x'.repeat(200_000))]);
  expect(carry()).toBe('full');
  expect(reader.usedBytes()).toBe(before);
});
