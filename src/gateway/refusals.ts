/**
 * Refusals for the console and the metrics: counts by code since the start, and the reason of the latest ones. The journal
 * does not keep the reason of a refusal, so after a restart only the messages show it.
 */
import type { Denial } from '../domain/denial.ts';

export interface RefusalRow {
  readonly atMs: number;
  readonly session: string;
  readonly clOrdId: string;
  readonly code: string;
  readonly text: string;
}

/** The refused request; `key` is the bridge's key of the order if there is one. */
export interface Refusal {
  readonly denial: Denial;
  readonly session: string;
  readonly clOrdId: string;
  readonly key?: string;
  readonly atMs: number;
}

const mostLatest = 200;
const mostOrders = 20_000;

export class Refusals {
  readonly #counts = new Map<string, number>();
  readonly #latest: RefusalRow[] = [];
  /** By the key of the order, the oldest first. */
  readonly #orders = new Map<string, string>();

  /** By code. */
  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }

  /** The latest first. */
  get latest(): readonly RefusalRow[] {
    return this.#latest.toReversed();
  }

  /** Why this order, or the last request for it, was refused. */
  reasonOf(key: string): string | undefined {
    return this.#orders.get(key);
  }

  add({ atMs, clOrdId, denial, key, session }: Refusal): void {
    const code = denial.refusal.name;
    const text = denial.text ?? '';
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
    this.#latest.push({ atMs, session, clOrdId, code, text });
    if (this.#latest.length > mostLatest) this.#latest.shift();
    if (key === undefined) return;
    this.#orders.delete(key);
    this.#orders.set(key, text === '' ? code : `${code}: ${text}`);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > mostOrders && oldest !== undefined) this.#orders.delete(oldest);
  }
}
