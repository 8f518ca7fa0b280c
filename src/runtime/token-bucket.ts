/** A token bucket on the monotonic clock, exact to thousandths of a token. */

/** A rate per second, with a burst. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const tokenThousandths = 1000;

export class TokenBucket {
  /** Tokens above a reduced burst are dropped at the next check. */
  limit: RateLimit;
  #thousandths: number;
  #monoMs = 0;

  constructor(limit: RateLimit) {
    this.limit = limit;
    this.#thousandths = limit.burst * tokenThousandths;
  }

  /** Takes this many tokens; if there are too few, takes none and returns false. */
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

  /** The whole tokens that were left at the last check. */
  get left(): number {
    return Math.floor(this.#thousandths / tokenThousandths);
  }

  /** The time from the last check until this many tokens are available. */
  msUntil(count: number): number {
    const missing = Math.max(0, count * tokenThousandths - this.#thousandths);
    return Math.ceil(missing / this.limit.perSecond);
  }
}
