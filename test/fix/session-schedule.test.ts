import { expect, test } from 'vitest';
import { nextStart, periodAt, type Schedule } from '../../src/fix/session-schedule.ts';

const office: Schedule = {
  timeZone: 'Europe/Zurich',
  days: [1, 2, 3, 4, 5],
  startS: 8 * 3600,
  endS: 17 * 3600,
  lengthDays: 0,
};
const at = (text: string) => Date.parse(text);

test('a period lies between start and end of a day of the zone', () => {
  const period = periodAt(office, at('2026-01-05T12:00:00Z'));
  expect(period).toEqual({
    startMs: at('2026-01-05T07:00:00Z'),
    endMs: at('2026-01-05T16:00:00Z'),
  });
  expect(periodAt(office, at('2026-01-05T06:59:59.999Z'))).toBeUndefined();
  expect(periodAt(office, at('2026-01-05T16:00:00Z'))).toBeUndefined();
});

test('there is none on a day that is not listed', () => {
  expect(periodAt(office, at('2026-01-04T12:00:00Z'))).toBeUndefined();
  expect(nextStart(office, at('2026-01-02T20:00:00Z'))).toBe(at('2026-01-05T07:00:00Z'));
});

test('summer time moves the start in UTC', () => {
  expect(periodAt(office, at('2026-03-27T12:00:00Z'))?.startMs).toBe(at('2026-03-27T07:00:00Z'));
  expect(periodAt(office, at('2026-03-30T12:00:00Z'))?.startMs).toBe(at('2026-03-30T06:00:00Z'));
});

test('a period over midnight belongs to the day on which it starts', () => {
  const night = { ...office, startS: 22 * 3600, endS: 6 * 3600, lengthDays: 1 };
  expect(periodAt(night, at('2026-01-10T02:00:00Z'))?.startMs).toBe(at('2026-01-09T21:00:00Z'));
  expect(periodAt(night, at('2026-01-11T02:00:00Z'))).toBeUndefined();
});

test('equal start and end make 24 hours without a break', () => {
  const always = {
    ...office,
    days: [0, 1, 2, 3, 4, 5, 6],
    startS: 79_200,
    endS: 79_200,
    lengthDays: 1,
  };
  const before = periodAt(always, at('2026-01-05T20:59:59.999Z'));
  const after = periodAt(always, at('2026-01-05T21:00:00Z'));
  expect(before?.endMs).toBe(after?.startMs);
});

test('a day with the hour of change in it is as long as it is', () => {
  const always = {
    timeZone: 'America/New_York',
    days: [0, 1, 2, 3, 4, 5, 6],
    startS: 0,
    endS: 0,
    lengthDays: 1,
  };
  const { startMs, endMs } = periodAt(always, at('2026-03-08T12:00:00Z'))!;
  expect((endMs - startMs) / 3_600_000).toBe(23);
  const autumn = periodAt(always, at('2026-11-01T12:00:00Z'))!;
  expect((autumn.endMs - autumn.startMs) / 3_600_000).toBe(25);
});

const week: Schedule = {
  timeZone: 'America/New_York',
  days: [0],
  startS: 17 * 3600,
  endS: 16 * 3600,
  lengthDays: 5,
};

test('a period of a week goes from its day to its other day, and not over the weekend', () => {
  const sunday = at('2026-01-04T22:00:00Z');
  const friday = at('2026-01-09T21:00:00Z');
  expect(periodAt(week, sunday - 1)).toBeUndefined();
  for (const wallMs of [sunday, at('2026-01-07T12:00:00Z'), friday - 1]) {
    expect(periodAt(week, wallMs)).toEqual({ startMs: sunday, endMs: friday });
  }
  expect(periodAt(week, friday)).toBeUndefined();
  expect(nextStart(week, friday)).toBe(at('2026-01-11T22:00:00Z'));
  expect(nextStart(week, sunday)).toBe(at('2026-01-11T22:00:00Z'));
});

test('a week in which the clocks change is as long as it is', () => {
  const all = { ...week, endS: week.startS, lengthDays: 7 };
  const { startMs, endMs } = periodAt(all, at('2026-03-04T12:00:00Z')) ?? { startMs: 0, endMs: 0 };
  expect((endMs - startMs) / 3_600_000).toBe(7 * 24 - 1);
  expect(periodAt(all, endMs)?.startMs).toBe(endMs);
});
