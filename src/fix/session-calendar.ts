/**
 * The schedule of one session against the clock. A step of the wall clock of over a second blocks all decisions that
 * rest on it until an operator says that the clock is right: a wrong clock must not reset numbers.
 */
import type { Instant } from '../runtime/clock.ts';
import { nextStart, type Period, periodAt, type Schedule } from './session-schedule.ts';

const stepMs = 1000;
const never = Number.POSITIVE_INFINITY;

export class Calendar {
  readonly #schedule: Schedule | undefined;
  /** When the period began to which the numbers belong; 0 if that was never noted. */
  #numbersOfMs: number;
  #period: Period | undefined;
  #nextStartMs = 0;
  #offsetMs: number | undefined;
  #isSuspect = false;

  constructor(schedule: Schedule | undefined, numbersOfMs: number) {
    this.#schedule = schedule;
    this.#numbersOfMs = numbersOfMs;
  }

  /** By how much the wall clock stepped since the last call; 0 for less than a second. */
  observe({ wallMs, monoMs }: Instant): number {
    const offsetMs = wallMs - monoMs;
    const step = offsetMs - (this.#offsetMs ?? offsetMs);
    this.#offsetMs = offsetMs;
    if (Math.abs(step) <= stepMs) return 0;
    this.#isSuspect = true;
    return step;
  }

  trustClock(): void {
    this.#isSuspect = false;
  }

  /** The start of a period that the numbers do not belong to yet, and whether they must begin at 1 for it. */
  turn(now: Instant): { readonly startMs: number; readonly resets: boolean } | undefined {
    const period = this.#current(now);
    if (period === undefined || period.startMs <= this.#numbersOfMs) return undefined;
    const resets = this.#numbersOfMs !== 0;
    this.#numbersOfMs = period.startMs;
    return { startMs: period.startMs, resets };
  }

  /** The period of a session that is logged on has ended. */
  isOver(now: Instant): boolean {
    if (this.#schedule === undefined || this.#isSuspect) return false;
    return this.#current(now)?.startMs !== this.#numbersOfMs;
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
