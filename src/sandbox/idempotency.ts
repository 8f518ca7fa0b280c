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

  constructor(limits: IdempotencyLimits, kept = new Map<string, Kept>()) {
    this.#limits = limits;
    this.#kept = kept;
  }

  look(account: string, key: string, fingerprint: string, nowMs: number) {
    this.#expire(nowMs);
    const kept = this.#kept.get(`${account} ${key}`);
    if (kept === undefined) return { kind: 'new' as const };
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
    this.#kept.set(`${account} ${key}`, { fingerprint, response, atMs: nowMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#limits.maxKeys && oldest !== undefined) this.#kept.delete(oldest);
  }

  #expire(nowMs: number): void {
    for (const [key, { atMs }] of this.#kept) {
      if (nowMs - atMs < this.#limits.lifetimeMs) return;
      this.#kept.delete(key);
    }
  }
}
