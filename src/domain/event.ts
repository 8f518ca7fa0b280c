/**
 * An event of the venue's execution stream (contract G41) whose wire form was checked. `seq` counts per account.
 * Everything that a client learns about an order's life comes from these events.
 */
import type { Denial } from './denial.ts';
import type { Account, Book, FeeMicro, MarketId, OrderId, Price, Qty, Side } from './units.ts';

export const eventKinds = [
  'accepted',
  'resting',
  'fill',
  'amended',
  'replaced',
  'canceled',
  'expired',
  'rejected',
  'triggered',
  'algo_done',
  'halt',
  'resume',
] as const;
export type EventKind = (typeof eventKinds)[number];

export const venueStatuses = [
  'filled',
  'partially_filled',
  'resting',
  'canceled',
  'applied',
  'rejected',
] as const;
export type VenueStatus = (typeof venueStatuses)[number];

export interface Fill {
  readonly fillId: string;
  readonly price: Price;
  readonly qty: Qty;
  readonly feeMicro: FeeMicro;
  readonly liquidity: 'maker' | 'taker';
  readonly tsMs: number;
}

export interface StreamEvent {
  readonly seq: number;
  readonly prevSeq: number | null;
  readonly kind: EventKind;
  readonly account: Account;
  readonly market: MarketId | null;
  readonly book: Book | null;
  readonly orderId: OrderId | null;
  readonly parentOrderId: OrderId | null;
  readonly legIndex: number | null;
  readonly clientOrderId: string | null;
  /** The venue's name of the request that caused it. */
  readonly venueRef: string | null;
  readonly side: Side | null;
  readonly price: Price | null;
  readonly qty: Qty | null;
  readonly filledQty: Qty | null;
  readonly leavesQty: Qty | null;
  readonly status: VenueStatus | null;
  /** The reason of a refusal or an end. */
  readonly denial: Denial | null;
  readonly fill: Fill | null;
  readonly engineTsMs: number;
  readonly serverTsMs: number;
}
