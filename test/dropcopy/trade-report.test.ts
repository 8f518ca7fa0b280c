import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import type { Price, Qty } from '../../src/domain/units.ts';
import { tradeFacts } from '../../src/dropcopy/trade-report.ts';
import { Ladder, terms } from '../domain/ladder.ts';

/** A trade of 2 at 10, and what became of it. */
function traded() {
  const order = new Ladder(terms({ qty: 5n as Qty }), {});
  order.sent();
  order.event('accepted');
  order.fill(2);
  const last = () => order.reports.at(-1) as ExecutionReport;
  return { order, last };
}

test('a trade has its own price and quantity', () => {
  expect(tradeFacts(traded().last())).toEqual({ transType: 0, qty: 2n, price: 10n });
});

test('a correction has those that count from then on', () => {
  const { order, last } = traded();
  const { execId } = last();
  order.step({ kind: 'correct', execId, price: 11n as Price, qty: 1n as Qty, nowMs: 5000 });
  expect(tradeFacts(last())).toEqual({ transType: 2, qty: 1n, price: 11n });
});

test('a busted trade has neither', () => {
  const { order, last } = traded();
  const { execId } = last();
  order.step({ kind: 'bust', execId, nowMs: 6000 });
  expect(tradeFacts(last())).toEqual({ transType: 1, qty: 0n, price: 0n });
});
