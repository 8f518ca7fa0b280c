/**
 * The clock of an object that closes: its timers end with it, so that none fires in a closed object and none keeps the
 * process alive.
 */
import type { Clock, Instant } from './clock.ts';

export class OwnedClock implements Clock {
  readonly #clock: Clock;
  readonly #alarms = new Set<() => void>();
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Instant {
    return this.#clock.now();
  }

  at(monoMs: number, callback: () => void): () => void {
    if (this.#isClosed) return () => {};
    const cancel = this.#clock.at(monoMs, () => {
      this.#alarms.delete(cancel);
      callback();
    });
    this.#alarms.add(cancel);
    return () => {
      this.#alarms.delete(cancel);
      cancel();
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#alarms) cancel();
    this.#alarms.clear();
  }
}
