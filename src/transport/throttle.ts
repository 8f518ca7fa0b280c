/** How many messages a client may send: a bucket of tokens on the monotonic clock, exact in thousandths of a token. */

/** So many messages a second, and so many at once. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

const tokenThousandths = 1000;

export class Budget {
  readonly #limit: RateLimit;
  #thousandths: number;
  #monoMs = 0;

  constructor(limit: RateLimit) {
    this.#limit = limit;
    this.#thousandths = limit.burst * tokenThousandths;
  }

  /** Takes one token, or answers false. */
  take(monoMs: number): boolean {
    const { perSecond, burst } = this.#limit;
    const gained = (monoMs - this.#monoMs) * perSecond;
    this.#thousandths = Math.min(burst * tokenThousandths, this.#thousandths + gained);
    this.#monoMs = monoMs;
    if (this.#thousandths < tokenThousandths) return false;
    this.#thousandths -= tokenThousandths;
    return true;
  }
}

/** The budgets of a session, and the point at which patience ends. `Type` is what a protocol calls a kind of message. */
export class Throttle<Type> {
  readonly #orders: Budget | undefined;
  readonly #cancels: Budget | undefined;
  readonly #cancelTypes: ReadonlySet<Type>;
  readonly #patience: Budget;

  constructor(limits: {
    readonly rate?: RateLimit | undefined;
    readonly cancelRate?: RateLimit | undefined;
    readonly cancelTypes: ReadonlySet<Type>;
    readonly maxRateRefusals: number;
  }) {
    this.#orders = limits.rate && new Budget(limits.rate);
    this.#cancels = limits.cancelRate && new Budget(limits.cancelRate);
    this.#cancelTypes = limits.cancelTypes;
    const burst = limits.maxRateRefusals;
    this.#patience = new Budget({ perSecond: burst / 10, burst });
  }

  judge(type: Type, monoMs: number): 'within' | 'above' | 'farAbove' {
    const budget = this.#cancelTypes.has(type) ? this.#cancels : this.#orders;
    if (budget === undefined || budget.take(monoMs)) return 'within';
    return this.#patience.take(monoMs) ? 'above' : 'farAbove';
  }
}
