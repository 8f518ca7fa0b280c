/** Limits how many messages a client may send, with separate budgets for orders and cancels. */
import { type RateLimit, TokenBucket } from '../runtime/token-bucket.ts';

/** The budgets of a session, and the limit of violations. `Type` is a protocol's name for a message kind. */
export class Throttle<Type> {
  readonly #orders: TokenBucket | undefined;
  readonly #cancels: TokenBucket | undefined;
  readonly #cancelTypes: ReadonlySet<Type>;
  readonly #patience: TokenBucket;

  constructor(limits: {
    readonly rate?: RateLimit | undefined;
    readonly cancelRate?: RateLimit | undefined;
    readonly cancelTypes: ReadonlySet<Type>;
    readonly maxRateRefusals: number;
  }) {
    this.#orders = limits.rate && new TokenBucket(limits.rate);
    this.#cancels = limits.cancelRate && new TokenBucket(limits.cancelRate);
    this.#cancelTypes = limits.cancelTypes;
    const burst = limits.maxRateRefusals;
    this.#patience = new TokenBucket({ perSecond: burst / 10, burst });
  }

  judge(type: Type, monoMs: number): 'within' | 'above' | 'farAbove' {
    const budget = this.#cancelTypes.has(type) ? this.#cancels : this.#orders;
    if (budget === undefined || budget.take(monoMs)) return 'within';
    return this.#patience.take(monoMs) ? 'above' : 'farAbove';
  }
}
