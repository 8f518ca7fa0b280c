/**
 * The signer's policy (docs/ARCHITECTURE.md, "Signer"; docs/decisions/0042-the-signer.md). The signer reads the rules
 * from its own configuration, so a compromised bridge cannot widen them. They are one table, which `causeway signer
 * explain` prints row by row. Actions that only reduce an order are never limited: cancels, amends (the venue only
 * accepts a lower quantity), and quotes in which every leg withdraws.
 */
import type { Account, Side } from '../domain/units.ts';
import type { Instant } from '../runtime/clock.ts';
import { TokenBucket } from '../runtime/token-bucket.ts';
import type { Action, ActionEnvelope, ActionKind } from './action.ts';
import { type Bounds, mostNotional, type Refused, type Spend } from './digest-ledger.ts';

export interface MarketLimit {
  /** The maximum of one order or leg, in price atoms times quantity atoms. */
  readonly notional: bigint;
  /** The maximum of one order or leg, in quantity atoms, by side. */
  readonly qty: Readonly<Record<Side, bigint>>;
  /** The maximum price of a buy and the minimum price of a sell; null means no limit. */
  readonly price: Readonly<Record<Side, bigint | null>>;
  /** The maximum that one account places in a day (UTC); null means no limit. */
  readonly daily: NonNullable<Bounds['daily']>;
}

export interface Policy {
  readonly accounts: ReadonlySet<Account>;
  readonly actions: ReadonlySet<ActionKind>;
  /** The limits by market; null means no limits in any market. */
  readonly markets: ReadonlyMap<number, MarketLimit> | null;
  readonly placementsPerSecond: number;
  readonly burst: number;
  /** How far a nonce may be above the highest one that the signer knows. */
  readonly maxNonceJump: number;
  /** A nonce that a person has looked up at the venue; null allows any nonce for the first placement of an account. */
  readonly knownNonce: number | null;
  /** Unix milliseconds at which the delegation of the key ends; null means never. */
  readonly expiresAtMs: number | null;
}

type PolicyRefusal = 'policy' | 'rate' | 'expired' | 'paused';

/** One order or leg of an action. */
interface Stake {
  readonly market: number;
  readonly side: Side;
  readonly price: bigint;
  readonly qty: bigint;
  readonly isMarket: boolean;
}

/** The input of a rule, besides the policy. */
export interface Case {
  readonly envelope: ActionEnvelope;
  readonly stakes: readonly Stake[];
  readonly nowMs: number;
  /** When the delegation of the key that would sign ends; null means never. */
  readonly delegatedUntilMs: number | null;
  /** The reason of a pause; null if placements are not paused. */
  readonly paused: string | null;
  /** The account's total in the market today. */
  readonly spent: (market: number) => Spend;
  /** The account's highest nonce in the ledger, -1 if it has none; null if only the attempt to record shows it. */
  readonly highest: number | null;
}

interface Rule {
  readonly name: string;
  readonly code: PolicyRefusal;
  /** Why the action is refused; undefined if the rule allows it. */
  readonly problem: (policy: Policy, of: Case) => string | undefined;
}

/** Compares each stake with the limits of its market. */
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

/** Applied in this order; the first rule that refuses decides. */
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
    // The venue is phasing reservations out, and the bridge has no token for one (R32).
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
      // An order without a price costs whatever the book asks.
      if (price === 0n) return 'an order without a price has no notional to compare';
      const bound = limit.price[side];
      if (bound === null) return undefined;
      // A venue may ignore the price of a market order.
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
      if (stakes.length === 0) return undefined;
      const { market, notional, qty } = spendOf(stakes, markets);
      const daily = markets?.get(market)?.daily;
      const before = spent(market);
      const where = `in market ${market} today`;
      for (const side of ['Bid', 'Ask'] as const) {
        const total = before.qty[side] + qty[side];
        const most = daily?.qty[side] ?? null;
        if (most !== null && qty[side] > 0n && total > most) {
          return `${side} quantity ${total} is over ${most} ${where}`;
        }
      }
      const total = before.notional + notional;
      const most = daily?.notional ?? null;
      if (most !== null && total > most) return `notional ${total} is over ${most} ${where}`;
      return total > mostNotional
        ? `notional ${total} is more than the ledger can count ${where}`
        : undefined;
    },
  },
  {
    name: 'nonce',
    code: 'policy',
    problem({ knownNonce, maxNonceJump }, { envelope, highest, stakes }) {
      const known = Math.max(highest ?? -1, knownNonce ?? -1);
      if (stakes.length === 0 || highest === null || known < 0) return undefined;
      const jump = Number(envelope.nonce) - known;
      if (jump <= maxNonceJump) return undefined;
      return `nonce ${envelope.nonce} is ${jump} above all others, more than ${maxNonceJump}`;
    },
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

const rulesAgain = rules.filter(({ code }) => code !== 'policy');

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

  /** Tokens are taken only if the action is allowed. */
  check(of: Case, now: Instant): Refused | undefined {
    const denied = this.#firstDenied(rules, of);
    if (denied !== undefined) return denied;
    if (this.#placements.take(now.monoMs, of.stakes.length)) return undefined;
    const text = `more than ${this.#policy.placementsPerSecond} placements a second`;
    return { code: 'rate', text };
  }

  /** Whether an action that was signed before may be signed again. It places nothing new, so no limit applies. */
  checkAgain(of: Case): Refused | undefined {
    return this.#firstDenied(rulesAgain, of);
  }

  /** The result of each rule, without the rate. */
  explain(of: Case): Explained[] {
    return rules.map(({ name, problem }) => ({ rule: name, problem: problem(this.#policy, of) }));
  }

  #firstDenied(some: readonly Rule[], of: Case): Refused | undefined {
    for (const { code, problem } of some) {
      const text = problem(this.#policy, of);
      if (text !== undefined) return { code, text };
    }
    return undefined;
  }

  /** The quantities of an action, and the limits that depend on earlier signatures. */
  claimOf(stakes: readonly Stake[]): { readonly spend: Spend; readonly bounds: Bounds } {
    const { knownNonce, markets, maxNonceJump } = this.#policy;
    const spend = spendOf(stakes, markets);
    const daily = markets?.get(spend.market)?.daily ?? null;
    return { spend, bounds: { knownNonce, maxNonceJump, daily } };
  }
}

/** A sell counts with at least the minimum price of its market. */
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
