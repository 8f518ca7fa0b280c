/** The state of an account in parts: whatever happens, a start finds what a process that never stopped has. */
import assert from 'node:assert/strict';
import { expect, test } from 'vitest';
import { json } from '../../src/domain/form.ts';
import { instrumentsOf } from '../../src/domain/instrument.ts';
import { submissionId } from '../../src/domain/order.ts';
import type { OrderId, Qty } from '../../src/domain/units.ts';
import { Journal, JournalReading, journalStream } from '../../src/engine/journal.ts';
import { allOrders } from '../../src/engine/mass-cancels.ts';
import { Orders } from '../../src/engine/orders.ts';
import type { OrdersInput } from '../../src/engine/orders-input.ts';
import type { EarlierRecord, InputRecord } from '../../src/engine/record.ts';
import { StateWriter, stateStream } from '../../src/engine/state-writer.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Transactions } from '../../src/store/transactions.ts';
import { account, fullRules, silentEvent, spot, terms } from '../domain/ladder.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { denied } from '../support/venue-denial.ts';

const instrument = instrumentsOf(spot)[0]!;
const bounds = { endedOrders: 25, spentNames: 40 };
const every = 9;
const at = { wallMs: 0, monoMs: 0 };

function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) % below;
  };
}

function newOrders(): Orders {
  return new Orders(() => fullRules, bounds);
}

function entry(key: string): OrdersInput[] {
  const clOrdId = `c${key}`;
  const ids = { session: 'S', account, accountName: 'desk', tag: 'T', key, quoteId: null };
  const sent = { venueRef: `hash ${key}`, orderId: `0x${key}` as OrderId, firedOrderId: null };
  const wanted = terms({ qty: 10n as Qty });
  return [
    { kind: 'entry', owner: ids, clOrdId, instrument, terms: wanted, nowMs: 0 },
    { kind: 'order', key, input: { kind: 'sent', requestId: submissionId, ...sent, nowMs: 0 } },
  ];
}

function refusal(key: string): OrdersInput {
  const outcome = { kind: 'refused', denial: denied('post_only_would_cross') } as const;
  const answered = { kind: 'answered', requestId: submissionId, outcome, nowMs: 0 } as const;
  return { kind: 'order', key, input: answered };
}

function event(key: string, kind: 'accepted' | 'canceled', seq: number): OrdersInput {
  return { kind: 'event', event: { ...silentEvent, kind, orderId: `0x${key}` as OrderId, seq } };
}

