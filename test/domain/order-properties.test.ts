/** What holds of an order whatever happens to it, in whatever order. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AskedAmendment, amendmentOf, lastExecId } from '../../src/domain/amended-trade.ts';
import { eventKinds } from '../../src/domain/event.ts';
import { hasEnded } from '../../src/domain/order.ts';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { Qty } from '../../src/domain/units.ts';
import { denied } from '../support/venue-denial.ts';
import { Ladder, terms } from './ladder.ts';

const ids = fc.constantFrom('v1', 'v2', 'v3', 'elsewhere');
const hashes = fc.constantFrom(
  'h-new',
  'h-r1',
  'h-r2',
  'h-trim-1',
  'h-own-1',
  'foreign',
  undefined,
);
const requests = fc.constantFrom('new', 'r1', 'r2', 'r3', 'own-1', 'trim-1');
const reasons = fc.constantFrom(
  'order_not_open',
  'order_not_found',
  'trading_halted',
  'no_such_code',
);
const facts = fc.record({
  id: ids,
  parent: fc.option(ids, { nil: undefined }),
  hash: hashes,
  qty: fc.integer({ min: 1, max: 60 }),
  leaves: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
  reason: fc.option(reasons, { nil: undefined }),
  jump: fc.integer({ min: -3, max: 3 }),
});

/** Anything that could reach an order, sensible or not. */
const happening: fc.Arbitrary<(order: Ladder) => void> = fc.oneof(
  fc.record({ kind: fc.constantFrom(...eventKinds), facts }).map(({ kind, facts: given }) => {
    const { jump, ...defined } = given;
    const present = Object.fromEntries(
      Object.entries(defined).filter(([, value]) => value !== undefined),
    );
    return (order: Ladder) => {
      const seq = order.order.lastSeq + 1 + jump;
      order.event(kind, { ...present, seq, fillId: `f${seq}` });
    };
  }),
  fc.tuple(requests, ids).map(([id, child]) => (order: Ladder) => {
    if (id === 'new') order.sent();
    else order.requestSent(id, child);
  }),
  requests.map((id) => (order: Ladder) => void order.accept(id)),
  requests.map((id) => (order: Ladder) => void order.unknown(id)),
  fc.tuple(requests, reasons).map(([id, code]) => (order: Ladder) => {
    order.refuse(id, denied(code === 'no_such_code' ? 'ENGINE_REJECTED' : code));
  }),
  requests.map((id) => (order: Ladder) => void order.cancel(id)),
  fc.tuple(requests, fc.integer({ min: 1, max: 150 }), fc.integer({ min: 9, max: 11 })).map(
    ([id, qty, price]) =>
      (order: Ladder) =>
        void order.replace(id, qty, price),
  ),
  fc.constantFrom('own_cancel', 'restate').map((kind) => (order: Ladder) => {
    order.step({ kind: kind as 'own_cancel', text: 'closing', nowMs: 5000 });
  }),
  fc.tuple(fc.constantFrom('overdue', 'waited'), requests).map(([kind, requestId]) => {
    return (order: Ladder) => {
      order.step({ kind: kind as 'overdue', requestId, nowMs: 5000 });
    };
  }),
);

/** An operator busts or corrects one of the order's trades, if that is possible. */
const amendment = fc
  .record({
    at: fc.nat({ max: 3 }),
    isBust: fc.boolean(),
    qty: fc.integer({ min: 0, max: 60 }),
    price: fc.integer({ min: 9, max: 11 }),
  })
  .map(({ at, isBust, price, qty }) => (order: Ladder) => {
    const trade = order.order.executions[at];
    if (trade === undefined) return;
    const execId = lastExecId(trade);
    const asked: AskedAmendment = isBust
      ? { act: 'bust', execId }
      : { act: 'correct', execId, price: `${price}`, qty: `${qty}` };
    const possible = amendmentOf(order.order, asked);
    if (typeof possible !== 'string') order.step({ ...possible, nowMs: 6000 });
  });

const start = {
  first: fc.integer({ min: 1, max: 100 }),
  timeInForce: fc.constantFrom('gtc', 'ioc'),
  pendingStates: fc.boolean(),
};
const lives = fc.record({ ...start, steps: fc.array(happening, { maxLength: 40 }) });
/** Most of these orders trade, because others have nothing to amend. */
const fill = fc.integer({ min: 1, max: 9 }).map((qty) => (order: Ladder) => {
  if (order.order.phase === 'live')
    order.event('fill', { fillId: `own-${order.order.lastSeq}`, qty, price: 10 });
});
const placed = [
  (order: Ladder) => void order.sent(),
  (order: Ladder) => void order.event('resting', { id: 'v1' }),
];
const amendedLives = fc.record({
  ...start,
  steps: fc
    .array(fc.oneof(happening, fill, amendment), { maxLength: 40 })
    .map((steps) => [...placed, ...steps]),
});

