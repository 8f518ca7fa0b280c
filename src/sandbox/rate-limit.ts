/** Budgets of accounts, agents and addresses (contract A.18.6, G43, R41, R42): one bucket each, in integers. */
import { type RateLimit, TokenBucket } from '../runtime/token-bucket.ts';

export type Allowance = ReturnType<RateLimiter['take']>;

export class RateLimiter {
  /** A rate of 0 disables the limit. */
  budget: RateLimit;
  /** While disabled, everything passes and nothing is counted. */
  isOff = false;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, TokenBucket>();

  constructor(budget: RateLimit, maxKeys = 10_000) {
    this.budget = budget;
    this.#maxKeys = maxKeys;
  }

  /** `resetMs` is the time until the next request is allowed; 0 while some are left. */
  take(key: string, count: number, monoMs: number, budget: RateLimit = this.budget) {
    if (this.isOff || budget.perSecond === 0) {
      return { allowed: true, limit: budget.burst, remaining: budget.burst, resetMs: 0 };
    }
    const bucket = this.#bucket(key, budget);
    const allowed = bucket.take(monoMs, count);
    return {
      allowed,
      limit: budget.burst,
      remaining: bucket.left,
      resetMs: bucket.msUntil(allowed ? 1 : count),
    };
  }

  #bucket(key: string, budget: RateLimit): TokenBucket {
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#maxKeys) this.#forgetOldest();
      bucket = new TokenBucket(budget);
    } else {
      bucket.limit = budget;
      this.#buckets.delete(key);
    }
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** The least recently used bucket is the fullest, so dropping it gives away the least. */
  #forgetOldest(): void {
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
