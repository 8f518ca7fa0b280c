import { expect, test } from 'vitest';
import { Desk } from '../../src/gateway/desk.ts';
import { DeskJournal, deskStream, restoreDesk } from '../../src/gateway/desk-journal.ts';
import { encodeRecord } from '../../src/gateway/desk-record.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { MemoryStore } from '../../src/store/memory-store.ts';
import { Turns } from '../../src/store/turns.ts';
import { account, fullRules } from '../domain/ladder.ts';

const dayMs = 86_400_000;
const rules = () => fullRules;
const empty = encodeRecord({ inputs: [], actions: [] });
const failing = (error: unknown) => {
  throw error;
};

/** The journal of a desk on a store, as one process after the other finds it. */
async function open(store: MemoryStore, clock: ManualClock, days = 2) {
  const { journal: start } = await restoreDesk(store, account, rules);
  const turns = new Turns(store, failing);
  const parts = { turns, clock, keptDays: () => days, snapshotEvery: 10 };
  const journal = new DeskJournal(start, parts);
  const state = new Desk(rules).state();
  const record = async (count: number) => {
    for (let i = 0; i < count; i += 1) turns.run(() => journal.append(empty, () => state));
    await new Promise<void>((resolve) => turns.run(() => turns.after(resolve)));
  };
  const first = async () => (await store.read(deskStream(account), 0, 1))[0]?.position;
  return { journal, record, first };
}

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

test('another process goes on forgetting where the one before it was', async () => {
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

test('a journal of which everything is kept says so from its first record on', async () => {
  const store = new MemoryStore();
  const { record, first } = await open(store, new ManualClock(), 3650);
  await record(500);
  expect(await first()).toBe(1);
});
