import { expect, test } from 'vitest';
import { Calendar } from '../../src/fix/session-calendar.ts';

const schedule = {
  timeZone: 'UTC',
  days: [0, 1, 2, 3, 4, 5, 6],
  startS: 3600,
  endS: 82_800,
  lengthDays: 0,
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
  calendar.trustClock(late);
  expect(calendar.isOver(late)).toBe(true);
});

test('the numbers of a week go on over its days, and begin anew with the next week', () => {
  const week = { ...schedule, days: [1], startS: 0, endS: 22 * 3600, lengthDays: 4 };
  const calendar = new Calendar(week, monday);
  for (let day = 0; day < 4; day += 1) {
    const midnight = instant(monday + day * dayMs);
    expect([calendar.turn(midnight), calendar.isOver(midnight)]).toEqual([undefined, false]);
  }
  const friday = monday + 4 * dayMs + 22 * hourMs;
  expect(calendar.endMs(instant(friday - 1))).toBe(1);
  expect(calendar.isOver(instant(friday))).toBe(true);
  expect(calendar.nextStartMs(instant(friday))).toBe(2 * dayMs + 2 * hourMs);
  expect(calendar.turn(instant(monday + 7 * dayMs))).toEqual({
    startMs: monday + 7 * dayMs,
    resets: true,
  });
});

test('without a schedule a session never ends', () => {
  const calendar = new Calendar(undefined, 0);
  const now = instant(monday);
  expect(calendar.isOver(now)).toBe(false);
  expect(calendar.endMs(now)).toBe(Number.POSITIVE_INFINITY);
  expect(calendar.nextStartMs(now)).toBe(Number.POSITIVE_INFINITY);
  expect(calendar.turn(now)).toBeUndefined();
});

test('hours that begin earlier than they did go on under the numbers of the day', () => {
  const calendar = new Calendar({ ...schedule, startS: 1800 }, monday + hourMs);
  const noon = instant(monday + 12 * hourMs);
  expect([calendar.turn(noon), calendar.isOver(noon)]).toEqual([undefined, false]);
  expect(calendar.isOver(instant(monday + 23 * hourMs))).toBe(true);
  expect(calendar.turn(instant(monday + dayMs + hourMs))).toMatchObject({ resets: true });
});

test('hours of a day that become those of a week go on under the numbers of the day', () => {
  const week = { ...schedule, days: [0], startS: 0, endS: 22 * 3600, lengthDays: 6 };
  const calendar = new Calendar(week, monday + hourMs);
  const noon = instant(monday + 12 * hourMs);
  expect([calendar.turn(noon), calendar.isOver(noon)]).toEqual([undefined, false]);
});

test('a period that a wrong clock noted ahead of time locks nobody out, and an operator ends it', () => {
  const ahead = monday + 400 * dayMs + hourMs;
  for (const ends of ['trustClock', 'renumbered'] as const) {
    const calendar = new Calendar(schedule, ahead);
    const noon = instant(monday + 12 * hourMs);
    expect([calendar.turn(noon), calendar.isOver(noon)]).toEqual([undefined, false]);
    calendar[ends](noon);
    expect([calendar.turn(noon), calendar.isOver(noon)]).toEqual([undefined, false]);
    expect(calendar.turn(instant(monday + dayMs + 2 * hourMs))).toMatchObject({ resets: true });
  }
});

test('numbers that are set while the clock is in doubt say nothing about the period', () => {
  const calendar = new Calendar(schedule, monday + dayMs + hourMs);
  calendar.observe(instant(monday + dayMs + 2 * hourMs, 0));
  calendar.observe(instant(monday + 2 * hourMs, 1_000));
  calendar.renumbered(instant(monday + 2 * hourMs, 1_000));
  expect(calendar.numbersOfMs).toBe(monday + dayMs + hourMs);
});

test('hours that begin later than they did go on under numbers that were used since, and begin anew after others', () => {
  const early = monday + 2 * hourMs;
  for (const [usedHour, resets] of [
    [3, true],
    [5, undefined],
  ] as const) {
    const before = new Calendar(schedule, 0);
    before.turn(instant(early));
    before.used(instant(monday + usedHour * hourMs));
    const later = new Calendar({ ...schedule, startS: 4 * 3600 }, before.numbersOfMs);
    expect(later.turn(instant(monday + 12 * hourMs))?.resets).toBe(resets);
    expect(later.turn(instant(monday + dayMs + 4 * hourMs))).toMatchObject({ resets: true });
  }
});

test('the end of a connection after the end of its period is no use of the numbers of the next one', () => {
  const allDay = { ...schedule, startS: 0, endS: 0, lengthDays: 1 };
  const calendar = new Calendar(allDay, monday);
  const midnight = instant(monday + dayMs + 5);
  calendar.used(midnight);
  expect(calendar.isOver(midnight)).toBe(true);
  expect(calendar.turn(midnight)).toMatchObject({ resets: true });
});

test('numbers that are used without hours go on when the session gets hours again', () => {
  const without = new Calendar(undefined, monday + hourMs);
  without.used(instant(monday + 3 * dayMs));
  const again = new Calendar(schedule, without.numbersOfMs);
  expect(again.turn(instant(monday + 3 * dayMs + 5 * hourMs))).toMatchObject({ resets: false });
  expect(again.turn(instant(monday + 4 * dayMs + 5 * hourMs))).toMatchObject({ resets: true });
});

test('a clock in doubt notes no use', () => {
  const calendar = new Calendar(schedule, monday + hourMs);
  calendar.observe(instant(monday + 2 * hourMs, 0));
  calendar.observe(instant(monday + 9 * hourMs, 1_000));
  calendar.used(instant(monday + 9 * hourMs, 1_000));
  expect(calendar.numbersOfMs).toBe(monday + hourMs);
});
