/** The venue's clock: that of the process, which stands while an input is dealt with, then or again. */
import type { Clock, Instant } from '../runtime/clock.ts';

export class VenueClock implements Clock {
  readonly #clock: Clock;
  #wallMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    const now = this.#clock.now();
    return this.#wallMs === undefined ? now : { ...now, wallMs: this.#wallMs };
  }

  at(monoMs: number, callback: () => void): () => void {
    return this.#clock.at(monoMs, callback);
  }

  /** All that the call does is at that time. */
  during<T>(wallMs: number, call: () => T): T {
    this.#wallMs = wallMs;
    try {
      return call();
    } finally {
      this.#wallMs = undefined;
    }
  }
}
