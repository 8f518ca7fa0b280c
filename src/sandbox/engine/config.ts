/** The configuration of the engine; the values come from the venue profile and its market seeds. */
import type { MarketKind } from '../../domain/instrument.ts';
import type { StpMode } from '../../domain/units.ts';

export interface MarketSpec {
  readonly marketId: number;
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly priceScale: number;
  readonly qtyScale: number;
  readonly tick: number;
  readonly lot: number;
  readonly minNotional: number;
  readonly maxQty: number;
  readonly expiryMs: number | null;
}

/** From `minVolumeMicro` of maker volume in the month, inclusive, the rebate is `rebateBps`. */
export interface RebateTier {
  readonly minVolumeMicro: number;
  readonly rebateBps: number;
}

export interface Fees {
  readonly takerBps: number;
  readonly makerBps: number;
  /** In ascending order of volume; empty leaves `makerBps` alone. */
  readonly tiers: readonly RebateTier[];
}

export interface Caps {
  readonly openOrders: number;
  readonly openOrdersPerMarket: number;
  readonly ordersPerLevel: number;
  readonly levelsPerSide: number;
  /** Live algos and stored conditionals of one account, counted together. */
  readonly parents: number;
  readonly accounts: number;
}

/** How much of the past is kept; what falls out is forgotten oldest first. */
export const defaultRetention = {
  eventsPerAccount: 100_000,
  eventAgeMs: 7 * 24 * 3_600_000,
  closedOrders: 100_000,
  trades: 100_000,
  receipts: 200_000,
};
export type Retention = Readonly<typeof defaultRetention>;

/** Cross-shard credit: the quote currency that open bids lock, capped for an account and for a market. */
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
  /** How `new_qty` of an amend reads (contract G58). */
  readonly amendQty: 'total' | 'remaining';
  /** What a null `stp_mode` means (contract G59). */
  readonly defaultStp: StpMode;
  /** Whether a reduce-only sell on spot is a plain sell or refused (contract G60); absent is `ask_only`. */
  readonly spotReduceOnly?: 'ask_only' | 'refuse';
  /** The numbers of A.18.5 that go with a code (contract G66). */
  readonly reasonNumbers: Readonly<Record<string, number>>;
  /** Id of an algo slice from the canonical text of the algo and the slice's index (contract G15). */
  deriveChildId(canonical: string, index: number): string;
}

export const creditOff: Credit = { mode: 'off', accountCapMicro: 0, marketCapMicro: 0 };
