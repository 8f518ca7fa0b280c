import { expect, test } from 'vitest';
import { parseQuickfix } from '../../../src/cli/import/quickfix-settings.ts';
import { hoursOf } from '../../../src/cli/import/session-hours.ts';

const hours = (...lines: string[]) => {
  const [session] = parseQuickfix(['[SESSION]', ...lines].join('\n')).sessions;
  if (session === undefined) throw new Error('no session');
  return hoursOf(session);
};
const day = ['StartTime=00:00:00', 'EndTime=00:00:00'];

test('a day from midnight to midnight begins its numbers anew each day, as in QuickFIX', () => {
  expect(hours(...day)).toEqual({
    schedule: { timeZone: 'UTC', start: '00:00', end: '00:00' },
    notes: [],
  });
});

test('seconds stand where they are not 0', () => {
  expect(hours('StartTime=00:00:00', 'EndTime=23:59:59')).toEqual({
    schedule: { timeZone: 'UTC', start: '00:00', end: '23:59:59' },
    notes: [],
  });
});

test('a time zone is set beside the times, or after one as QuickFIX/J accepts it', () => {
  const zurich = { timeZone: 'Europe/Zurich' };
  expect(hours(...day, 'TimeZone=Europe/Zurich').schedule).toMatchObject(zurich);
  expect(hours('StartTime=08:00:00 Europe/Zurich', 'EndTime=17:00').schedule).toEqual({
    ...zurich,
    start: '08:00',
    end: '17:00',
  });
});

test.each([[['NonStopSession=Y', ...day]], [['StartTime=00:00:00']], [[]]])(
  '%j is open at all hours',
  (lines) => {
    expect(hours(...lines)).toEqual({ schedule: undefined, notes: [] });
  },
);

test.each([
  [['StartDay=sunday', ...day], 'StartDay=sunday EndDay=: both'],
  [['StartDay=sun', 'EndDay=someday', ...day], 'EndDay=someday: both'],
  [['StartDay=sun', 'EndDay=sun', 'StartTime=08:00:00', 'EndTime=17:00:00'], 'what is meant'],
  [['StartTime=8am', 'EndTime=00:00:00'], 'StartTime=8am'],
  [['StartDay=Fri', 'EndDay=Sun', ...day], 'on Sunday at 00:00'],
  [['TimeZone=Mars/Olympus', ...day], 'TimeZone=Mars/Olympus is not known'],
  [['UseLocalTime=Y', ...day], 'name the time zone'],
])('%j leaves something to a person, who is told', (lines, note) => {
  expect(hours(...lines).notes.join()).toContain(note);
});

test('a session of a week is one of ours, from its day to its other day', () => {
  const week = ['StartDay=sunday', 'EndDay=Fri', 'StartTime=17:00:00', 'EndTime=16:30:00'];
  expect(hours(...week, 'TimeZone=America/New_York')).toEqual({
    schedule: {
      timeZone: 'America/New_York',
      startDay: 'sun',
      endDay: 'fri',
      start: '17:00',
      end: '16:30',
    },
    notes: [],
  });
});

test('a week from Sunday to Sunday at midnight is that of every QuickFIX', () => {
  expect(hours('StartDay=Sunday', 'EndDay=Sunday', ...day)).toEqual({
    schedule: { timeZone: 'UTC', startDay: 'sun', endDay: 'sun', start: '00:00', end: '00:00' },
    notes: [],
  });
});

test('days are taken by their first letters', () => {
  expect(hours(...day, 'Weekdays=Monday, tue,Fri').schedule).toMatchObject({
    days: ['mon', 'tue', 'fri'],
  });
});
