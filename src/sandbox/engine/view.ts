/** The answers of the exchange: the result of an action, and the records of its queries. */
import type { VenueStatus } from '../../domain/event.ts';
import type { MarketStatus } from '../../domain/instrument.ts';
import type { Book, Side, TimeInForce } from '../../domain/units.ts';
import type { MarketSpec } from './config.ts';
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import type { EngineCode, Refusal } from './refusal.ts';

/** The outcome of an action, before it becomes the answer and the receipt. */
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
  /** False only when a gate refused before the sequencer (contract G18). */
  readonly nonceConsumed: boolean;
  /** Stream seq of the account's last event from this action; null when it made none. */
  readonly seq: number | null;
  /** Events of all accounts, in the order in which they happened. */
  readonly events: readonly ExecutionEvent[];
  readonly engineTsMs: number;
}

export interface MarketView extends MarketSpec {
  readonly status: MarketStatus;
  /** The settled side of an outcome market. */
  readonly outcome: Book | null;
}

export interface DepthView {
  readonly marketId: number;
  readonly book: Book | null;
  /** Grows with every change of the book. */
  readonly seq: number;
  /** Best first, as [price, qty]. */
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

export const orderStates = ['open', 'filled', 'canceled', 'expired'] as const;
export type OrderState = (typeof orderStates)[number];

export interface OrderView {
  readonly orderId: string;
  readonly kind: 'order' | 'algo' | 'conditional';
  readonly parentOrderId: string | null;
  readonly legIndex: number | null;
  readonly account: string;
  readonly market: number;
  readonly book: Book | null;
  readonly side: Side;
  readonly price: number;
  readonly qty: number;
  readonly filledQty: number;
  readonly leavesQty: number;
  readonly feeMicro: number;
  readonly state: OrderState;
  readonly timeInForce: TimeInForce;
  readonly expiresAt: number | null;
  readonly actionHash: string;
  readonly nonce: number;
  readonly fills: readonly ExecutionFill[];
}

export interface BalanceView {
  readonly asset: string;
  readonly free: number;
  readonly held: number;
}

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

/** Joins an action with the present state of the order that it made (contract G49). */
export interface ReceiptView {
  readonly seq: number | null;
  readonly actionHash: string;
  readonly orderId: string | null;
  readonly clientOrderId: string | null;
  readonly nonce: number;
  readonly status: VenueStatus;
  readonly rejectCode: string | null;
  readonly rejectReason: string | null;
  readonly filledQty: number;
  readonly leavesQty: number;
  readonly feeMicro: number;
  readonly fills: readonly ExecutionFill[];
  readonly engineTsMs: number;
}

/** The stored part of a receipt; the rest is read from the order when somebody asks. */
export type ReceiptRecord = Pick<
  ReceiptView,
  'seq' | 'actionHash' | 'orderId' | 'clientOrderId' | 'nonce' | 'status' | 'engineTsMs'
> & { readonly code: EngineCode | null; readonly text: string | null };

export interface Scope {
  readonly market?: number;
  readonly book?: Book;
  readonly side?: Side;
}

export type EventPage =
  | {
      readonly kind: 'page';
      readonly events: readonly ExecutionEvent[];
      readonly lastSeq: number;
      readonly complete: boolean;
    }
  | { readonly kind: 'seq_too_old'; readonly oldestSeq: number };

/** Everything, for checkers; `forgotten` counts the closed orders and trades that retention has dropped. */
export interface LedgerView {
  readonly nowMs: number;
  readonly orders: readonly OrderView[];
  readonly trades: readonly TradeView[];
  readonly accounts: readonly {
    readonly account: string;
    readonly lastSeq: number;
    readonly balances: readonly BalanceView[];
  }[];
  readonly feesMicro: number;
  readonly forgotten: { readonly orders: number; readonly trades: number };
}
