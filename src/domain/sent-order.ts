/**
 * A new order in the words of its client, for people who look for a refused one. It may have been refused because it
 * cannot be read, so all members are text, empty where the client sent nothing.
 */
import type { Side } from './units.ts';

export interface SentOrder {
  readonly clOrdId: string;
  readonly account: string;
  readonly symbol: string;
  readonly side: (typeof sideTexts)[Side] | '';
  readonly qty: string;
  /** Null for an order without a price. */
  readonly price: string | null;
  readonly ordType: string;
  readonly timeInForce: string;
}

export interface SentRequest {
  readonly clOrdId: string;
  /** Null if the request is not a new order. */
  readonly order: SentOrder | null;
}

/** Side(54) in words. */
export const sideTexts = { Bid: 'Buy', Ask: 'Sell' } as const satisfies Record<Side, string>;

/** No valid value is longer, and an invalid one is kept only this far. */
export const maxSentChars = 64;
