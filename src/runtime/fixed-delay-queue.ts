/**
 * A queue of callbacks with the same fixed delay. They share one timer: thousands of timers that almost never fire
 * would cost more than the work that they guard.
 */
import type { Clock } from './clock.ts';

interface Waiting<T> {
  readonly dueMs: number;
  readonly item: T;
}

/** Entries that have fired are removed together, once there are many and they are the majority. */
const maxRung = 1_024;

export class FixedDelayQueue<T> {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #ring: (item: T) => void;
  /** The entries in order of time, from `#first` on. */
  #line: Waiting<T>[] = [];
  #first = 0;

  constructor(clock: Clock, delayMs: number, ring: (item: T) => void) {
    this.#clock = clock;
    this.#delayMs = delayMs;
    this.#ring = ring;
  }

  add(item: T): void {
    const dueMs = this.#clock.now().monoMs + this.#delayMs;
    this.#line.push({ dueMs, item });
    if (this.#line.length - this.#first === 1) this.#arm(dueMs);
  }

  #arm(dueMs: number): void {
    this.#clock.at(dueMs, () => this.#look());
  }

  #look(): void {
    const { monoMs } = this.#clock.now();
    // A callback may add entries; they are due later, and the timer is set below.
    const due: T[] = [];
    for (let next = this.#line[this.#first]; next !== undefined && next.dueMs <= monoMs; ) {
      due.push(next.item);
      this.#first += 1;
      next = this.#line[this.#first];
    }
    if (this.#first > maxRung && 2 * this.#first > this.#line.length) {
      this.#line = this.#line.slice(this.#first);
      this.#first = 0;
    }
    const next = this.#line[this.#first];
    if (next !== undefined) this.#arm(next.dueMs);
    for (const item of due) this.#ring(item);
  }
}
