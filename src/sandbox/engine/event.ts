/** The execution event as it goes over the wire (contract G41): JSON-ready, amounts in safe integers. */
import type { EventKind, VenueStatus } from '../../domain/event.ts';
import type { Book, Side } from '../../domain/units.ts';

export interface ExecutionFill {
  readonly fillId: string;
  readonly price: number;
  readonly qty: number;
  /** Positive is charged, negative is a rebate. */
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
 * `clientOrderId`, `nonce` and `actionHash` name the account's own action that caused the event; they are null
 * where none did (a maker's fill, an expiry, a halt), because order state does not keep them (contract A.5).
 */
export interface ExecutionEvent {
  readonly seq: number;
  readonly prevSeq: number | null;
  readonly kind: EventKind;
  readonly account: string;
  readonly market: number | null;
  readonly book: Book | null;
  readonly orderId: string | null;
  /** The order replaced, the algo, the conditional; on a refused cancel or amend the order that it named. */
  readonly parentOrderId: string | null;
  readonly legIndex: number | null;
  readonly clientOrderId: string | null;
  readonly nonce: number | null;
  readonly actionHash: string | null;
  readonly side: Side | null;
  readonly price: number | null;
  readonly qty: number | null;
  readonly filledQty: number | null;
  readonly leavesQty: number | null;
  readonly status: VenueStatus | null;
  readonly reason: ExecutionReason | null;
  readonly fill: ExecutionFill | null;
  readonly nonceConsumed: boolean | null;
  readonly engineTsMs: number;
  readonly serverTsMs: number;
}
