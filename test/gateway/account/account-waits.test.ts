import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import type { EngineInput } from '../../../src/engine/engine.ts';
import { AccountWaits } from '../../../src/gateway/account/account-waits.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';
import type { OutboxInput } from '../../../src/venue/outbox/outbox-types.ts';

/** `#7` stands for the time of submission 7, other words for an input of an order. */
function bench() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 12));
  const transactions: string[][] = [];
  const awaited = new Set(['k r']);
  const live = new Set(['k']);
  const fired = new Set<string>();
  const notDue = new Set<number>();
  const said = (input: EngineInput<OutboxInput>): string => {
    if (input.kind === 'venue' && input.input.kind === 'time') return `#${input.input.id}`;
    return input.kind === 'order' ? `${input.key} ${input.input.kind}` : input.kind;
  };
  const waits = new AccountWaits({
    clock,
    orders: {
      awaits: (key, requestId) => awaited.has(`${key} ${requestId}`),
      get: (key) =>
        live.has(key) ? ({ phase: 'live', triggered: fired.has(key) } as Order) : undefined,
    },
    unknownAfterMs: 1_000,
    isDue: (id) => !notDue.has(id),
    isOver: (inputs) => transactions.push(inputs.map(said)),
  });
  return { awaited, clock, fired, live, notDue, transactions, waits };
}

const asked = { key: 'k', requestId: 'r' };

test('submissions that are due within the same ten milliseconds are resumed in one transaction', () => {
  const { clock, transactions, waits } = bench();
  for (const [id, atMs] of [
    [1, 12],
    [2, 19],
    [3, 21],
  ] as const) {
    waits.submission({ id, atMs });
  }
  clock.advance(19);
  expect(transactions).toEqual([]);
  clock.advance(11);
  expect(transactions).toEqual([['#1', '#2'], ['#3']]);
});

test('a submission that waits for something else meanwhile is left alone', () => {
  const { clock, notDue, transactions, waits } = bench();
  waits.submission({ id: 1, atMs: 10 });
  waits.submission({ id: 2, atMs: 20 });
  notDue.add(1);
  clock.advance(20);
  expect(transactions).toEqual([['#2']]);
});

test('a request times out only while it is pending', () => {
  const { awaited, clock, transactions, waits } = bench();
  waits.request({ ...asked, ms: 50 });
  waits.answer(asked);
  clock.advance(50);
  expect(transactions).toEqual([['k waited']]);
  awaited.clear();
  clock.advance(1_000);
  expect(transactions).toHaveLength(1);
});

test('a client is informed after a while that no answer has come', () => {
  const { clock, transactions, waits } = bench();
  waits.answer(asked);
  clock.advance(1_000);
  expect(transactions).toEqual([['k overdue']]);
});

test('an order whose end the venue does not keep is canceled in time, even when that has passed, unless it has ended', () => {
  const { clock, live, transactions, waits } = bench();
  const { wallMs } = clock.now();
  waits.cancelInTime('k', null);
  waits.cancelInTime('k', wallMs + 500);
  waits.cancelInTime('k', wallMs - 500);
  clock.advance(0);
  expect(transactions).toEqual([['k own_cancel']]);
  live.clear();
  clock.advance(500);
  expect(transactions).toHaveLength(1);
});

test('a trigger that has fired is left to the venue, which knows when its order ends', () => {
  const { clock, fired, transactions, waits } = bench();
  waits.cancelInTime('k', clock.now().wallMs + 500);
  fired.add('k');
  clock.advance(500);
  expect(transactions).toEqual([]);
});

test('the end of a day is that of the wall clock, however it is corrected meanwhile', () => {
  const { clock, transactions, waits } = bench();
  waits.cancelInTime('k', clock.now().wallMs + 3_600_000);
  clock.stepWall(3_590_000);
  clock.advance(9_999);
  expect(transactions).toEqual([]);
  clock.advance(1);
  expect(transactions).toEqual([['k own_cancel']]);
  waits.cancelInTime('k', clock.now().wallMs + 1_000);
  clock.stepWall(-60_000);
  clock.advance(60_000);
  expect(transactions).toHaveLength(1);
  clock.advance(1_000);
  expect(transactions).toHaveLength(2);
});

test('thousands of requests that wait for their answers set one timer for each ten milliseconds', () => {
  const { clock, transactions, waits } = bench();
  let timers = 0;
  const at = clock.at.bind(clock);
  clock.at = (monoMs, callback) => {
    timers += 1;
    return at(monoMs, callback);
  };
  for (let each = 0; each < 5_000; each += 1) {
    waits.answer(asked);
    if (each % 100 === 99) clock.advance(1);
  }
  expect(timers).toBe(6);
  clock.advance(1_000);
  expect(transactions).toHaveLength(5_000);
});
