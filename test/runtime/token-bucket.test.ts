import { expect, test } from 'vitest';
import { TokenBucket } from '../../src/runtime/token-bucket.ts';

test('a burst is let through, then so many a second', () => {
  const budget = new TokenBucket({ perSecond: 10, burst: 3 });
  expect([1, 2, 3, 4].map(() => budget.take(0))).toEqual([true, true, true, false]);
  expect(budget.take(99)).toBe(false);
  expect(budget.take(100)).toBe(true);
  expect(budget.take(100)).toBe(false);
});

test('unused budget does not grow beyond the burst', () => {
  const budget = new TokenBucket({ perSecond: 1000, burst: 2 });
  budget.take(0);
  expect([1, 2, 3].map(() => budget.take(1_000_000))).toEqual([true, true, false]);
});

test('several tokens are taken together or not at all', () => {
  const bucket = new TokenBucket({ perSecond: 10, burst: 3 });
  expect([bucket.take(0, 2), bucket.take(0, 2), bucket.left]).toEqual([true, false, 1]);
  expect(bucket.msUntil(2)).toBe(100);
  expect([bucket.take(99, 2), bucket.take(100, 2)]).toEqual([false, true]);
});

test('a limit that is changed holds from the next look on', () => {
  const bucket = new TokenBucket({ perSecond: 1, burst: 5 });
  bucket.limit = { perSecond: 1, burst: 1 };
  expect([bucket.take(0), bucket.take(0)]).toEqual([true, false]);
});

test('a clock that goes back takes no token away', () => {
  const bucket = new TokenBucket({ perSecond: 1, burst: 2 });
  bucket.take(1_000);
  expect([bucket.take(500), bucket.take(500)]).toEqual([true, false]);
});
