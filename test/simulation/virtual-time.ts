/**
 * Virtual time for a whole bridge. Between two alarms everything runs that waits on promises alone, as in a process
 * that has time enough. Each party has a wall clock of its own, which may be off and may jump; all share the monotonic
 * time.
 */
import type { Clock, Instant } from '../../src/runtime/clock.ts';

interface Alarm {
  readonly monoMs: number;
  readonly order: number;
  callback: Callback | undefined;
}

/** `false`: it did nothing that anybody could wait for, so nobody needs a transaction after it. */
type Callback = () => unknown;

const dayMs = 86_400_000;

export class VirtualTime {
  monoMs = 0;
  #startWallMs = Date.UTC(2026, 0, 5, 12);
  #count = 0;
  #endMs = 0;
  /** A binary heap: the next alarm is the first. */
  readonly #alarms: Alarm[] = [];

  at(monoMs: number, callback: Callback): () => void {
    const alarm: Alarm = { monoMs, order: this.#count++, callback };
    this.#push(alarm);
    return () => {
      alarm.callback = undefined;
    };
  }

  /** The day ends so soon; called before anybody has read a clock. */
  endDayIn(ms: number): void {
    this.#startWallMs = Math.ceil(this.#startWallMs / dayMs) * dayMs - ms;
  }

  after(ms: number, callback: Callback): () => void {
    return this.at(this.monoMs + ms, callback);
  }

  /** A clock of its own; `isAlive` false silences the alarms of a process that is dead. */
  clock(wall: Wall, isAlive: () => boolean = () => true): Clock {
    return {
      now: (): Instant => ({
        monoMs: this.monoMs,
        wallMs: this.#startWallMs + this.monoMs + wall.offMs,
      }),
      at: (monoMs, callback) => this.at(monoMs, () => isAlive() && callback()),
    };
  }

  /** How many alarms have ever been set. */
  get alarms(): number {
    return this.#count;
  }

  /** Nothing else happens before it. */
  get nextMs(): number {
    return Math.min(this.#alarms[0]?.monoMs ?? this.#endMs, this.#endMs);
  }

  async pass(ms: number): Promise<void> {
    const endMs = this.monoMs + ms;
    this.#endMs = endMs;
    await settled();
    for (;;) {
      const next = this.#alarms[0];
      if (next === undefined || next.monoMs > endMs) break;
      this.#pop();
      if (next.callback === undefined) continue;
      this.monoMs = Math.max(this.monoMs, next.monoMs);
      if (next.callback() !== false) await settled();
    }
    this.monoMs = endMs;
  }

  /** Time passes until the promise is settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isOver = false;
    const over = promise.finally(() => {
      isOver = true;
    });
    over.catch(() => {});
    await settled();
    for (let i = 0; !isOver; i += 1) {
      if (i > 100_000) throw new Error('nothing comes of it, however long one waits');
      await this.pass(10);
    }
    return over;
  }

  #push(alarm: Alarm): void {
    const heap = this.#alarms;
    let at = heap.push(alarm) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (isBefore(heap[above] as Alarm, alarm)) break;
      heap[at] = heap[above] as Alarm;
      at = above;
    }
    heap[at] = alarm;
  }

  #pop(): void {
    const heap = this.#alarms;
    const last = heap.pop() as Alarm;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      const right = below + 1;
      if (right < heap.length && isBefore(heap[right] as Alarm, heap[below] as Alarm)) {
        below = right;
      }
      if (isBefore(last, heap[below] as Alarm)) break;
      heap[at] = heap[below] as Alarm;
      at = below;
    }
    heap[at] = last;
  }
}

/** How far a wall clock is off. */
export interface Wall {
  offMs: number;
}

function isBefore(a: Alarm, b: Alarm): boolean {
  return a.monoMs < b.monoMs || (a.monoMs === b.monoMs && a.order < b.order);
}

/** Until everything that waits on promises alone has run. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 2; i += 1) await new Promise(setImmediate);
}
