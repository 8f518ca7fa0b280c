/**
 * What the signer signs, whoever asks (docs/ARCHITECTURE.md, "Signer"; docs/decisions/0042-where-the-key-lives.md): its own
 * rules, read from its own configuration, so that a bridge that was taken over cannot widen them. They are one table, which
 * `causeway signer explain` shows line by line. What only takes an order away is never limited: cancels, amends (the venue takes
 * them downward only), and quotes of which every leg withdraws.
 */
import type { Account, Side } from '../domain/units.ts';
import type { Instant } from '../runtime/clock.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import type { Action, ActionEnvelope, ActionKind } from './action.ts';
import type { Bounds, Spend } from './digest-ledger.ts';

export interface MarketLimit {
  /** Of one order or leg, in price atoms times quantity atoms. */
  readonly notional: bigint;
  /** Of one order or leg, in quantity atoms, by side. */
  readonly qty: Readonly<Record<Side, bigint>>;
  /** The highest price of a buy and the lowest of a sell; null: any. */
  readonly price: Readonly<Record<Side, bigint | null>>;
  /** Of all that one account places in a day (UTC); null: any. */
  readonly daily: NonNullable<Bounds['daily']>;
}

export interface Policy {
  readonly accounts: ReadonlySet<Account>;
  readonly actions: ReadonlySet<ActionKind>;
  /** The limits by market; null: anything in any market. */
  readonly markets: ReadonlyMap<number, MarketLimit> | null;
  readonly placementsPerSecond: number;
  readonly burst: number;
  /** How far a nonce may lie above all that the signer knows. */
  readonly maxNonceJump: number;
  /** Unix milliseconds at which the delegation of the key ends; null: never. */
  readonly expiresAtMs: number | null;
}

export type PolicyRefusal = 'policy' | 'rate' | 'expired' | 'paused';

export interface Denied {
  readonly code: PolicyRefusal;
  readonly text: string;
}

/** One order or leg of an action. */
interface Stake {
  readonly market: number;
  readonly side: Side;
  readonly price: bigint;
  readonly qty: bigint;
  readonly isMarket: boolean;
}

/** What a rule looks at, besides the policy. */
export interface Case {
  readonly envelope: ActionEnvelope;
  readonly stakes: readonly Stake[];
  readonly nowMs: number;
  /** When the delegation of the key that would sign ends; null: never. */
  readonly delegatedUntilMs: number | null;
  /** Why a person has stopped all placements; null if nobody has. */
  readonly paused: string | null;
  /** What the account has placed in the market today. */
  readonly spent: (market: number) => Spend;
  /** How far the nonce lies above all others; null if nothing is known of the account. */
  readonly jump: number | null;
}

interface Rule {
  readonly name: string;
  readonly code: PolicyRefusal;
  /** Why the action is refused; undefined if the rule allows it. */
  readonly problem: (policy: Policy, of: Case) => string | undefined;
}

/** Each stake by itself, against the limits of its market. */
function perStake(problem: (stake: Stake, limit: MarketLimit) => string | undefined) {
  return ({ markets }: Policy, { stakes }: Case): string | undefined => {
    for (const stake of stakes) {
      const limit = markets?.get(stake.market);
      const text = limit && problem(stake, limit);
      if (text !== undefined) return `${text} in market ${stake.market}`;
    }
    return undefined;
  };
}

const cancels: ReadonlySet<ActionKind> = new Set([
  'Cancel',
  'CancelAlgoOrder',
  'CancelConditionalOrder',
]);

