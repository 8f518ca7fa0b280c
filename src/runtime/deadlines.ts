/**
 * What is given up when its time is over. All of it shares one alarm, which stays set when what it was set for has ended:
 * almost nothing is ever given up, and a timer of its own for each costs more than what it watches.
 */
import type { Clock } from './clock.ts';

export interface Deadline {
  /** Monotonic. */
  readonly dueMs: number;
  giveUp(): void;
}

export class Deadlines {
  readonly #clock: Clock;
  readonly #open = new Set<Deadline>();
  #alarmMs = Number.POSITIVE_INFINITY;
  #cancelAlarm: () => void = () => {};

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How many have neither ended nor been given up. */
  get open(): number {
    return this.#open.size;
  }

  add(deadline: Deadline): void {
    this.#open.add(deadline);
    if (deadline.dueMs < this.#alarmMs) this.#arm(deadline.dueMs);
  }

  /** It has ended by itself. */
  delete(deadline: Deadline): void {
    this.#open.delete(deadline);
  }

  /** Nothing is given up any more, whatever is added. */
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
    const due = [...this.#open].filter(({ dueMs }) => dueMs <= monoMs);
    for (const deadline of due) this.#open.delete(deadline);
    let nextMs = Number.POSITIVE_INFINITY;
    for (const { dueMs } of this.#open) nextMs = Math.min(nextMs, dueMs);
    if (nextMs < Number.POSITIVE_INFINITY) this.#arm(nextMs);
    for (const deadline of due) deadline.giveUp();
  }
}
