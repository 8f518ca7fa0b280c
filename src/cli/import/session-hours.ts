/** The hours of a QuickFIX session as a schedule of ours, whose numbers restart at the same moments. */
import { isOn, type QuickfixSession, textOf } from './quickfix-settings.ts';

export interface Hours {
  /** In the form of the configuration; undefined is open at all hours, with numbers that never restart. */
  readonly schedule: object | undefined;
  /** Notes on what a person must know or do. */
  readonly notes: readonly string[];
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const allHours: Hours = { schedule: undefined, notes: [] };

/** Seconds where they are not 0; QuickFIX/J takes a time zone behind the time, too. */
const timeForm = /^(\d\d:\d\d(?::(?!00)\d\d)?)(?::00)?(?:\s+(\S+))?$/;

export function hoursOf(session: QuickfixSession): Hours {
  const [start, end] = [textOf(session, 'starttime'), textOf(session, 'endtime')];
  if (start === undefined || end === undefined || isOn(session, 'nonstopsession')) return allHours;
  const [from, to] = [timeForm.exec(start), timeForm.exec(end)];
  if (from === null || to === null) return noted(`StartTime=${start} EndTime=${end} is no time`);
  const timeZone = from[2] ?? textOf(session, 'timezone') ?? 'UTC';
  if (!isTimeZone(timeZone)) return noted(`TimeZone=${timeZone} is not known: set engine.schedule`);
  const days = daysOf(session, from[1] ?? '', to[1] ?? '');
  if (typeof days === 'string') return noted(days);
  const notes: string[] = [];
  if (isCut(days, from[1] ?? '')) {
    notes.push(
      'a QuickFIX C++ also restarts its numbers on Sunday at 00:00, in the middle of this week: agree on startDay: sun, start: 00:00',
    );
  }
  if (isOn(session, 'uselocaltime')) {
    notes.push('UseLocalTime=Y: name the time zone of that machine in engine.schedule.timeZone');
  }
  return { schedule: { timeZone, ...days, start: from[1], end: to[1] }, notes };
}

interface Days {
  readonly days?: readonly string[];
  readonly startDay?: string;
  readonly endDay?: string;
}

/** A week that has a Sunday in it, which is where weeks begin in the eyes of QuickFIX C++. */
function isCut({ startDay, endDay }: Days, start: string): boolean {
  if (startDay === undefined || endDay === undefined) return false;
  if (startDay === 'sun' && start === '00:00') return false;
  return dayNames.indexOf(startDay) >= dayNames.indexOf(endDay);
}

/** From one day of the week to another, or on which days; words for a person where it is neither. */
function daysOf(session: QuickfixSession, start: string, end: string): Days | string {
  const [startDay, endDay] = [textOf(session, 'startday'), textOf(session, 'endday')];
  if (startDay === undefined && endDay === undefined) {
    const days = textOf(session, 'weekdays')
      ?.split(/\s*,\s*/)
      .flatMap((day) => dayOf(day) ?? []);
    return days === undefined ? {} : { days };
  }
  const [first, last] = [dayOf(startDay), dayOf(endDay)];
  const text = `StartDay=${startDay ?? ''} EndDay=${endDay ?? ''}`;
  if (first === undefined || last === undefined) {
    return `${text}: both must be a day of the week; set engine.schedule`;
  }
  // Each QuickFIX has its own idea of a week that begins again before it has ended.
  if (first === last && end > start) {
    return `${text} with EndTime after StartTime: set engine.schedule to what is meant`;
  }
  return { startDay: first, endDay: last };
}

/** By its first letters, as QuickFIX takes it. */
function dayOf(text: string | undefined): string | undefined {
  const name = text?.slice(0, 3).toLowerCase();
  return dayNames.find((day) => day === name);
}

function noted(note: string): Hours {
  return { schedule: undefined, notes: [note] };
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
