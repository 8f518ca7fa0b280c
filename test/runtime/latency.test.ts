import { expect, test } from 'vitest';
import { Latency, latencyBoundsUs, nowUs } from '../../src/runtime/latency.ts';

test('an observation is counted in the step whose bound it does not exceed', () => {
  const latency = new Latency();
  for (const us of [0, 10, 10.5, 10_000_000, 10_000_001]) latency.observe(us);
  expect(latency.counts[0]).toBe(2);
  expect(latency.counts[1]).toBe(1);
  expect(latency.counts[latencyBoundsUs.length - 1]).toBe(1);
  expect(latency.counts[latencyBoundsUs.length]).toBe(1);
  expect([latency.count, latency.sumUs]).toEqual([5, 20_000_021.5 + 0]);
});

test('the bounds rise by steps of at most two thirds', () => {
  for (const [index, bound] of latencyBoundsUs.slice(1).entries()) {
    const ratio = bound / (latencyBoundsUs[index] as number);
    expect(ratio).toBeGreaterThan(1.3);
    expect(ratio).toBeLessThan(1.7);
  }
});

test('a quantile is the upper bound of the bucket that contains it', () => {
  const latency = new Latency();
  expect(latency.quantileUs(0.99)).toBe(0);
  for (let us = 1; us <= 100; us += 1) latency.observe(us);
  expect(latency.quantileUs(0.5)).toBe(50);
  expect(latency.quantileUs(0.99)).toBe(100);
  latency.observe(60_000_000);
  expect(latency.quantileUs(1)).toBe(Number.POSITIVE_INFINITY);
});

test('the time in microseconds does not go backward', () => {
  const first = nowUs();
  expect(nowUs()).toBeGreaterThanOrEqual(first);
});
