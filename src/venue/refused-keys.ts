/**
 * Which keys or credentials of an account the venue has refused, and when each may be tried again
 * (docs/decisions/0296-two-keys-and-two-credentials.md).
 */
import { backoffMs } from '../runtime/backoff.ts';

/** A key that is registered late comes into use within a minute or two; one that never is costs an action an hour. */
const rest = { firstMs: 60_000, maxMs: 3_600_000 };

export class RefusedKeys {
  readonly #rests = new Map<string, { untilMs: number; times: number; isTold: boolean }>();

  /** How many have been refused and not accepted since. */
  get size(): number {
    return this.#rests.size;
  }

  isResting(key: string, wallMs: number): boolean {
    return wallMs < (this.#rests.get(key)?.untilMs ?? 0);
  }

  /** `isForGood`: whatever is asked later, the answer will be the same. */
  refuse(key: string, isForGood: boolean, wallMs: number): void {
    if (this.isResting(key, wallMs)) return;
    const times = (this.#rests.get(key)?.times ?? 0) + 1;
    const untilMs = isForGood ? Number.POSITIVE_INFINITY : wallMs + backoffMs(rest, times);
    this.#rests.set(key, { untilMs, times, isTold: this.#rests.get(key)?.isTold ?? false });
  }

  /** Whether this is the first time since it was refused: an operator is told once. */
  isNews(key: string): boolean {
    const found = this.#rests.get(key);
    if (found === undefined || found.isTold) return false;
    found.isTold = true;
    return true;
  }

  accept(key: string): void {
    this.#rests.delete(key);
  }

  clear(): void {
    this.#rests.clear();
  }
}
