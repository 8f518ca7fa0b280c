/** The hours of sessions for the console: whether a session is open now, and when it next opens or closes. */
import { nextStart, periodAt, type Schedule } from '../../fix/session-schedule.ts';
import type { SessionConfig } from './config.ts';

export interface Hours {
  readonly isOpen: boolean;
  /** The next opening of a closed session, or the end of an open one; null for a session without hours. */
  readonly changesMs: number | null;
}

const always: Hours = { isOpen: true, changesMs: null };
/** The number of cached schedules; reading a time zone costs as much as a thousand comparisons. */
const maxKept = 1_000;

export class SessionHours {
  readonly #known = new Map<string, { readonly foundMs: number; readonly hours: Hours }>();

  of(session: SessionConfig, wallMs: number): Hours {
    const schedule = session.protocol === 'fix' ? session.engine.schedule : undefined;
    if (schedule === undefined) return always;
    const key = JSON.stringify(schedule);
    const known = this.#known.get(key);
    // If the clock was set back, the current time may be before the cached result.
    if (known && wallMs >= known.foundMs && wallMs < (known.hours.changesMs ?? 0))
      return known.hours;
    const hours = hoursOf(schedule, wallMs);
    if (this.#known.size >= maxKept) this.#known.clear();
    this.#known.set(key, { foundMs: wallMs, hours });
    return hours;
  }
}

function hoursOf(schedule: Schedule, wallMs: number): Hours {
  const period = periodAt(schedule, wallMs);
  return period === undefined
    ? { isOpen: false, changesMs: nextStart(schedule, wallMs) ?? null }
    : { isOpen: true, changesMs: period.endMs };
}
