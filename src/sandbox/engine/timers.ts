/** Timers in a binary heap by due time, then by `entryNo`; any of them can be removed. */
export interface Timer<T> {
  readonly dueMs: number;
  /** Determines the order of timers due at the same time. */
  readonly entryNo: number;
  readonly target: T;
  /** The position in the heap; -1 if it is not set. */
  position: number;
}

export class Timers<T> {
  readonly #heap: Timer<T>[] = [];

  first(): Timer<T> | undefined {
    return this.#heap[0];
  }

  start(dueMs: number, entryNo: number, target: T): Timer<T> {
    const timer = { dueMs, entryNo, target, position: -1 };
    this.set(timer);
    return timer;
  }

  set(timer: Timer<T>): void {
    if (timer.position >= 0) throw new Error('timer is already set');
    this.#heap.push(timer);
    this.#rise(this.#heap.length - 1, timer);
  }

  remove(timer: Timer<T>): void {
    const { position } = timer;
    if (position < 0) return;
    timer.position = -1;
    const last = this.#heap.pop();
    if (last === undefined || last === timer) return;
    this.#rise(position, last);
    this.#sink(last.position, last);
  }

  #rise(from: number, timer: Timer<T>): void {
    let position = from;
    while (position > 0) {
      const above = (position - 1) >> 1;
      const other = this.#heap[above];
      if (other === undefined || !isBefore(timer, other)) break;
      this.#put(position, other);
      position = above;
    }
    this.#put(position, timer);
  }

  #sink(from: number, timer: Timer<T>): void {
    let position = from;
    for (;;) {
      const left = this.#heap[2 * position + 1];
      const right = this.#heap[2 * position + 2];
      if (left === undefined) break;
      const least = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(least, timer)) break;
      const below = least.position;
      this.#put(position, least);
      position = below;
    }
    this.#put(position, timer);
  }

  #put(position: number, timer: Timer<T>): void {
    this.#heap[position] = timer;
    timer.position = position;
  }
}

function isBefore<T>(a: Timer<T>, b: Timer<T>): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.entryNo < b.entryNo);
}
