/** Timers in the order of their due times, then of `entryNo`; any of them can be removed. */
import { firstIndex } from '../../runtime/first-index.ts';

export interface Timer<T> {
  readonly dueMs: number;
  /** Determines the order of timers due at the same time; no two timers that are set have both in common. */
  readonly entryNo: number;
  readonly target: T;
}

export class Timers<T> {
  /** Latest first, so that the next one is taken from the end. */
  readonly #sorted: Timer<T>[] = [];

  first(): Timer<T> | undefined {
    return this.#sorted[this.#sorted.length - 1];
  }

  start(dueMs: number, entryNo: number, target: T): Timer<T> {
    const timer = { dueMs, entryNo, target };
    this.set(timer);
    return timer;
  }

  set(timer: Timer<T>): void {
    const place = this.#place(timer);
    if (this.#sorted[place] === timer) throw new Error('timer is already set');
    this.#sorted.splice(place, 0, timer);
  }

  remove(timer: Timer<T>): void {
    const place = this.#place(timer);
    if (this.#sorted[place] === timer) this.#sorted.splice(place, 1);
  }

  /** The place of the timer, or where it belongs. */
  #place({ dueMs, entryNo }: Timer<T>): number {
    return firstIndex(this.#sorted.length, (index) => {
      const at = this.#sorted[index] as Timer<T>;
      return at.dueMs < dueMs || (at.dueMs === dueMs && at.entryNo <= entryNo);
    });
  }
}
