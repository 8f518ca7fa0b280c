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

export type Lookup =
  | { readonly kind: 'new' }
  | { readonly kind: 'replay'; readonly response: VenueResponse }
  | { readonly kind: 'conflict' };

export interface IdempotencyLimits {
  readonly lifetimeMs: number;
  readonly maxKeys: number;
}

export class IdempotencyKeys {
  readonly #limits: IdempotencyLimits;
  // In order of insertion, and therefore of age.
  readonly #kept: Map<string, Kept>;

  constructor(limits: IdempotencyLimits, kept = new Map<string, Kept>()) {
    this.#limits = limits;
    this.#kept = kept;
  }

  look(account: string, key: string, fingerprint: string, nowMs: number): Lookup {
    this.#expire(nowMs);
    const kept = this.#kept.get(`${account} ${key}`);
    if (kept === undefined) return { kind: 'new' };
    if (kept.fingerprint !== fingerprint) return { kind: 'conflict' };
    return { kind: 'replay', response: kept.response };
  }

  keep(
    account: string,
    key: string,
    fingerprint: string,
    response: VenueResponse,
    nowMs: number,
  ): void {
    this.#kept.set(`${account} ${key}`, { fingerprint, response, atMs: nowMs });
    if (this.#kept.size > this.#limits.maxKeys) this.#dropOldest();
  }

  #expire(nowMs: number): void {
    for (const kept of this.#kept.values()) {
      if (nowMs - kept.atMs < this.#limits.lifetimeMs) return;
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    const oldest = this.#kept.keys().next();
    if (!oldest.done) this.#kept.delete(oldest.value);
  }
}
