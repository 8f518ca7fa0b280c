/**
 * What is given up when its time is over. All of it shares one alarm, which stays set when what it was set for has ended:
 * almost nothing is ever given up, and a timer of its own for each costs more than what it watches.
 */
import type { Clock } from './clock.ts';
import { ShortLivedMap } from './short-lived-map.ts';

export interface Deadline {
  /** Monotonic. */
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

  /** How many have neither ended nor been given up. */
  get open(): number {
    return this.#open.size;
  }

  /** Answers the number by which it is deleted. */
  add(deadline: Deadline): number {
    this.#added += 1;
    this.#open.set(this.#added, deadline);
    if (deadline.dueMs < this.#alarmMs) this.#arm(deadline.dueMs);
    return this.#added;
  }

  /** It has ended by itself. */
  delete(number: number): void {
    this.#open.delete(number);
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
