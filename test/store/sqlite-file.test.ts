/** What one file does for one thread, where the store before it does not show it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { SqliteFile } from '../../src/store/sqlite-file.ts';
import { append, messages, numbers } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-file-'));
const opened: SqliteFile[] = [];
let files = 0;

function open(path = join(folder, `${++files}.db`)): SqliteFile {
  const file = new SqliteFile({
    path,
    durability: 'process',
    maxBytes: 1e8,
    reserveBytes: 4096,
    keptBytesPerSession: 1e6,
    maxWaitingBytes: 1e6,
  });
  opened.push(file);
  return file;
}

afterAll(() => {
  for (const file of opened) file.close();
  rmSync(folder, { recursive: true });
});

test('of a group, commits that conflict are told and left out, the others are applied', () => {
  const file = open();
  const outcomes = file.commit([
    [append('a', 0, 'one')],
    [append('a', 0, 'again'), numbers('A', 9, 9)],
    [append('a', 1, 'two'), append('b', 0, 'x')],
  ]);
  expect(outcomes).toEqual([undefined, { stream: 'a', expected: 0, actual: 1 }, undefined]);
  expect([file.end('a'), file.end('b'), file.numbers('A').nextIn]).toEqual([2, 1, 1]);
});

test('a group that SQLite refuses leaves nothing, on the disk or in what is known of it', () => {
  const file = open();
  file.commit([[messages('A', 1, 'one'), numbers('A', 2, 2)]]);
  const group = [[append('a', 0, 'x'), numbers('A', 7, 7)], [messages('A', 1, 'a second one')]];
  expect(() => file.commit(group)).toThrow('UNIQUE');
  expect([file.end('a'), file.numbers('A').nextIn]).toEqual([0, 2]);
  file.commit([[append('a', 0, 'y')]]);
  expect(file.end('a')).toBe(1);
});

test('what another owner wrote is seen at the next commit', () => {
  const path = join(folder, `${++files}.db`);
  const [one, other] = [open(path), open(path)];
  one.commit([[numbers('A', 2, 2), append('a', 0, 'one')]]);
  expect(other.numbers('A').nextIn).toBe(2);
  one.commit([[numbers('A', 3, 3), append('a', 1, 'two')]]);
  expect(other.commit([[append('a', 1, 'late')]])[0]).toMatchObject({ actual: 2 });
  expect(other.numbers('A').nextIn).toBe(3);
});

test('several numbers of one session in a group are written once', () => {
  const path = join(folder, `${++files}.db`);
  const file = open(path);
  file.commit([[numbers('A', 2, 2)], [numbers('A', 3, 3)], [numbers('A', 4, 4)]]);
  const tool = new DatabaseSync(path, { readOnly: true });
  expect(tool.prepare('SELECT next_in FROM sessions').all()).toEqual([{ next_in: 4 }]);
  tool.close();
});
