/**
 * The hours of a session (FIX 4.4 volume 2, "FIX session"): days, start, end and time zone; a period may span several
 * days of the week. The first logon of a period starts with MsgSeqNum(34) 1. Days are those of the time zone, so
 * daylight saving time moves the start in UTC.
 */
import { entryOf } from '../runtime/entry-of.ts';
export interface Schedule {
  /** An IANA name, such as `Europe/Zurich`. */
  readonly timeZone: string;
  /** The days on which a period starts; 0 is Sunday. */
  readonly days: readonly number[];
  /** Times of day. */
  readonly startS: number;
  readonly endS: number;
  /** The days from start to end, at most a week; periods do not overlap. */
  readonly lengthDays: number;
}

export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** The period that contains `wallMs`; undefined outside hours. */
export function periodAt(schedule: Schedule, wallMs: number): Period | undefined {
  const local = localMs(schedule.timeZone, wallMs);
  const today = Math.floor(local / dayMs);
  for (let ago = 0; ago <= schedule.lengthDays; ago += 1) {
    const period = periodOf(schedule, today - ago);
    if (period !== undefined && wallMs >= period.startMs && wallMs < period.endMs) return period;
  }
  return undefined;
}

/** The first start after `wallMs`. */
export function nextStart(schedule: Schedule, wallMs: number): number | undefined {
  const today = Math.floor(localMs(schedule.timeZone, wallMs) / dayMs);
  for (let day = today; day <= today + 8; day += 1) {
    const period = periodOf(schedule, day);
    if (period !== undefined && period.startMs > wallMs) return period.startMs;
  }
  return undefined;
}

/** `day` counts local days from 1970-01-01, a Thursday. */
function periodOf(schedule: Schedule, day: number): Period | undefined {
  const weekday = (((day + 4) % 7) + 7) % 7;
  if (!schedule.days.includes(weekday)) return undefined;
  const { timeZone, startS, endS, lengthDays } = schedule;
  return {
    startMs: utcMs(timeZone, day * dayMs + startS * 1000),
    endMs: utcMs(timeZone, (day + lengthDays) * dayMs + endS * 1000),
  };
}

/** The local time in that zone, in the form of a UTC time. */
function localMs(timeZone: string, wallMs: number): number {
  return wallMs + offsetMs(timeZone, wallMs);
}

/** The instant of the local time `local`: the first one if it occurs twice, the next one if it is skipped. */
function utcMs(timeZone: string, local: number): number {
  const before = local - offsetMs(timeZone, local - dayMs / 2);
  if (before + offsetMs(timeZone, before) === local) return before;
  return local - offsetMs(timeZone, local + dayMs / 2);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetMs(timeZone: string, wallMs: number): number {
  const make = () => new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const format = entryOf(formats, timeZone, make);
  const name = format.formatToParts(wallMs).find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? '') ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs;
  return sign === '-' ? -offset : offset;
}
