/** Budgets of accounts, agents and addresses (contract A.18.6, G43, R41, R42): one bucket each, in whole numbers. */
export interface Budget {
  /** 0 switches the limit off. */
  readonly perSecond: number;
  readonly burst: number;
}

export interface Allowance {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds until one more fits; 0 while some remain. */
  readonly resetMs: number;
}

interface Bucket {
  milliTokens: number;
  monoMs: number;
}

export class RateLimiter {
  budget: Budget;
  readonly #maxKeys: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(budget: Budget, maxKeys = 10_000) {
    this.budget = budget;
    this.#maxKeys = maxKeys;
  }

  take(key: string, count: number, monoMs: number, budget: Budget = this.budget): Allowance {
    if (budget.perSecond === 0) {
      return { allowed: true, limit: budget.burst, remaining: budget.burst, resetMs: 0 };
    }
    const bucket = this.#bucket(key, budget, monoMs);
    const wanted = count * 1000;
    const allowed = bucket.milliTokens >= wanted;
    if (allowed) bucket.milliTokens -= wanted;
    const missing = Math.max(0, (allowed ? 1000 : wanted) - bucket.milliTokens);
    return {
      allowed,
      limit: budget.burst,
      remaining: Math.floor(bucket.milliTokens / 1000),
      resetMs: Math.ceil(missing / budget.perSecond),
    };
  }

  #bucket(key: string, budget: Budget, monoMs: number): Bucket {
    const full = budget.burst * 1000;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= this.#maxKeys) this.#forgetOldest();
      bucket = { milliTokens: full, monoMs };
    } else {
      const gained = Math.max(0, monoMs - bucket.monoMs) * budget.perSecond;
      bucket.milliTokens = Math.min(full, bucket.milliTokens + gained);
      bucket.monoMs = monoMs;
      this.#buckets.delete(key);
    }
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** The bucket that was touched longest ago is the fullest, so that forgetting it gives the least away. */
  #forgetOldest(): void {
    const oldest = this.#buckets.keys().next();
    if (!oldest.done) this.#buckets.delete(oldest.value);
  }
}
