/**
 * What the signer signs, whoever asks (docs/ARCHITECTURE.md, "Signer"): its own allow-list, read from its own
 * configuration, so that a gateway that was taken over cannot widen it. Cancels and amends are never rate-limited.
 */
import type { Account, Side } from '../domain/units.ts';
import type { Instant } from '../runtime/clock.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import type { Action, ActionEnvelope, ActionKind } from './action.ts';

/**
 * The quantity bounds what can be lost. The notional bounds it only for a buy with a limit price: a sell may name any low
 * price, and a venue need not honour the price of a market order.
 */
export interface MarketLimit {
  /** In price atoms times quantity atoms. */
  readonly notional: bigint;
  /** In quantity atoms, by side. */
  readonly qty: Readonly<Record<Side, bigint>>;
}

export interface Policy {
  readonly accounts: ReadonlySet<Account>;
  readonly actions: ReadonlySet<ActionKind>;
  /** What one order or leg may be at most, by market; null: anything in any market. */
  readonly markets: ReadonlyMap<number, MarketLimit> | null;
  readonly placementsPerSecond: number;
  readonly burst: number;
  /** Unix milliseconds at which the delegation of the key ends; null: never. */
  readonly expiresAtMs: number | null;
}

export type PolicyRefusal = 'policy' | 'rate' | 'expired';

interface Stake {
  readonly market: number;
  readonly side: Side;
  readonly price: bigint;
  readonly qty: bigint;
}

export class PolicyGuard {
  readonly #policy: Policy;
  /** One token for each order that an action may place. */
  readonly #placements: TokenBucket;

  constructor(policy: Policy) {
    const { burst, placementsPerSecond: perSecond } = policy;
    this.#policy = policy;
    this.#placements = new TokenBucket({ perSecond, burst });
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
    const { burst, placementsPerSecond } = this.#policy;
    if (stakes.length > burst) {
      const text = `${stakes.length} placements in one action are more than the burst of ${burst}`;
      return { code: 'policy', text };
    }
    if (this.#placements.take(now.monoMs, stakes.length)) return undefined;
    return { code: 'rate', text: `more than ${placementsPerSecond} placements a second` };
  }

  #overLimit({ market, side, price, qty }: Stake): string | undefined {
    const { markets } = this.#policy;
    if (markets === null) return undefined;
    const most = markets.get(market);
    if (most === undefined) return `market ${market} is not allowed`;
    const mostQty = most.qty[side];
    if (qty > mostQty) return `${side} quantity ${qty} is over ${mostQty} in market ${market}`;
    // An order may be sent without a price, and is worth whatever the book asks for it.
    if (price === 0n)
      return `an order without a price has no notional to compare in market ${market}`;
    const notional = price * qty;
    if (notional <= most.notional) return undefined;
    return `notional ${notional} is over ${most.notional} in market ${market}`;
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
        .map(({ side, price, qty }) => ({ market: action.market, side, price, qty }));
    case 'PlaceAlgoOrder': {
      const { market, side, limit_price: price, total_qty: qty } = action;
      return [{ market, side, price, qty }];
    }
    case 'PlaceConditionalOrder': {
      const { market, side, limit_price: price, qty } = action;
      return [{ market, side, price, qty }];
    }
    case 'Cancel':
    case 'AmendOrder':
    case 'CancelAlgoOrder':
    case 'CancelConditionalOrder':
      return [];
  }
}
