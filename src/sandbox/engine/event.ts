/** The execution event in its wire form (contract G41): JSON-ready, with amounts in safe integers. */
import type { EventKind, VenueStatus } from '../../domain/event.ts';
import type { Book, Side } from '../../domain/units.ts';

export interface ExecutionFill {
  readonly fillId: string;
  readonly price: number;
  readonly qty: number;
  /** Positive for a charge, negative for a rebate. */
  readonly feeMicro: number;
  readonly liquidity: 'maker' | 'taker';
  readonly tsMs: number;
}

export interface ExecutionReason {
  readonly code: string;
  readonly number: number | null;
  readonly text: string;
}

/**
 * The template of each event, a single literal, so that all events have the same shape. `clientOrderId`, `nonce` and
 * `actionHash` identify the account's own action that caused the event; they are null if there is none (a maker's fill,
 * an expiry, a halt), because order state does not keep them (contract A.5).
 */
export const blank = {
  seq: 0,
  prevSeq: null as number | null,
  kind: 'accepted' as EventKind,
  account: '',
  market: null as number | null,
  book: null as Book | null,
  orderId: null as string | null,
  /** The replaced order, the algo or the conditional; for a refused cancel or amend, the order that it named. */
  parentOrderId: null as string | null,
  legIndex: null as number | null,
  clientOrderId: null as string | null,
  nonce: null as number | null,
  actionHash: null as string | null,
  side: null as Side | null,
  price: null as number | null,
  qty: null as number | null,
  filledQty: null as number | null,
  leavesQty: null as number | null,
  status: null as VenueStatus | null,
  reason: null as ExecutionReason | null,
  fill: null as ExecutionFill | null,
  nonceConsumed: null as boolean | null,
  engineTsMs: 0,
  serverTsMs: 0,
};
export type ExecutionEvent = Readonly<typeof blank>;
