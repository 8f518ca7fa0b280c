/**
 * Limits alarms that every message could raise to one per minute. The first is raised at once, and the next one
 * contains the number in between.
 */
import { entryOf } from './entry-of.ts';

const quietMs = 60_000;

export class FoldedAlarm {
  #count = 0;
  #alarmed = 0;
  #nextAlarmMs = Number.NEGATIVE_INFINITY;

  /** The number since the start. */
  get count(): number {
    return this.#count;
  }

  /** Counts one; returns the alarm to raise, or undefined within a minute of the last. */
  add(what: string, monoMs: number): string | undefined {
    this.#count += 1;
    if (monoMs < this.#nextAlarmMs) return undefined;
    const others = this.#count - this.#alarmed - 1;
    this.#alarmed = this.#count;
    this.#nextAlarmMs = monoMs + quietMs;
    return others === 0 ? what : `${what}; ${others} more since the last one`;
  }
}

/** One for each of a few keys, so that a flood of one kind hides no other. */
export class FoldedAlarms<Key> {
  readonly #byKey = new Map<Key, FoldedAlarm>();

  add(key: Key, what: string, monoMs: number): string | undefined {
    return entryOf(this.#byKey, key, () => new FoldedAlarm()).add(what, monoMs);
  }
}
