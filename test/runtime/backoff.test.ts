/** Backoff with jitter (contract A.18.6). */
import { expect, test } from 'vitest';
import { backoffMs } from '../../src/runtime/backoff.ts';

test('R39: it begins near 250 ms, doubles with jitter, and stays within 5 s', () => {
  const rules = { firstMs: 250, maxMs: 5000 };
  const span = (failures: number) => [
    backoffMs(rules, failures, () => 0),
    backoffMs(rules, failures, () => 0.999_999),
  ];
  expect(span(1)).toEqual([200, 300]);
  expect(span(2)).toEqual([400, 600]);
  expect(span(5)).toEqual([3200, 4800]);
  expect(span(6)).toEqual([4000, 5000]);
  expect(span(1_000_000)).toEqual([4000, 5000]);
});

test('without chance the waits are the steps themselves', () => {
  const rules = { firstMs: 20, maxMs: 500 };
  const waits = [0, 1, 2, 3, 4, 5, 6, 7].map((failures) => backoffMs(rules, failures));
  expect(waits).toEqual([20, 20, 40, 80, 160, 320, 500, 500]);
});
