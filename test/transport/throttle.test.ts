import { expect, test } from 'vitest';
import { Budget, Throttle } from '../../src/transport/throttle.ts';

test('a burst is let through, then so many a second', () => {
  const budget = new Budget({ perSecond: 10, burst: 3 });
  expect([1, 2, 3, 4].map(() => budget.take(0))).toEqual([true, true, true, false]);
  expect(budget.take(99)).toBe(false);
  expect(budget.take(100)).toBe(true);
  expect(budget.take(100)).toBe(false);
});

test('unused budget does not grow beyond the burst', () => {
  const budget = new Budget({ perSecond: 1000, burst: 2 });
  budget.take(0);
  expect([1, 2, 3].map(() => budget.take(1_000_000))).toEqual([true, true, false]);
});

test('orders and cancels have budgets of their own, and patience with refusals ends', () => {
  const throttle = new Throttle({
    rate: { perSecond: 1, burst: 1 },
    cancelRate: { perSecond: 1, burst: 1 },
    cancelTypes: new Set(['F']),
    maxRateRefusals: 2,
  });
  expect(throttle.judge('D', 0)).toBe('within');
  expect(throttle.judge('D', 0)).toBe('above');
  expect(throttle.judge('F', 0)).toBe('within');
  expect(throttle.judge('D', 0)).toBe('above');
  expect(throttle.judge('D', 0)).toBe('farAbove');
});

test('without a rate everything is within', () => {
  const throttle = new Throttle({ cancelTypes: new Set(), maxRateRefusals: 1 });
  for (let i = 0; i < 1000; i += 1) expect(throttle.judge('D', 0)).toBe('within');
});
