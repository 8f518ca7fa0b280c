import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import {
  addGrowth,
  copyLatency,
  latencySeries,
  latencyWidth,
} from '../../src/console/latency-series.ts';
import { Latency } from '../../src/runtime/latency.ts';

function observed(values: readonly number[]): Latency {
  const latency = new Latency();
  for (const us of values) latency.observe(us);
  return latency;
}

/** A row with other numbers before and after the histogram. */
function rowOf(values: readonly number[], start: number): Float64Array {
  const row = new Float64Array(start + latencyWidth + 1).fill(77);
  copyLatency(observed(values), row, start);
  return row;
}

/** What the page displays for this quantile. */
function shown(values: readonly number[], share: number): number {
  const us = observed(values).quantileUs(share);
  return Number.isFinite(us) ? us : 20_000_000;
}

test('a range has the count, mean, quantiles and buckets of all its values, wherever they are in its rows', () => {
  const values = array(integer({ min: 0, max: 30_000_000 }), { maxLength: 30 });
  assert(
    property(array(values, { maxLength: 6 }), integer({ min: 0, max: 3 }), (steps, start) => {
      const rows = steps.map((step) => rowOf(step, start));
      const all = steps.flat();
      const sum = all.reduce((so, us) => so + us, 0);
      expect(latencySeries(rows, start)).toEqual({
        count: all.length,
        meanUs: all.length === 0 ? 0 : sum / all.length,
        p50Us: shown(all, 0.5),
        p99Us: shown(all, 0.99),
        counts: [...observed(all).counts],
        p50s: steps.map((step) => (step.length === 0 ? null : shown(step, 0.5))),
        p99s: steps.map((step) => (step.length === 0 ? null : shown(step, 0.99))),
      });
    }),
  );
});

test('of 100 values, p99 of the range and of its row is the 99th', () => {
  const of = (slow: number) => {
    const values = [...new Array(100 - slow).fill(10), ...new Array(slow).fill(1_000)];
    return latencySeries([rowOf(values, 0)], 0);
  };
  expect(of(1)).toMatchObject({ p99Us: 10, p99s: [10] });
  expect(of(2)).toMatchObject({ p99Us: 1_000, p99s: [1_000] });
});

test('a value above the highest bound is displayed as twice that bound, because JSON has no infinity', () => {
  const series = latencySeries([rowOf([10_000_001], 0)], 0);
  expect(series).toMatchObject({ p50Us: 20_000_000, p99s: [20_000_000], meanUs: 10_000_001 });
});

test('the growth between two looks is what was observed between them', () => {
  const before = rowOf([5, 90], 0);
  const now = rowOf([5, 90, 90, 4_000], 0);
  const row = new Float64Array(now.length + 2);
  addGrowth(row, 2, now, before);
  expect([...row.subarray(2)]).toEqual([...rowOf([90, 4_000], 0).fill(0, latencyWidth)]);
  addGrowth(row, 2, now, before);
  expect(latencySeries([row], 2)).toMatchObject({ count: 4, meanUs: (90 + 4_000) / 2 });
});

test('a histogram that began anew takes nothing away', () => {
  const row = new Float64Array(latencyWidth + 1);
  addGrowth(row, 0, rowOf([10], 0), rowOf([10, 10, 3_000], 0));
  expect(row.every((cell) => cell === 0)).toBe(true);
});
