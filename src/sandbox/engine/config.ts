/** The configuration of the engine; the values come from the venue profile and its market seeds. */
import type { StpMode } from '../../domain/units.ts';
import type { ProfileMarket } from '../../venue/profile.ts';

type Amounts = 'tick' | 'lot' | 'minNotional' | 'maxQty';

/** A market of the profile, with its amounts as the engine counts. */
export type MarketSpec = Omit<ProfileMarket, Amounts | 'seedPrice' | 'status'> &
  Readonly<Record<Amounts, number>>;

/** From `minVolumeMicro` of monthly maker volume (inclusive) on, the rebate is `rebateBps`. */
export interface RebateTier {
  readonly minVolumeMicro: number;
  readonly rebateBps: number;
}

export interface Fees {
  readonly takerBps: number;
  readonly makerBps: number;
  /** In ascending order of volume; if empty, `makerBps` applies. */
  readonly tiers: readonly RebateTier[];
}

export interface Caps {
  readonly openOrders: number;
  readonly openOrdersPerMarket: number;
  readonly ordersPerLevel: number;
  readonly levelsPerSide: number;
  /** The maximum number of live algos and stored conditionals of one account together. */
  readonly parents: number;
  readonly accounts: number;
}

/** How much history is kept; the oldest is dropped first. */
export const defaultRetention = {
  eventsPerAccount: 100_000,
  eventAgeMs: 7 * 24 * 3_600_000,
  closedOrders: 100_000,
  trades: 100_000,
  receipts: 200_000,
};
export type Retention = Readonly<typeof defaultRetention>;

/** Cross-shard credit: the quote currency that open bids lock, with caps for each account and market. */
export interface Credit {
  readonly mode: 'off' | 'on' | 'killed' | 'rejecting';
  readonly accountCapMicro: number;
  readonly marketCapMicro: number;
}

export interface ExchangeConfig {
  readonly markets: readonly MarketSpec[];
  readonly fees: Fees;
  readonly caps: Caps;
  readonly retention: Retention;
  readonly credit: Credit;
  /** The meaning of `new_qty` in an amend (contract G58). */
  readonly amendQty: 'total' | 'remaining';
  /** The meaning of a null `stp_mode` (contract G59). */
  readonly defaultStp: StpMode;
  /** Whether a reduce-only sell on spot is a plain sell or is refused (contract G60); the default is `ask_only`. */
  readonly spotReduceOnly?: 'ask_only' | 'refuse';
  /** The numbers of A.18.5 for each code (contract G66). */
  readonly reasonNumbers: Readonly<Record<string, number>>;
  /** Derives the id of an algo slice from the algo's canonical text and the slice's index (contract G15). */
  deriveChildId(canonical: string, index: number): string;
}

export const creditOff: Credit = { mode: 'off', accountCapMicro: 0, marketCapMicro: 0 };
