/** Converts the hours of a QuickFIX session to our schedule, so that sequence numbers restart at the same times. */
import { isTimeZone } from '../../gateway/config/engine-config.ts';
import { isOn, type QuickfixSession, textOf } from './quickfix-settings.ts';

export interface Hours {
  /** In the format of the configuration; undefined means always open, with sequence numbers that never restart. */
  readonly schedule: object | undefined;
  readonly notes: readonly string[];
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const allHours: Hours = { schedule: undefined, notes: [] };

/** Seconds are kept unless they are 0; QuickFIX/J also accepts a time zone after the time. */
const timeForm = /^(\d\d:\d\d(?::(?!00)\d\d)?)(?::00)?(?:\s+(\S+))?$/;

export function hoursOf(session: QuickfixSession): Hours {
  const [start, end] = [textOf(session, 'starttime'), textOf(session, 'endtime')];
  if (start === undefined || end === undefined || isOn(session, 'nonstopsession')) return allHours;
  const [from, to] = [timeForm.exec(start), timeForm.exec(end)];
  if (from === null || to === null) return noted(`StartTime=${start} EndTime=${end} is not a time`);
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

/** Whether the week contains a Sunday, on which weeks start in QuickFIX C++. */
function isCut({ startDay, endDay }: Days, start: string): boolean {
  if (startDay === undefined || endDay === undefined) return false;
  if (startDay === 'sun' && start === '00:00') return false;
  return dayNames.indexOf(startDay) >= dayNames.indexOf(endDay);
}

/** A period from one weekday to another, or a list of days; otherwise a text for the user. */
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
  // The QuickFIX engines differ about a week that starts again before it has ended.
  if (first === last && end > start) {
    return `${text} with EndTime after StartTime: set engine.schedule to what is meant`;
  }
  return { startDay: first, endDay: last };
}

/** By the first letters, like QuickFIX. */
function dayOf(text: string | undefined): string | undefined {
  const name = text?.slice(0, 3).toLowerCase();
  return dayNames.find((day) => day === name);
}

function noted(note: string): Hours {
  return { schedule: undefined, notes: [note] };
}