/** Orders come, rest, end, turn out to be alive, are canceled many at once, and are forgotten; names are spent. */
class Stream {
  readonly #random: (below: number) => number;
  #seq = 0;
  #names = 0;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  next(orders: Orders): OrdersInput[] {
    const dice = this.#random(10);
    if (orders.isMassCanceling && this.#random(2) === 0)
      return [{ kind: 'mass_cancel_next', atOnce: 2, nowMs: 0 }];
    if (this.#random(25) === 0) {
      const side = this.#random(2) === 0 ? null : 'Bid';
      return [
        { kind: 'mass_cancel', meant: { ...allOrders, side }, text: 'all', atOnce: 2, nowMs: 0 },
      ];
    }
    const known = [...orders.all()].map(({ owner }) => owner.key);
    const key = known[this.#random(Math.max(1, known.length))];
    if (dice < 4 || key === undefined) return entry(orders.newKeys('T', 1)[0] ?? '');
    if (dice < 5) {
      this.#names += 1;
      return [{ kind: 'spent', session: 'S', clOrdId: `spent ${this.#names}` }];
    }
    if (dice < 7) return orders.get(key)?.phase === 'pending_new' ? [refusal(key)] : [];
    this.#seq += 1;
    return [event(key, dice < 8 ? 'accepted' : 'canceled', this.#seq)];
  }
}

/** A process that has read nothing yet. */
function reader() {
  const orders = newOrders();
  let applied = 0;
  const reading = new JournalReading<never, never>(
    account,
    {
      form: json(),
      translated: (same) => same,
      memory: orders.memory,
      restore: (state) => orders.restoring(state),
      apply({ inputs }: InputRecord<never> | EarlierRecord) {
        applied += 1;
        for (const input of inputs) orders.apply(input as OrdersInput);
      },
    },
    every,
  );
  return { applied: () => applied, orders, reading };
}

async function open(store: MemoryStore, { applied, orders, reading } = reader()) {
  const transactions = new Transactions(store, (error) => {
    throw error;
  });
  const parts = { transactions, clock: new ManualClock(), keptDays: () => 1 };
  expect(await reading.readOn(store)).toBe(true);
  const journal = await Journal.after(reading, store, parts);
  const written = () =>
    new Promise<void>((resolve) => transactions.run(() => transactions.after(resolve)));
  const record = (inputs: readonly OrdersInput[]) => {
    for (const input of inputs) orders.apply(input);
    transactions.run(() => journal.append({ at, inputs: inputs as never }, orders));
    return written();
  };
  const stop = () => {
    transactions.run(() => journal.rest(orders));
    return written();
  };
  return { applied, journal, orders, record, stop };
}

test.each([1, 2, 3])(
  'a start at any position has what a process that never stopped has, seed %d',
  async (seed) => {
    const random = randomFrom(seed);
    const stream = new Stream(random);
    const store = new MemoryStore();
    const live = newOrders();
    let process = await open(store);
    let maxApplied = 0;
    for (let position = 1; position <= 250; position += 1) {
      const inputs = stream.next(live);
      for (const input of inputs) live.apply(input);
      await process.record(inputs);
      const start = await open(store);
      expect(start.journal.end).toBe(position);
      assert.deepEqual(start.orders.state(), live.state());
      assert.deepEqual([...start.orders.open()], [...live.open()]);
      maxApplied = Math.max(maxApplied, start.applied());
      // The process is killed, perhaps within a piece, or stops in good order.
      if (random(15) === 0) process = await open(store);
      else if (random(60) === 0) {
        await process.stop();
        process = await open(store);
        expect(process.applied()).toBe(0);
      }
    }
    expect(maxApplied).toBeLessThan(6 * every);
  },
);

test.each([4])(
  'an owner that has read most of the journal before has the same, and so has a start after it, seed %d',
  async (seed) => {
    const random = randomFrom(seed);
    const stream = new Stream(random);
    const store = new MemoryStore();
    const live = newOrders();
    let process = await open(store);
    let next = reader();
    const found = { sameParts: 0, otherParts: 0 };
    for (let position = 1; position <= 300; position += 1) {
      const inputs = stream.next(live);
      for (const input of inputs) live.apply(input);
      await process.record(inputs);
      if (random(9) === 0) await next.reading.readOn(store);
      const start = await open(store);
      assert.deepEqual(start.orders.state(), live.state());
      if (random(20) !== 0) continue;
      // The owner is killed, or stops in good order, which writes the state once more.
      if (random(2) === 0) await process.stop();
      const { state } = next.reading;
      process = await open(store, next);
      expect(process.orders.state()).toEqual(live.state());
      found[next.reading.state === state ? 'sameParts' : 'otherParts'] += 1;
      next = reader();
    }
    expect(Math.min(found.sameParts, found.otherParts)).toBeGreaterThan(0);
  },
);

test('a start with many orders lets other work run in between', async () => {
  const store = new MemoryStore();
  const { orders, record, stop } = await open(store);
  const keys = orders.newKeys('T', 10_000);
  await record(keys.flatMap((key) => entry(key)));
  await stop();
  let transactions = 0;
  let isOver = false;
  const count = () => {
    transactions += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const next = reader();
  await next.reading.readOn(store);
  isOver = true;
  expect(next.orders.state()).toEqual(orders.state());
  expect(transactions).toBeGreaterThanOrEqual(5);
});

test('an earlier read is not used once later records have been removed', async () => {
  const store = new MemoryStore();
  const stream = new Stream(randomFrom(7));
  const process = await open(store);
  for (let position = 1; position <= 5; position += 1)
    await process.record(stream.next(process.orders));
  const { reading } = reader();
  await reading.readOn(store);
  for (let position = 6; position <= 9; position += 1)
    await process.record(stream.next(process.orders));
  await process.stop();
  await store.commit([{ kind: 'forget', stream: journalStream(account), position: 7 }]);
  expect(await reading.readOn(store)).toBe(false);
  await store.commit([{ kind: 'forget', stream: journalStream(account), position: 9 }]);
  expect(await reading.readOn(store)).toBe(false);
});

test('parts that nothing needs any more are forgotten, however long the account trades', async () => {
  const store = new MemoryStore();
  const stream = new Stream(randomFrom(9));
  const { orders, record } = await open(store);
  let most = 0;
  for (let position = 1; position <= 1_500; position += 1) {
    await record(stream.next(orders));
    const parts = await store.read(stateStream(journalStream(account)), 0, 10_000);
    most = Math.max(most, parts.length);
  }
  expect(most).toBeLessThan(100);
  const kept = await store.read(stateStream(journalStream(account)), 0, 10_000);
  expect(kept[0]?.position).toBeGreaterThan(1);
});

test('a part contains few orders, and a piece is written with the records that follow it', () => {
  const orders = newOrders();
  const writer = new StateWriter('desk/x', 10);
  const inputs = Array.from({ length: 120 }, (_, number) => entry(`T#${number + 1}`)).flat();
  for (const input of inputs) orders.apply(input);
  const kinds = Array.from({ length: 14 }, (_, index) =>
    writer.recorded(index + 1, orders).writes.map(({ kind }) => kind),
  );
  expect(kinds.slice(0, 9).flat()).toEqual([]);
  expect(kinds.slice(9)).toEqual([
    ['append'],
    ['append'],
    ['append', 'snapshot', 'snapshot'],
    [],
    [],
  ]);
});
