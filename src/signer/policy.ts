/**
 * What the signer signs, whoever asks (docs/ARCHITECTURE.md, "Signer"): its own allow-list, read from its own
 * configuration, so that a gateway that was taken over cannot widen it. Cancels and amends are never rate-limited.
 */
import type { Account } from '../domain/units.ts';
import type { Instant } from '../runtime/clock.ts';
import type { Action, ActionEnvelope, ActionKind } from './action.ts';

export interface Policy {
  readonly accounts: ReadonlySet<Account>;
  readonly actions: ReadonlySet<ActionKind>;
  /** Market to the most that one order or leg may be worth, in price atoms times quantity atoms; null: any. */
  readonly markets: ReadonlyMap<number, bigint> | null;
  readonly placementsPerSecond: number;
  readonly burst: number;
  /** Unix milliseconds at which the delegation of the key ends; null: never. */
  readonly expiresAtMs: number | null;
}

export type PolicyRefusal = 'policy' | 'rate' | 'expired';

interface Stake {
  readonly market: number;
  readonly price: bigint;
  readonly qty: bigint;
}

export class PolicyGuard {
  readonly #policy: Policy;
  #tokens: number;
  #filledMs: number;

  constructor(policy: Policy, now: Instant) {
    this.#policy = policy;
    this.#tokens = policy.burst;
    this.#filledMs = now.monoMs;
  }

  check(
    { account, nonce_reservation_id, action }: ActionEnvelope,
    now: Instant,
  ): { readonly code: PolicyRefusal; readonly text: string } | undefined {
    const { accounts, actions, expiresAtMs } = this.#policy;
    if (expiresAtMs !== null && now.wallMs >= expiresAtMs) {
      return { code: 'expired', text: 'the delegation of the key has ended' };
    }
    // Reservations are on their way out at the venue; the bridge holds no token for one (R32).
    if (nonce_reservation_id !== null) {
      return { code: 'policy', text: 'a nonce reservation is not allowed' };
    }
    if (!accounts.has(account))
      return { code: 'policy', text: `account ${account} is not allowed` };
    if (!actions.has(action.kind)) return { code: 'policy', text: `${action.kind} is not allowed` };
    if (action.kind === 'PlaceConditionalOrder') {
      const { account: nested } = action.signed_trigger_order.payload;
      if (nested !== account) return { code: 'policy', text: `nested order is for ${nested}` };
    }
    const stakes = stakesOf(action);
    for (const stake of stakes) {
      const text = this.#overLimit(stake);
      if (text !== undefined) return { code: 'policy', text };
    }
    if (stakes.length === 0 || this.#takeToken(now)) return undefined;
    return {
      code: 'rate',
      text: `more than ${this.#policy.placementsPerSecond} placements a second`,
    };
  }

  #overLimit({ market, price, qty }: Stake): string | undefined {
    const { markets } = this.#policy;
    if (markets === null) return undefined;
    const most = markets.get(market);
    if (most === undefined) return `market ${market} is not allowed`;
    // A market order may be sent without a price, and is worth whatever the book asks for it.
    if (price === 0n)
      return `an order without a price has no notional to compare in market ${market}`;
    const notional = price * qty;
    return notional > most ? `notional ${notional} is over ${most} in market ${market}` : undefined;
  }

  #takeToken({ monoMs }: Instant): boolean {
    const { placementsPerSecond, burst } = this.#policy;
    const gained = ((monoMs - this.#filledMs) * placementsPerSecond) / 1000;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#filledMs = monoMs;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** Everything in an action that may take a position. */
function stakesOf(action: Action): Stake[] {
  switch (action.kind) {
    case 'SpotPlaceOrder':
    case 'PlaceOrder':
      return [action];
    case 'SpotQuoteReplace':
    case 'QuoteReplace':
      return action.legs
        .filter(({ qty }) => qty > 0n)
        .map(({ price, qty }) => ({ market: action.market, price, qty }));
    case 'PlaceAlgoOrder':
      return [{ market: action.market, price: action.limit_price, qty: action.total_qty }];
    case 'PlaceConditionalOrder':
      return [{ market: action.market, price: action.limit_price, qty: action.qty }];
    case 'Cancel':
    case 'AmendOrder':
    case 'CancelAlgoOrder':
    case 'CancelConditionalOrder':
      return [];
  }
}
