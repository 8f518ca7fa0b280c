/** The journal of an account: what a start takes up from it, and what is forgotten of it. */
import { expect, test } from 'vitest';
import { json } from '../../src/domain/form.ts';
import type { EngineInput } from '../../src/engine/engine.ts';
import { Journal, journalStream } from '../../src/engine/journal.ts';
import { Orders } from '../../src/engine/orders.ts';
import type { EarlierRecord, InputRecord } from '../../src/engine/record.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { account, fullRules } from '../domain/ladder.ts';
import { MemoryStore } from '../support/memory-store.ts';

const dayMs = 86_400_000;
const stream = journalStream(account);
const failing = (error: unknown) => {
  throw error;
};

function sourceOf(orders: Orders) {
  return { memory: orders.memory, rest: () => orders.rest() };
}

/** The journal on a store, as one process after the other finds it, and what that process was told. */
async function open(store: MemoryStore, clock: ManualClock, days = 2) {
  const transactions = new Transactions(store, failing);
  const parts = { transactions, clock, keptDays: () => days, snapshotEvery: 10 };
  const { memory, ...empty } = sourceOf(new Orders(() => fullRules));
  let lastSeq = 0;
  let restored: number | undefined;
  const applied: number[] = [];
  const journal = await Journal.open<never, never>(store, account, parts, {
    form: json(),
    translated: (same) => same,
    memory,
    restore(state) {
      restored = state.lastSeq;
      lastSeq = state.lastSeq;
    },
    apply(record: InputRecord<never> | EarlierRecord) {
      if ('at' in record) applied.push(record.at.wallMs);
      lastSeq += 1;
    },
  });
  const record = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      transactions.run(() => {
        lastSeq += 1;
        const source = { memory, rest: () => ({ ...empty.rest(), lastSeq }) };
        journal.append({ at: { wallMs: lastSeq, monoMs: 0 }, inputs: [] }, source);
      });
    }
    await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  };
  const first = async () => (await store.read(stream, 0, 1))[0]?.position;
  return { journal, record, first, applied, restored };
}

test('a start gets the last snapshot and the records after it, in order and each once', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const fresh = await open(store, clock);
  expect([fresh.restored, fresh.applied, fresh.journal.end]).toEqual([undefined, [], 0]);
  await fresh.record(5);
  const early = await open(store, clock);
  expect([early.restored, early.applied, early.journal.end]).toEqual([
    undefined,
    [1, 2, 3, 4, 5],
    5,
  ]);
  await early.record(20);
  const late = await open(store, clock);
  expect(late.restored).toBeGreaterThanOrEqual(10);
  const behind = late.restored ?? 0;
  expect(late.applied).toEqual(Array.from({ length: 25 - behind }, (_, at) => behind + at + 1));
  expect(late.journal.end).toBe(25);
});

test('all records are read, also if there are more than fit into one read', async () => {
  const store = new MemoryStore();
  const parts = { clock: new ManualClock(), keptDays: () => 1, snapshotEvery: 10_000 };
  const source = sourceOf(new Orders(() => fullRules));
  const { memory } = source;
  const nothing = {
    form: json<EngineInput<never>>(),
    translated: (same: unknown) => same,
    memory,
    restore: failing,
    apply: failing,
  };
  const transactions = new Transactions(store, failing);
  const journal = await Journal.open(store, account, { ...parts, transactions }, nothing);
  for (let i = 0; i < 1100; i += 1) {
    transactions.run(() => {
      journal.append({ at: { wallMs: i, monoMs: 0 }, inputs: [] }, source);
    });
  }
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  let told = 0;
  const apply = () => {
    told += 1;
  };
  const again = await Journal.open(
    store,
    account,
    { ...parts, transactions },
    { ...nothing, apply },
  );
  expect([told, again.end]).toEqual([1100, 1100]);
});

test('a record of an unknown version stops the start, which names it', async () => {
  const store = new MemoryStore();
  const transactions = new Transactions(store, failing);
  const payload = Buffer.from('{"v":9,"inputs":[]}');
  transactions.run(() => transactions.write({ kind: 'append', stream, expected: 0, payload }));
  await new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  await expect(open(store, new ManualClock())).rejects.toThrow(
    `${stream}, record 1 has version 9, which this version of Causeway cannot read`,
  );
});

test('records are kept for the days that are configured, and then forgotten a few at a time', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const { journal, record, first } = await open(store, clock);
  await record(100);
  clock.advance(2 * dayMs);
  await record(100);
  expect(await first()).toBe(1);
  clock.advance(dayMs);
  await record(15);
  const begun = await first();
  expect(begun).toBeGreaterThan(1);
  expect(begun).toBeLessThanOrEqual(11);
  await record(100);
  expect(journal.end).toBe(315);
  // A snapshot of the first day was of its tenth record; nothing of the third day is gone.
  expect(await first()).toBe(11);
  clock.advance(2 * dayMs);
  await record(100);
  expect(await first()).toBeGreaterThan(100);
  expect(await first()).toBeLessThanOrEqual(200);
});

test('another process continues to remove old records where the previous one stopped', async () => {
  const clock = new ManualClock();
  const store = new MemoryStore();
  const before = await open(store, clock);
  await before.record(100);
  clock.advance(dayMs);
  await before.record(100);
  clock.advance(3 * dayMs);
  await before.record(12);
  const left = (await before.first()) ?? 0;
  expect(left).toBeLessThan(100);
  const after = await open(store, clock);
  expect(after.journal.end).toBe(212);
  await after.record(100);
  expect(await after.first()).toBeGreaterThan(100);
  expect((await open(store, clock)).journal.end).toBe(312);
});

test('a journal that keeps everything records that with its first record', async () => {
  const store = new MemoryStore();
  const { record, first } = await open(store, new ManualClock(), 3650);
  await record(500);
  expect(await first()).toBe(1);
});
