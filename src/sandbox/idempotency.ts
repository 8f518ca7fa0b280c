/**
 * Responses stored by the client's Idempotency-Key (contract G29, R45): the same key with the same bytes gets the first
 * response again, with other bytes a conflict. Keys are stored per account for 24 hours, and their number is bounded.
 */
import type { VenueResponse } from './http-message.ts';

export interface Kept {
  readonly fingerprint: string;
  readonly response: VenueResponse;
  readonly atMs: number;
}

export interface IdempotencyLimits {
  readonly lifetimeMs: number;
  readonly maxKeys: number;
}

export class IdempotencyKeys {
  readonly #limits: IdempotencyLimits;
  // In order of insertion, and therefore of age.
  readonly #kept: Map<string, Kept>;
  /** The number of keys exceeds its bound by fewer than this. */
  readonly #lot: number;

  constructor(limits: IdempotencyLimits, kept = new Map<string, Kept>()) {
    this.#limits = limits;
    this.#kept = kept;
    this.#lot = Math.max(1, limits.maxKeys >> 4);
  }

  look(account: string, key: string, fingerprint: string, nowMs: number) {
    const kept = this.#kept.get(`${account} ${key}`);
    if (kept === undefined || nowMs - kept.atMs >= this.#limits.lifetimeMs) {
      return { kind: 'new' as const };
    }
    if (kept.fingerprint !== fingerprint) return { kind: 'conflict' as const };
    return { kind: 'replay' as const, response: kept.response };
  }

  keep(
    account: string,
    key: string,
    fingerprint: string,
    response: VenueResponse,
    nowMs: number,
  ): void {
    const name = `${account} ${key}`;
    this.#kept.delete(name);
    this.#kept.set(name, { fingerprint, response, atMs: nowMs });
    if (this.#kept.size >= this.#limits.maxKeys + this.#lot) this.#forget();
  }

  /** A Map that shrinks from the front finds its first entry slowly, so several are removed at once. */
  #forget(): void {
    let left = this.#lot;
    for (const name of this.#kept.keys()) {
      if (left === 0) return;
      left -= 1;
      this.#kept.delete(name);
    }
  }
}
