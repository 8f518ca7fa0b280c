/** How often something may happen: a bucket of tokens on the monotonic clock, exact in thousandths of a token. */

/** So many a second, and so many at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const tokenThousandths = 1000;

export class TokenBucket {
  /** What is over a smaller burst is gone at the next look. */
  limit: RateLimit;
  #thousandths: number;
  #monoMs = 0;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#thousandths = limit.burst * tokenThousandths;
  }

  /** Takes so many tokens, or none and answers false. */
  take(monoMs: number, count = 1): boolean {
    const { perSecond, burst } = this.limit;
    const gained = Math.max(0, monoMs - this.#monoMs) * perSecond;
    this.#thousandths = Math.min(burst * tokenThousandths, this.#thousandths + gained);
    this.#monoMs = monoMs;
    const wanted = count * tokenThousandths;
    if (this.#thousandths < wanted) return false;
    this.#thousandths -= wanted;
    return true;
  }

  /** Whole tokens that were left after the last look. */
  get left(): number {
    return Math.floor(this.#thousandths / tokenThousandths);
  }

  /** From the last look until there are so many. */
  msUntil(count: number): number {
    const missing = Math.max(0, count * tokenThousandths - this.#thousandths);
    return Math.ceil(missing / this.limit.perSecond);
  }
}
