/**
 * Entries with a timeout. They share one timer, which stays set when its entry ends: timeouts are rare, and a timer for
 * each entry would cost more than the work that it guards.
 */
import type { Clock } from './clock.ts';
import { ShortLivedMap } from './short-lived-map.ts';

export interface Deadline {
  /** On the monotonic clock. */
  readonly dueMs: number;
  giveUp(): void;
}

export class Deadlines {
  readonly #clock: Clock;
  readonly #open = new ShortLivedMap<number, Deadline>();
  #added = 0;
  #alarmMs = Number.POSITIVE_INFINITY;
  #cancelAlarm: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The number of entries that have neither ended nor timed out. */
  get open(): number {
    return this.#open.size;
  }

  /** Returns the id for `delete`. */
  add(deadline: Deadline): number {
    this.#added += 1;
    this.#open.set(this.#added, deadline);
    if (deadline.dueMs < this.#alarmMs) this.#arm(deadline.dueMs);
    return this.#added;
  }

  /** The entry has ended without a timeout. */
  delete(number: number): void {
    this.#open.delete(number);
  }

  /** No entry times out any more, even if it is added later. */
  close(): void {
    this.#cancelAlarm();
    this.#open.clear();
    this.#alarmMs = Number.NEGATIVE_INFINITY;
  }

  #arm(atMs: number): void {
    this.#cancelAlarm();
    this.#alarmMs = atMs;
    this.#cancelAlarm = this.#clock.at(atMs, () => this.#look());
  }

  #look(): void {
    const { monoMs } = this.#clock.now();
    this.#alarmMs = Number.POSITIVE_INFINITY;
    const due: Deadline[] = [];
    let nextMs = Number.POSITIVE_INFINITY;
    for (const [number, deadline] of this.#open) {
      if (deadline.dueMs > monoMs) nextMs = Math.min(nextMs, deadline.dueMs);
      else if (this.#open.delete(number)) due.push(deadline);
    }
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
    for (const deadline of due) deadline.giveUp();
  }
}
