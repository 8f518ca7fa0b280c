/** Past copies in pieces: never one that the reader was not sent, and none of an account that it lost. */
import { beforeEach, expect, test } from 'vitest';
import { CopyJournal } from '../../src/dropcopy/copy-journal.ts';
import { pastCopies } from '../../src/dropcopy/past-copies.ts';
import type { Reader } from '../../src/dropcopy/reader.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

let journal: CopyJournal;
let furthest: number;
let isSeen: boolean;
const reader = {
  sees: () => isSeen,
  furthest: () => furthest,
} as unknown as Reader;

beforeEach(async () => {
  const transactions = new Transactions(new MemoryStore(), (error) => {
    throw error;
  });
  journal = await CopyJournal.open(transactions, 'desk', 'k');
  transactions.run(() => {
    for (let at = 1; at <= 300; at++) journal.append({ kind: 'gap', lines: [] }, at, 1000);
  });
  [furthest, isSeen] = [300, true];
});

async function positions(from: number, to: number): Promise<number[]> {
  const found: number[] = [];
  for await (const copies of pastCopies(reader, journal, from, to)) {
    found.push(...copies.map(({ position }) => position));
  }
  return found;
}
const upTo = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => from + at);

test('both ends are included, however many pieces there are', async () => {
  expect(await positions(2, 299)).toEqual(upTo(2, 299));
  expect(await positions(7, 7)).toEqual([7]);
  expect(await positions(8, 7)).toEqual([]);
});

test('the range ends with the newest copy and begins with the oldest that is kept', async () => {
  await journal.retain({ copies: 10, ms: 1e9 }, 2000);
  expect(await positions(1, 999)).toEqual(upTo(291, 300));
});

test('copies behind the range do not take the place of those that retention removed', async () => {
  const pieces = pastCopies(reader, journal, 1, 200);
  expect((await pieces.next()).value).toHaveLength(128);
  await journal.retain({ copies: 10, ms: 1e9 }, 2000);
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});

test('a copy that the reader was not sent yet is waited for', async () => {
  furthest = 4;
  const pieces = pastCopies(reader, journal, 1, 5);
  expect((await pieces.next()).value).toEqual([]);
  expect((await pieces.next()).value).toEqual([]);
  furthest = 5;
  expect((await pieces.next()).value).toHaveLength(5);
});

test('a reader that loses the account gets no further piece', async () => {
  const pieces = pastCopies(reader, journal, 1, 300);
  expect((await pieces.next()).value).toHaveLength(128);
  isSeen = false;
  expect(await pieces.next()).toEqual({ done: true, value: undefined });
});
