/** The results of the exchange: the result of an action, and the records of its queries. */
import type { VenueStatus } from '../../domain/event.ts';
import type { Book, Side } from '../../domain/units.ts';
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import type { EngineCode, Refusal } from './refusal.ts';

/** The outcome of an action, from which the answer and the receipt are built. */
export interface Outcome {
  readonly status: VenueStatus;
  readonly refusal: Refusal | null;
  readonly orderId: string | null;
  readonly filledQty: number;
  readonly leavesQty: number;
  readonly feeMicro: number;
  readonly fills: readonly ExecutionFill[];
}

export interface ActionResult extends Outcome {
  /** False only if a gate refused it before the sequencer (contract G18). */
  readonly nonceConsumed: boolean;
  /** The stream's seq of the account's last event from this action; null if there is none. */
  readonly seq: number | null;
  /** Events of all accounts, in the order in which they occurred. */
  readonly events: readonly ExecutionEvent[];
  readonly engineTsMs: number;
}

export type OrderState = 'open' | 'filled' | 'canceled' | 'expired';

export interface TradeView {
  readonly tradeId: string;
  readonly marketId: number;
  readonly book: Book | null;
  readonly price: number;
  readonly qty: number;
  readonly takerSide: Side;
  readonly makerOrderId: string;
  readonly takerOrderId: string;
  readonly tsMs: number;
}

/** The stored part of a receipt; the rest is read from the order when it is queried. */
export interface ReceiptRecord {
  readonly seq: number | null;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly clientOrderId: string | null;
  readonly nonce: number;
  readonly status: VenueStatus;
  readonly code: EngineCode | null;
  readonly text: string | null;
  readonly engineTsMs: number;
}

export interface Scope {
  readonly market?: number;
  readonly book?: Book;
  readonly side?: Side;
}
