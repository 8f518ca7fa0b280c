/** The hours of a QuickFIX session as a schedule of ours, whose numbers begin anew at the same moments. */
import { isOn, type QuickfixSession, textOf } from './quickfix-settings.ts';

export interface Hours {
  /** In the form of the configuration; undefined is open at all hours, with numbers that go on. */
  readonly schedule: object | undefined;
  /** What a person must know or do about it. */
  readonly notes: readonly string[];
}

const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const allHours: Hours = { schedule: undefined, notes: [] };

/** Seconds where they are not 0; QuickFIX/J takes a time zone behind the time, too. */
const timeForm = /^(\d\d:\d\d(?::(?!00)\d\d)?)(?::00)?(?:\s+(\S+))?$/;

export function hoursOf(session: QuickfixSession): Hours {
  const [start, end] = [textOf(session, 'starttime'), textOf(session, 'endtime')];
  if (start === undefined || end === undefined || isOn(session, 'nonstopsession')) return allHours;
  if (textOf(session, 'startday', 'endday') !== undefined) {
    return noted('hours of a whole week (StartDay, EndDay) are not known here: numbers go on');
  }
  const [from, to] = [timeForm.exec(start), timeForm.exec(end)];
  if (from === null || to === null) return noted(`StartTime=${start} EndTime=${end} is no time`);
  const timeZone = from[2] ?? textOf(session, 'timezone') ?? 'UTC';
  if (!isTimeZone(timeZone)) return noted(`TimeZone=${timeZone} is not known: set engine.schedule`);
  const days = textOf(session, 'weekdays')
    ?.split(/\s*,\s*/)
    .map((day) => day.slice(0, 3).toLowerCase())
    .filter((day) => dayNames.includes(day));
  const notes: string[] = [];
  if (isOn(session, 'uselocaltime')) {
    notes.push('UseLocalTime=Y: name the time zone of that machine in engine.schedule.timeZone');
  }
  return { schedule: { timeZone, ...(days && { days }), start: from[1], end: to[1] }, notes };
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
