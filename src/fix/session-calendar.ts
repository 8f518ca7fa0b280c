/**
 * Applies a session's schedule to the clock. A wall clock step of more than a second blocks all decisions that depend
 * on the clock until an operator confirms that it is correct: a wrong clock must not reset sequence numbers.
 */
import type { Instant } from '../runtime/clock.ts';
import { nextStart, type Period, periodAt, type Schedule } from './session-schedule.ts';

const stepMs = 1000;
const never = Number.POSITIVE_INFINITY;

export class Calendar {
  readonly #schedule: Schedule | undefined;
  /**
   * The last recorded time at which the sequence numbers were valid: the start of a period, or when they were used in
   * it. 0 without hours.
   */
  #numbersOfMs: number;
  #period: Period | undefined;
  #nextStartMs = 0;
  #offsetMs: number | undefined;
  #isSuspect = false;

  /** `before` is the calendar of a session that is opened again: what it knows about the clock still applies. */
  constructor(schedule: Schedule | undefined, numbersOfMs: number, before?: Calendar) {
    this.#schedule = schedule;
    this.#numbersOfMs = numbersOfMs;
    if (before === undefined) return;
    this.#offsetMs = before.#offsetMs;
    this.#isSuspect = before.#isSuspect;
  }

  get numbersOfMs(): number {
    return this.#numbersOfMs;
  }

  /** Returns how far the wall clock stepped since the last call; 0 for less than a second. */
  observe({ wallMs, monoMs }: Instant): number {
    const offsetMs = wallMs - monoMs;
    const step = offsetMs - (this.#offsetMs ?? offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(step) <= stepMs) return 0;
    this.#isSuspect = true;
    return step;
  }

  trustClock(now: Instant): void {
    this.#isSuspect = false;
    this.renumbered(now);
  }

  /**
   * An operator vouches for the clock or has set the numbers: a period that has not begun was noted by a wrong clock,
   * and the numbers belong to the present. Otherwise they would not start anew before that period.
   */
  renumbered({ wallMs }: Instant): void {
    if (!this.#isSuspect) this.#numbersOfMs = Math.min(this.#numbersOfMs, wallMs);
  }

  /** Returns the start of a new period, and whether its numbers must start at 1; undefined within the same period. */
  turn(now: Instant): { readonly startMs: number; readonly resets: boolean } | undefined {
    const period = this.#current(now);
    if (period === undefined || period.startMs <= this.#numbersOfMs) return undefined;
    const resets = this.#numbersOfMs !== 0;
    this.#numbersOfMs = period.startMs;
    return { startMs: period.startMs, resets };
  }

  /**
   * A connection that used the numbers begins or ends. If the hours are changed meanwhile, to begin later but before
   * this moment, the numbers go on; a session that gets hours, for the first time or again, keeps its numbers.
   */
  used(now: Instant): void {
    if (this.#schedule === undefined) this.#numbersOfMs = 0;
    else if (!this.#isSuspect && !this.isOver(now))
      this.#numbersOfMs = Math.max(this.#numbersOfMs, now.wallMs);
  }

  /**
   * Whether the period of a session that is logged on has ended. Its noted start may be later than that of the current
   * period, if the schedule begins earlier than it did or the clock was ahead; the numbers are valid in both.
   */
  isOver(now: Instant): boolean {
    if (this.#schedule === undefined || this.#isSuspect) return false;
    const period = this.#current(now);
    return period === undefined || period.startMs > this.#numbersOfMs;
  }

  /** On the monotonic clock. */
  endMs(now: Instant): number {
    const period = this.#current(now);
    return period === undefined ? never : now.monoMs + period.endMs - now.wallMs;
  }

  /** On the monotonic clock. */
  nextStartMs(now: Instant): number {
    if (this.#schedule === undefined || this.#isSuspect) return never;
    if (this.#nextStartMs <= now.wallMs) {
      this.#nextStartMs = nextStart(this.#schedule, now.wallMs) ?? never;
    }
    return now.monoMs + this.#nextStartMs - now.wallMs;
  }

  #current({ wallMs }: Instant): Period | undefined {
    if (this.#schedule === undefined || this.#isSuspect) return undefined;
    const known = this.#period;
    if (known !== undefined && wallMs >= known.startMs && wallMs < known.endMs) return known;
    this.#period = periodAt(this.#schedule, wallMs);
    return this.#period;
  }
}
