/**
 * What rings when a time that is always the same has passed. All that waits shares one alarm: a timer of its own for each
 * of thousands that almost never ring costs more than what they watch.
 */
import type { Clock } from './clock.ts';

interface Waiting<T> {
  readonly dueMs: number;
  readonly item: T;
}

/** What has rung is forgotten in one go, once it is so much and the greater part. */
const mostRung = 1_024;

export class FixedDelayQueue<T> {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #ring: (item: T) => void;
  /** In the order of their times, from `#first` on. */
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
    // Whoever rings may add: what comes then is due later, and the alarm is set below.
    const due: T[] = [];
    for (let next = this.#line[this.#first]; next !== undefined && next.dueMs <= monoMs; ) {
      due.push(next.item);
      this.#first += 1;
      next = this.#line[this.#first];
    }
    if (this.#first > mostRung && 2 * this.#first > this.#line.length) {
      this.#line = this.#line.slice(this.#first);
      this.#first = 0;
    }
    const next = this.#line[this.#first];
    if (next !== undefined) this.#arm(next.dueMs);
    for (const item of due) this.#ring(item);
  }
}
