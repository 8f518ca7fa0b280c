/** A market of the venue and the books on it; one FIX instrument for each order book (contract C.3, G54, G56). */
import type { Book, MarketId, Price, Qty } from './units.ts';

export type MarketKind = 'spot' | 'binary' | 'prediction';
export type MarketStatus = 'open' | 'halted' | 'closed' | 'settled';

export interface Market {
  readonly marketId: MarketId;
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly status: MarketStatus;
  readonly priceScale: number;
  readonly qtyScale: number;
  readonly tick: Price;
  readonly lot: Qty;
  readonly minNotional: Price;
  readonly maxQty: Qty;
  readonly expiryMs: number | null;
}

/** `book` is null on spot, set on every other kind. */
export interface Instrument {
  readonly market: Market;
  readonly book: Book | null;
}
