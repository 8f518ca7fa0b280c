/**
 * The venue's clock: the process's clock plus an error that an operator sets. It does not move while an input is
 * processed, neither the first time nor when it is processed again after a restart.
 */
import type { Clock, Instant } from '../runtime/clock.ts';

/** The difference from the process's clock, and its rate of change. */
export interface ClockError {
  readonly offsetMs: number;
  readonly driftPpm: number;
}

export class VenueClock implements Clock {
  readonly #clock: Clock;
  #fixedWallMs: number | undefined;
  #error: ClockError = { offsetMs: 0, driftPpm: 0 };
  #errorSinceMonoMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    const now = this.#clock.now();
    const wallMs = this.#fixedWallMs ?? now.wallMs + this.#offsetMs(now.monoMs);
    return { ...now, wallMs };
  }

  at(monoMs: number, callback: () => void): () => void {
    return this.#clock.at(monoMs, callback);
  }

  /** Jumps to that difference at once; the monotonic clock, which no peer sees, remains that of the process. */
  setError(change: Partial<ClockError>): void {
    const { monoMs } = this.#clock.now();
    this.#error = { ...this.#error, offsetMs: this.#offsetMs(monoMs), ...change };
    this.#errorSinceMonoMs = monoMs;
  }

  /** The present error. */
  get error(): ClockError {
    return { ...this.#error, offsetMs: this.#offsetMs(this.#clock.now().monoMs) };
  }

  /** Everything in the call happens at that time. */
  during<T>(wallMs: number, call: () => T): T {
    const before = this.#fixedWallMs;
    this.#fixedWallMs = wallMs;
    try {
      return call();
    } finally {
      this.#fixedWallMs = before;
    }
  }

  #offsetMs(monoMs: number): number {
    const { driftPpm, offsetMs } = this.#error;
    return offsetMs + Math.trunc(((monoMs - this.#errorSinceMonoMs) * driftPpm) / 1_000_000);
  }
}
