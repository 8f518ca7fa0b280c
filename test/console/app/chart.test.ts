/** The times and values beside a chart. */
import { expect, test } from 'vitest';
import { ticksTo, timesWithin } from '../../../src/console/app/chart.ts';

const minuteMs = 60_000;
const texts = (end: string, minutes: number) => {
  const endMs = Date.parse(end);
  return timesWithin(endMs - minutes * minuteMs, endMs).map(({ text }) => text);
};

test('an hour has its round ten minutes below it, without seconds', () => {
  expect(texts('2026-11-24T00:06:40Z', 60)).toEqual([
    '23:10',
    '23:20',
    '23:30',
    '23:40',
    '23:50',
    '00:00',
  ]);
});

test('a week has its days below it', () => {
  expect(texts('2026-11-24T12:00:00Z', 7 * 24 * 60)).toEqual(['11-19', '11-21', '11-23']);
});

test('no chart has more than seven times or fewer than two, and all of them lie within it', () => {
  for (let minutes = 5; minutes < 60 * 24 * 12; minutes = Math.ceil(minutes * 1.13)) {
    const endMs = Date.parse('2026-11-24T00:06:40Z') + minutes * 7_919;
    const times = timesWithin(endMs - minutes * minuteMs, endMs);
    expect(times.length, `${minutes} minutes`).toBeGreaterThanOrEqual(2);
    expect(times.length, `${minutes} minutes`).toBeLessThanOrEqual(7);
    expect(times.every(({ atMs }) => atMs > endMs - minutes * minuteMs && atMs < endMs)).toBe(true);
  }
});

test('values are marked in steps of 1, 2 or 5, and units without halves in whole steps', () => {
  expect(ticksTo(7, false)).toEqual([0, 2, 4, 6, 8]);
  expect(ticksTo(1, true)).toEqual([0, 1]);
});
