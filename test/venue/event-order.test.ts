/** The order of the execution stream (contract G42, G48). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EventOrder, type EventStep } from '../../src/venue/event-order.ts';
import { streamEvent } from './samples.ts';

const rules = { seqModel: 'contiguous', reorderEvents: 8, reorderWaitMs: 250 } as const;
const seqs = (steps: readonly EventStep[]) =>
  steps.flatMap((step) => (step.kind === 'deliver' ? step.events.map(({ seq }) => seq) : []));
const kinds = (steps: readonly EventStep[]) => steps.map(({ kind }) => kind);

test('R66: events go out in the order of seq', () => {
  const order = new EventOrder(rules, 4);
  expect(seqs(order.live(streamEvent(5), 0))).toEqual([5]);
  expect(order.live(streamEvent(8), 0)).toEqual([{ kind: 'wait', untilMs: 250 }]);
  expect(order.live(streamEvent(7), 10)).toEqual([]);
  expect(seqs(order.live(streamEvent(6), 20))).toEqual([6, 7, 8]);
  expect(order.isBehind).toBe(false);
});

test('R65: a seq at or below the last one is ignored', () => {
  const order = new EventOrder(rules, 4);
  order.live(streamEvent(5), 0);
  expect(order.live(streamEvent(5), 0)).toEqual([]);
  expect(order.live(streamEvent(2), 0)).toEqual([]);
  expect(order.counts).toMatchObject({ delivered: 1, duplicates: 2 });
});

test('R66: a hole that stays is filled from last+1, and nothing passes it before', () => {
  const order = new EventOrder(rules, 4);
  order.live(streamEvent(7), 0);
  expect(order.time(249)).toEqual([]);
  expect(order.time(250)).toEqual([{ kind: 'fill', fromSeq: 5 }]);
  expect(order.live(streamEvent(8), 260)).toEqual([]);
  expect(seqs(order.filled([streamEvent(5), streamEvent(6), streamEvent(7)], 8, true))).toEqual([
    5, 6, 7, 8,
  ]);
  expect(order.lastSeq).toBe(8);
  expect(order.counts).toMatchObject({ delivered: 4, gapFills: 1, recovered: 3 });
});

test('R67: neither border of a page loses or doubles an event', () => {
  const order = new EventOrder(rules, 4);
  expect(order.connected()).toEqual([{ kind: 'fill', fromSeq: 5 }]);
  const page = order.filled([streamEvent(4), streamEvent(5), streamEvent(6)], 8, false);
  expect(seqs(page)).toEqual([5, 6]);
  expect(page.at(-1)).toEqual({ kind: 'fill', fromSeq: 7 });
  expect(seqs(order.filled([streamEvent(7), streamEvent(8)], 8, true))).toEqual([7, 8]);
});

test('live events wait while a new connection requests the missed ones', () => {
  const order = new EventOrder(rules, 0);
  order.connected();
  expect(order.live(streamEvent(1), 0)).toEqual([]);
  expect(order.isBehind).toBe(true);
  expect(seqs(order.filled([streamEvent(1)], 1, true))).toEqual([1]);
  expect(order.isBehind).toBe(false);
});

test('asking whether something was lost holds up no event, and no event makes its answer a contradiction', () => {
  const order = new EventOrder(rules, 4);
  expect(order.suspect()).toEqual([{ kind: 'fill', fromSeq: 5 }]);
  expect(seqs(order.live(streamEvent(5), 0))).toEqual([5]);
  expect(order.isBehind).toBe(false);
  expect(order.live(streamEvent(7), 0)).toEqual([]);
  expect(order.isBehind).toBe(true);
  expect(kinds(order.filled([], 4, true))).toEqual(['fill']);
  expect(seqs(order.filled([streamEvent(6)], 7, true))).toEqual([6, 7]);
  expect(order.latch).toBeNull();
});

test('the buffer is bounded: what does not fit is fetched', () => {
  const order = new EventOrder(rules, 0);
  for (let seq = 2; seq < 9; seq += 1) order.live(streamEvent(seq), 0);
  expect(order.live(streamEvent(9), 0)).toEqual([{ kind: 'fill', fromSeq: 1 }]);
  expect(order.live(streamEvent(10), 0)).toEqual([]);
  const steps = order.filled([streamEvent(1)], null, true);
  expect(seqs(steps)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(steps.at(-1)).toEqual({ kind: 'fill', fromSeq: 10 });
  expect(order.lag).toBe(1);
});

test('a page with a hole of its own delivers up to it and asks again', () => {
  const order = new EventOrder(rules, 0);
  order.connected();
  const steps = order.filled([streamEvent(1), streamEvent(3)], null, true);
  expect(seqs(steps)).toEqual([1]);
  expect(steps.at(-1)).toEqual({ kind: 'fill', fromSeq: 2 });
});

describe('a seq that goes backward latches', () => {
  test('the venue says that it is behind us', () => {
    const order = new EventOrder(rules, 9);
    expect(kinds(order.filled([], 8, true))).toEqual(['latch']);
    expect(order.latch).toMatch(/seq 8, but 9/);
    expect(order.live(streamEvent(10), 0)).toEqual([]);
  });

  test('another event comes under a seq that was delivered', () => {
    const order = new EventOrder(rules, 0);
    order.live(streamEvent(1), 0);
    expect(kinds(order.live(streamEvent(1, { kind: 'canceled' }), 0))).toEqual(['latch']);
  });

  test('only the latest events are kept to compare with, whatever their number', () => {
    const order = new EventOrder(rules, 0);
    for (let seq = 1; seq <= 20; seq += 1) order.live(streamEvent(seq), 0);
    expect(order.live(streamEvent(12, { kind: 'canceled' }), 0)).toEqual([]);
    expect(order.live(streamEvent(13), 0)).toEqual([]);
    expect(kinds(order.live(streamEvent(13, { kind: 'canceled' }), 0))).toEqual(['latch']);
  });

  test('an old seq comes with a newer time', () => {
    const order = new EventOrder(rules, 50);
    order.live(streamEvent(51), 0);
    expect(kinds(order.live(streamEvent(3, { engineTsMs: 1_800_000_000_000 }), 0))).toEqual([
      'latch',
    ]);
  });
});

test('R75: what the gap-fill has no more is passed over only after a rebuild', () => {
  const order = new EventOrder(rules, 4);
  order.connected();
  order.live(streamEvent(20), 0);
  order.fillFailed();
  expect(order.rebuiltTo(20)).toEqual([{ kind: 'fill', fromSeq: 21 }]);
  expect(order.lastSeq).toBe(20);
});

describe('G48: where seq counts the whole venue', () => {
  const global = { ...rules, seqModel: 'global' } as const;

  test('prevSeq shows a hole', () => {
    const order = new EventOrder(global, 10);
    expect(seqs(order.live(streamEvent(17, { prevSeq: 10 }), 0))).toEqual([17]);
    expect(kinds(order.live(streamEvent(30, { prevSeq: 21 }), 0))).toEqual(['wait']);
    expect(seqs(order.live(streamEvent(21, { prevSeq: 17 }), 0))).toEqual([21, 30]);
  });

  describe('and events have no prevSeq', () => {
    const at = (seq: number) => streamEvent(seq, { prevSeq: null });

    test('an event waits for the gap-fill, which alone shows what was lost or swapped before it', () => {
      const order = new EventOrder(global, 10);
      expect(order.live(at(30), 0)).toEqual([{ kind: 'wait', untilMs: 250 }]);
      expect(order.live(at(25), 10)).toEqual([]);
      expect(order.time(250)).toEqual([{ kind: 'fill', fromSeq: 11 }]);
      expect(order.live(at(40), 260)).toEqual([]);
      const steps = order.filled([20, 25, 30].map(at), 500, true);
      expect(seqs(steps)).toEqual([20, 25, 30]);
      expect(steps.at(-1)).toEqual({ kind: 'fill', fromSeq: 31 });
      expect(order.filled([at(40)], 500, true).map(({ kind }) => kind)).toEqual(['deliver']);
    });

    test('an event that waits is no gap, unless the query fails', () => {
      const order = new EventOrder(global, 10);
      order.live(at(30), 0);
      expect(order.isBehind).toBe(false);
      order.time(250);
      order.fillFailed();
      expect(order.isBehind).toBe(true);
    });
  });
});

test('whatever is dropped, doubled or reordered, each event is delivered once and in order', () => {
  const most = 40;
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: most }), { maxLength: 120 }),
      fc.integer({ min: 1, max: 6 }),
      (arrivals, pageSize) => {
        const order = new EventOrder(rules, 0);
        const delivered: number[] = [];
        let now = 0;
        const take = (steps: readonly EventStep[]) => {
          for (const step of steps) {
            if (step.kind === 'deliver') delivered.push(...step.events.map(({ seq }) => seq));
            if (step.kind === 'latch') throw new Error(step.reason);
            if (step.kind !== 'fill') continue;
            const last = Math.min(step.fromSeq + pageSize - 1, most);
            const page = [];
            for (let seq = step.fromSeq; seq <= last; seq += 1) page.push(streamEvent(seq));
            take(order.filled(page, most, last === most));
          }
        };
        take(order.connected());
        for (const seq of arrivals.filter((one) => one > 0)) {
          now += 40;
          take(order.live(streamEvent(seq), now));
          take(order.time(now));
        }
        expect(delivered).toEqual(Array.from({ length: most }, (_, index) => index + 1));
      },
    ),
  );
});

test('the last seq of another account, in an answer to another request, keeps ours behind only until the next answer', () => {
  const order = new EventOrder(rules, 4);
  order.connected();
  expect(order.filled([], 5000, true)).toEqual([{ kind: 'fill', fromSeq: 5 }]);
  expect(order.lag).toBe(4996);
  expect(order.filled([], 4, true)).toEqual([]);
  expect([order.lag, order.isBehind, seqs(order.live(streamEvent(5), 0))]).toEqual([0, false, [5]]);
});