function live(
  {
    first,
    timeInForce,
    pendingStates,
    steps,
  }: typeof lives extends fc.Arbitrary<infer T> ? T : never,
  check: (order: Ladder) => void,
): Ladder {
  const kind = timeInForce as 'gtc';
  const order = new Ladder(terms({ qty: BigInt(first) as Qty, timeInForce: kind }), {
    pendingStates,
  });
  for (const step of steps) {
    step(order);
    check(order);
  }
  return order;
}

const runs = { numRuns: 3000 };

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, one) => sum + one, 0n);

test('14 + 151 = 38 in every report of an order that is alive, and 151 = 0 once it has ended', () => {
  fc.assert(
    fc.property(lives, (life) => {
      for (const { order } of live(life, () => {}).reports) {
        const { cumQty, leavesQty } = order;
        if (hasEnded(order)) assert.equal(leavesQty, 0n);
        else assert.equal(cumQty + leavesQty, order.terms.qty);
      }
    }),
    runs,
  );
});

test('CumQty never falls and never passes OrderQty', () => {
  fc.assert(
    fc.property(lives, (life) => {
      let before = 0n;
      live(life, ({ order }) => {
        assert(order.cumQty >= before);
        assert(order.cumQty <= order.terms.qty);
        before = order.cumQty;
      });
    }),
    runs,
  );
});

test('whatever is busted or corrected, the sums are those of the trades, and the quantities add up', () => {
  let amended = 0;
  fc.assert(
    fc.property(amendedLives, (life) => {
      const { reports } = live(life, ({ order }) => {
        const { cumQty, executions, leavesQty, notional } = order;
        assert.equal(sumOf(executions.map(({ qty }) => qty)), cumQty);
        assert.equal(sumOf(executions.map(({ price, qty }) => price * qty)), notional);
        assert(cumQty <= order.terms.qty);
        assert.equal(leavesQty, hasEnded(order) ? 0n : order.terms.qty - cumQty);
      });
      const execIds = reports.flatMap((one) => (one.kind === 'execution' ? [one.execId] : []));
      expect(new Set(execIds).size).toBe(execIds.length);
      const isAmended = ({ kind, ...one }: (typeof reports)[number]) =>
        kind === 'execution' && 'execRefId' in one && one.execRefId !== null;
      amended += reports.filter(isAmended).length;
    }),
    runs,
  );
  expect(amended).toBeGreaterThan(500);
});

test('after the report of its end an order says nothing, unless the venue shows it alive or a late trade of it', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const reports = executions(life);
      for (const [index, { order }] of reports.entries()) {
        const next = reports[index + 1];
        if (!hasEnded(order) || next === undefined) continue;
        expect(next.execType === 'trade' || isRevival(next)).toBe(true);
        if (next.execType === 'trade') expect(hasEnded(next.order)).toBe(true);
      }
    }),
    runs,
  );
});

test('New is said once, before any trade; of an order that was rejected its revival is', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const reports = executions(life);
      const shown = reports.findIndex((one) => one.execType === 'new' || isRevival(one));
      const trade = reports.findIndex(({ execType }) => execType === 'trade');
      expect(reports.filter(({ execType }) => execType === 'new').length).toBeLessThanOrEqual(1);
      if (trade >= 0) expect([shown >= 0, shown < trade]).toEqual([true, true]);
    }),
    runs,
  );
});

function executions(life: Parameters<typeof live>[0]): ExecutionReport[] {
  return live(life, () => {}).reports.filter((report) => report.kind === 'execution');
}

/** The venue shows the order alive behind the report of its end. */
function isRevival({ execType, denial }: ExecutionReport): boolean {
  return execType === 'restated' && denial?.refusal.name === 'bridge.applied_late';
}

test('R130: every ExecID is said once, and the same inputs give the same reports', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const first = live(life, () => {}).reports;
      const execIds = first.flatMap((report) =>
        report.kind === 'execution' ? [report.execId] : [],
      );
      expect(new Set(execIds).size).toBe(execIds.length);
      assert.deepEqual(live(life, () => {}).reports, first);
    }),
    runs,
  );
});

test('every request of a client is answered at most once, and never after the order has ended and answered it', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const order = live(life, () => {});
      const { pending } = order.order;
      if (hasEnded(order.order)) expect(pending).toBeNull();
    }),
    runs,
  );
});
