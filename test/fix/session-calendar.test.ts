import { expect, test } from 'vitest';
import { Calendar } from '../../src/fix/session-calendar.ts';

const schedule = {
  timeZone: 'UTC',
  days: [0, 1, 2, 3, 4, 5, 6],
  startS: 3600,
  endS: 82_800,
};
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const monday = Date.UTC(2026, 0, 5);
const instant = (wallMs: number, monoMs = 0) => ({ wallMs, monoMs });

test('the first period is noted, a later one resets, the same one does neither', () => {
  const calendar = new Calendar(schedule, 0);
  expect(calendar.turn(instant(monday + 2 * hourMs))).toEqual({
    startMs: monday + hourMs,
    resets: false,
  });
  expect(calendar.turn(instant(monday + 3 * hourMs))).toBeUndefined();
  expect(calendar.turn(instant(monday + dayMs + 2 * hourMs))).toEqual({
    startMs: monday + dayMs + hourMs,
    resets: true,
  });
});

test('what was noted before a restart still counts', () => {
  const calendar = new Calendar(schedule, monday + hourMs);
  expect(calendar.turn(instant(monday + 2 * hourMs))).toBeUndefined();
  expect(calendar.isOver(instant(monday + 2 * hourMs))).toBe(false);
  expect(calendar.isOver(instant(monday + 23 * hourMs))).toBe(true);
});

test('end and next start are told on the monotonic clock', () => {
  const calendar = new Calendar(schedule, monday + hourMs);
  expect(calendar.endMs(instant(monday + 22 * hourMs, 500))).toBe(hourMs + 500);
  expect(calendar.nextStartMs(instant(monday + 23 * hourMs, 500))).toBe(2 * hourMs + 500);
});

test('a step of over a second blocks every decision until the clock is trusted', () => {
  const calendar = new Calendar(schedule, monday + hourMs);
  expect(calendar.observe(instant(monday + 2 * hourMs, 0))).toBe(0);
  expect(calendar.observe(instant(monday + 2 * hourMs + 2_000, 1_000))).toBe(0);
  expect(calendar.observe(instant(monday + 2 * dayMs, 2_000))).toBeGreaterThan(dayMs);
  const late = instant(monday + 2 * dayMs, 2_000);
  expect(calendar.isOver(late)).toBe(false);
  expect(calendar.turn(late)).toBeUndefined();
  calendar.trustClock();
  expect(calendar.isOver(late)).toBe(true);
});

test('without a schedule a session never ends', () => {
  const calendar = new Calendar(undefined, 0);
  const now = instant(monday);
  expect(calendar.isOver(now)).toBe(false);
  expect(calendar.endMs(now)).toBe(Number.POSITIVE_INFINITY);
  expect(calendar.nextStartMs(now)).toBe(Number.POSITIVE_INFINITY);
  expect(calendar.turn(now)).toBeUndefined();
});
