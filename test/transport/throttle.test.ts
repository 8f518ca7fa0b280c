import { expect, test } from 'vitest';
import { Throttle } from '../../src/transport/throttle.ts';

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