/** In the order in which they are applied; the first that refuses decides. */
const rules: readonly Rule[] = [
  {
    name: 'delegation',
    code: 'expired',
    problem: (_policy, { delegatedUntilMs, nowMs, stakes }) =>
      stakes.length > 0 && delegatedUntilMs !== null && nowMs >= delegatedUntilMs
        ? 'the delegation of the key has ended'
        : undefined,
  },
  {
    // Reservations are on their way out at the venue; the bridge holds no token for one (R32).
    name: 'nonce reservation',
    code: 'policy',
    problem: (_policy, { envelope }) =>
      envelope.nonce_reservation_id === null ? undefined : 'a nonce reservation is not allowed',
  },
  {
    name: 'account',
    code: 'policy',
    problem({ accounts }, { envelope: { account, action } }) {
      if (!accounts.has(account)) return `account ${account} is not allowed`;
      if (action.kind !== 'PlaceConditionalOrder') return undefined;
      const { account: nested } = action.signed_trigger_order.payload;
      return nested === account ? undefined : `nested order is for ${nested}`;
    },
  },
  {
    name: 'action',
    code: 'policy',
    problem: ({ actions }, { envelope: { action } }) =>
      actions.has(action.kind) || cancels.has(action.kind)
        ? undefined
        : `${action.kind} is not allowed`,
  },
  {
    name: 'pause',
    code: 'paused',
    problem: (_policy, { paused, stakes }) =>
      stakes.length === 0 || paused === null ? undefined : `placements are paused: ${paused}`,
  },
  {
    name: 'market',
    code: 'policy',
    problem({ markets }, { stakes }) {
      const other = stakes.find(({ market }) => markets !== null && !markets.has(market));
      return other && `market ${other.market} is not allowed`;
    },
  },
  {
    name: 'quantity',
    code: 'policy',
    problem: perStake(({ qty, side }, limit) =>
      qty > limit.qty[side] ? `${side} quantity ${qty} is over ${limit.qty[side]}` : undefined,
    ),
  },
  {
    name: 'price',
    code: 'policy',
    problem: perStake(({ isMarket, price, side }, limit) => {
      // An order may be sent without a price, and is worth whatever the book asks for it.
      if (price === 0n) return 'an order without a price has no notional to compare';
      const bound = limit.price[side];
      if (bound === null) return undefined;
      // A venue need not honour the price of a market order.
      if (isMarket) return 'a market order keeps to no price';
      if (side === 'Bid' && price > bound) return `buy price ${price} is over ${bound}`;
      if (side === 'Ask' && price < bound) return `sell price ${price} is under ${bound}`;
      return undefined;
    }),
  },
  {
    name: 'notional',
    code: 'policy',
    problem: perStake((stake, limit) => {
      const notional = notionalOf(stake, limit);
      return notional > limit.notional
        ? `notional ${notional} is over ${limit.notional}`
        : undefined;
    }),
  },
  {
    name: 'daily total',
    code: 'policy',
    problem({ markets }, { spent, stakes }) {
      const [first] = stakes;
      const daily = first && markets?.get(first.market)?.daily;
      if (daily === undefined) return undefined;
      const { market, notional, qty } = spendOf(stakes, markets);
      const before = spent(market);
      const where = `in market ${market} today`;
      for (const side of ['Bid', 'Ask'] as const) {
        const total = before.qty[side] + qty[side];
        const most = daily.qty[side];
        if (most !== null && qty[side] > 0n && total > most) {
          return `${side} quantity ${total} is over ${most} ${where}`;
        }
      }
      const total = before.notional + notional;
      if (daily.notional === null || total <= daily.notional) return undefined;
      return `notional ${total} is over ${daily.notional} ${where}`;
    },
  },
  {
    name: 'nonce',
    code: 'policy',
    problem: ({ maxNonceJump }, { envelope, jump, stakes }) =>
      stakes.length > 0 && jump !== null && jump > maxNonceJump
        ? `nonce ${envelope.nonce} is ${jump} above all others, more than ${maxNonceJump}`
        : undefined,
  },
  {
    name: 'burst',
    code: 'policy',
    problem: ({ burst }, { stakes }) =>
      stakes.length > burst
        ? `${stakes.length} placements in one action are more than the burst of ${burst}`
        : undefined,
  },
];

export interface Explained {
  readonly rule: string;
  /** Undefined if the rule allows it. */
  readonly problem: string | undefined;
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

  /** What it takes is taken only if it is allowed. */
  check(of: Case, now: Instant): Denied | undefined {
    for (const { code, problem } of rules) {
      const text = problem(this.#policy, of);
      if (text !== undefined) return { code, text };
    }
    if (this.#placements.take(now.monoMs, of.stakes.length)) return undefined;
    const text = `more than ${this.#policy.placementsPerSecond} placements a second`;
    return { code: 'rate', text };
  }

  /** Whether what was signed before may be signed again: nothing new is placed, so no limit applies. */
  checkAgain(of: Case): Denied | undefined {
    for (const { code, problem } of rules) {
      if (code === 'policy') continue;
      const text = problem(this.#policy, of);
      if (text !== undefined) return { code, text };
    }
    return undefined;
  }

  /** What each rule says, without the rate. */
  explain(of: Case): Explained[] {
    return rules.map(({ name, problem }) => ({ rule: name, problem: problem(this.#policy, of) }));
  }

  /** What an action places, and the bounds of the policy for what has been signed with it. */
  claimOf(stakes: readonly Stake[]): { readonly spend: Spend; readonly bounds: Bounds } {
    const { markets, maxNonceJump } = this.#policy;
    const spend = spendOf(stakes, markets);
    return { spend, bounds: { maxNonceJump, daily: markets?.get(spend.market)?.daily ?? null } };
  }
}

/** A sell is worth at least what the signer itself holds for the lowest price. */
function notionalOf({ price, qty, side }: Stake, limit: MarketLimit | undefined): bigint {
  const least = side === 'Ask' ? (limit?.price.Ask ?? 0n) : 0n;
  return (price > least ? price : least) * qty;
}

/** All stakes of an action are in one market. */
function spendOf(stakes: readonly Stake[], markets: Policy['markets']): Spend {
  const market = stakes[0]?.market ?? 0;
  const limit = markets?.get(market);
  const qty = { Bid: 0n, Ask: 0n };
  let notional = 0n;
  for (const stake of stakes) {
    qty[stake.side] += stake.qty;
    notional += notionalOf(stake, limit);
  }
  return { market, qty, notional };
}

/** Everything in an action that may take a position. */
export function stakesOf(action: Action): readonly Stake[] {
  switch (action.kind) {
    case 'SpotPlaceOrder':
    case 'PlaceOrder':
      return [{ ...action, isMarket: action.is_market }];
    case 'SpotQuoteReplace':
    case 'QuoteReplace':
      return action.legs
        .filter(({ qty }) => qty > 0n)
        .map((leg) => ({ ...leg, market: action.market, isMarket: leg.is_market }));
    case 'PlaceAlgoOrder': {
      const { market, side, limit_price: price, total_qty: qty } = action;
      return [{ market, side, price, qty, isMarket: false }];
    }
    case 'PlaceConditionalOrder': {
      const { market, side, limit_price: price, qty } = action;
      return [{ market, side, price, qty, isMarket: false }];
    }
    case 'Cancel':
    case 'AmendOrder':
    case 'CancelAlgoOrder':
    case 'CancelConditionalOrder':
      return [];
  }
}
