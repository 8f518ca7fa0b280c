import fc from 'fast-check';
import { expect, test } from 'vitest';
import { costOf, feeOn, mulDivFloor } from '../../../src/sandbox/engine/notional.ts';

const safe = fc.maxSafeNat();

test('a product divided and floored agrees with bigint over the whole safe range', () => {
  const property = fc.property(safe, safe, fc.integer({ min: 1, max: 10 ** 12 }), (a, b, d) => {
    const exact = (BigInt(a) * BigInt(b)) / BigInt(d);
    const expected =
      exact <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(exact) : Number.POSITIVE_INFINITY;
    expect(mulDivFloor(a, b, d)).toBe(expected);
  });
  fc.assert(property, { numRuns: 5000 });
});

test('a quotient just below an integer is not rounded up to it', () => {
  expect(mulDivFloor(1, Number.MAX_SAFE_INTEGER, 2)).toBe(4_503_599_627_370_495);
  expect(mulDivFloor(99_999_999, 99_999_999, 100_000_000)).toBe(99_999_998);
  expect(mulDivFloor(50_000_000_000, 1_000_001, 100_000_000)).toBe(500_000_500);
});

test('a fee and a rebate of the same rate are rounded towards zero alike', () => {
  expect(feeOn(19_999, 5)).toBe(9);
  expect(feeOn(19_999, -5)).toBe(-9);
  expect(Object.is(feeOn(1, -5), 0)).toBe(true);
  expect(feeOn(19_999, 0)).toBe(0);
});

test('what partial fills cost never exceeds the cost of the whole order', () => {
  const price = fc.integer({ min: 1, max: 10 ** 11 });
  const parts = fc.array(fc.integer({ min: 1, max: 10 ** 9 }), { minLength: 1, maxLength: 8 });
  const property = fc.property(price, parts, fc.nat(200), (limit, qtys, bps) => {
    const whole = costOf(
      limit,
      qtys.reduce((sum, qty) => sum + qty, 0),
      10 ** 8,
      bps,
    );
    const spent = qtys.reduce((sum, qty) => sum + costOf(limit, qty, 10 ** 8, bps), 0);
    expect(spent).toBeLessThanOrEqual(whole);
  });
  fc.assert(property, { numRuns: 2000 });
});
