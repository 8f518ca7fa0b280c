/**
 * The keys or credentials of an account that the venue has refused, and when each may be tried again
 * (docs/decisions/0296-two-keys-and-two-credentials.md).
 */
import { backoffMs } from '../runtime/backoff.ts';

/** A key that is registered late is used within minutes; one that is never registered costs an action an hour. */
const rest = { firstMs: 60_000, maxMs: 3_600_000 };

export class RefusedKeys {
  readonly #rests = new Map<string, { untilMs: number; times: number; isReported: boolean }>();

  /** The number of keys that have been refused and not accepted since. */
  get size(): number {
    return this.#rests.size;
  }

  isResting(key: string, wallMs: number): boolean {
    return wallMs < (this.#rests.get(key)?.untilMs ?? 0);
  }

  /** `isForGood`: the answer will always be the same. Keys that only rest are then tried again at once. */
  refuse(key: string, isForGood: boolean, wallMs: number): void {
    if (this.isResting(key, isForGood ? Number.MAX_VALUE : wallMs)) return;
    if (isForGood) {
      for (const one of this.#rests.values()) if (Number.isFinite(one.untilMs)) one.untilMs = 0;
    }
    const times = (this.#rests.get(key)?.times ?? 0) + 1;
    const untilMs = isForGood ? Number.POSITIVE_INFINITY : wallMs + backoffMs(rest, times);
    this.#rests.set(key, { untilMs, times, isReported: this.#rests.get(key)?.isReported ?? false });
  }

  /** Whether this is the first query since the refusal: an operator is alerted only once. */
  isNews(key: string): boolean {
    const found = this.#rests.get(key);
    if (found === undefined || found.isReported) return false;
    found.isReported = true;
    return true;
  }

  accept(key: string): void {
    this.#rests.delete(key);
  }

  clear(): void {
    this.#rests.clear();
  }
}
