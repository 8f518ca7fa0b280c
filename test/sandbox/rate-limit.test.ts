import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RateLimiter } from '../../src/sandbox/rate-limit.ts';

test('over any time no more passes than the burst and the rate allow', () => {
  const steps = fc.array(fc.tuple(fc.nat(300), fc.integer({ min: 1, max: 4 })), { maxLength: 60 });
  fc.assert(
    fc.property(steps, (taken) => {
      const limiter = new RateLimiter({ perSecond: 10, burst: 5 });
      let nowMs = 0;
      let passed = 0;
      for (const [waitMs, count] of taken) {
        nowMs += waitMs;
        if (limiter.take('a', count, nowMs).allowed) passed += count;
        expect(passed).toBeLessThanOrEqual(5 + (nowMs * 10) / 1000);
      }
    }),
  );
});

test('after resetMs, and not before, one more fits', () => {
  const limiter = new RateLimiter({ perSecond: 3, burst: 1 });
  limiter.take('a', 1, 0);
  const { allowed, resetMs } = limiter.take('a', 1, 0);
  expect([allowed, resetMs]).toEqual([false, 334]);
  expect(limiter.take('a', 1, resetMs - 1).allowed).toBe(false);
  expect(limiter.take('a', 1, resetMs).allowed).toBe(true);
});

test('each key has its own budget, and the number of keys is bounded', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 1 }, 2);
  expect(['a', 'b', 'a'].map((key) => limiter.take(key, 1, 0).allowed)).toEqual([
    true,
    true,
    false,
  ]);
  limiter.take('c', 1, 0);
  expect(limiter.take('a', 1, 0).allowed).toBe(false);
  expect(limiter.take('b', 1, 0).allowed).toBe(true);
});

test('a rate of 0 is no limit', () => {
  const limiter = new RateLimiter({ perSecond: 0, burst: 7 });
  expect(limiter.take('a', 1000, 0)).toEqual({ allowed: true, limit: 7, remaining: 7, resetMs: 0 });
});
