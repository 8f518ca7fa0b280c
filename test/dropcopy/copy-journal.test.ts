/** The durable journal of an account's copies. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CopyFacts } from '../../src/dropcopy/copy.ts';
import { CopyJournal } from '../../src/dropcopy/copy-journal.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { MemoryStore } from '../support/memory-store.ts';

const gap = (line: string): CopyFacts => ({ kind: 'gap', lines: [line] });

function transactionsOn(store: MemoryStore): Transactions {
  return new Transactions(store, (error) => {
    throw error;
  });
}

async function journalWith(count: number, store = new MemoryStore()) {
  const transactions = transactionsOn(store);
  const journal = await CopyJournal.open(transactions, 'desk', 'k');
  transactions.run(() => {
    for (let at = 1; at <= count; at++) journal.append(gap(String(at)), at, 1000 + at);
  });
  return { journal, store, transactions };
}

test('a new journal is empty', async () => {
  const { journal } = await journalWith(0);
  expect([journal.first, journal.end]).toEqual([1, 0]);
  expect(journal.recent(0, 10)).toEqual([]);
  expect(await journal.search(() => true)).toBe(1);
  expect(await journal.retain({ copies: 0, ms: 0 }, 5000)).toBe(false);
});

test('copies are counted from 1, and neither time nor seq ever falls', async () => {
  const { journal, transactions } = await journalWith(0);
  transactions.run(() => {
    journal.append(gap('a'), 7, 2000);
    journal.append(gap('b'), 6, 1999);
    journal.append(gap('c'), 8, 2001);
  });
  const read = await journal.read(0, 10);
  expect(read.map(({ position, atMs, seq }) => [position, atMs, seq])).toEqual([
    [1, 2000, 7],
    [2, 2000, 7],
    [3, 2001, 8],
  ]);
  expect(journal.recent(0, 10)).toEqual(read);
});

test('after a restart the journal goes on where it was', async () => {
  const { store } = await journalWith(3);
  const transactions = transactionsOn(store);
  const again = await CopyJournal.open(transactions, 'desk', 'k');
  expect([again.first, again.end]).toEqual([1, 3]);
  transactions.run(() => again.append(gap('4'), 1, 1));
  expect(again.recent(3, 1)).toMatchObject([{ position: 4, atMs: 1003, seq: 3 }]);
});

test('memory has the newest copies, and says so when it does not have the one asked for', async () => {
  const { journal } = await journalWith(4096 * 2);
  expect(journal.recent(journal.end - 4096, 1)?.[0]?.position).toBe(journal.end - 4095);
  expect(journal.recent(0, 1)).toBeUndefined();
  expect((await journal.read(0, 1))[0]?.position).toBe(1);
  expect(journal.recent(journal.end - 2, 10)).toHaveLength(2);
  for (let after = 0; after < journal.end; after += 1) {
    const recent = journal.recent(after, 1);
    if (recent !== undefined) expect(recent[0]?.position).toBe(after + 1);
  }
});

test('the search finds the first that is reached, or one after the end', async () => {
  const { journal } = await journalWith(50);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 60 }), async (from) => {
      const found = await journal.search(({ seq }) => seq >= from);
      expect(found).toBe(Math.min(51, Math.max(1, from)));
    }),
    { numRuns: 30 },
  );
});

test('retention by count keeps so many of the newest', async () => {
  const { journal } = await journalWith(10);
  expect(await journal.retain({ copies: 10, ms: 1e9 }, 2000)).toBe(false);
  expect(journal.first).toBe(1);
  expect(await journal.retain({ copies: 4, ms: 1e9 }, 2000)).toBe(false);
  expect(journal.first).toBe(7);
  expect((await journal.read(0, 100)).map(({ position }) => position)).toEqual([7, 8, 9, 10]);
});

test('retention by age keeps what is younger than the age, and always the newest', async () => {
  const { journal } = await journalWith(10);
  await journal.retain({ copies: 1e9, ms: 100 }, 1103);
  expect(journal.first).toBe(4);
  await journal.retain({ copies: 1e9, ms: 100 }, 999_999);
  expect([journal.first, journal.end]).toEqual([10, 10]);
});

test('what is dropped stays dropped after a restart', async () => {
  const { journal, store } = await journalWith(10);
  await journal.retain({ copies: 4, ms: 1e9 }, 2000);
  const again = await CopyJournal.open(transactionsOn(store), 'desk', 'k');
  expect([again.first, again.end]).toEqual([7, 10]);
});

test('one transaction drops a thousand at most, and more is to be done until all are dropped', async () => {
  const { journal } = await journalWith(2500);
  const retention = { copies: 100, ms: 1e9 };
  expect(await journal.retain(retention, 5000)).toBe(true);
  expect(journal.first).toBe(1001);
  expect(await journal.retain(retention, 5000)).toBe(true);
  expect(await journal.retain(retention, 5000)).toBe(false);
  expect(journal.first).toBe(2401);
});
