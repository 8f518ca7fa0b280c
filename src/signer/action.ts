/**
 * The signed data: the action envelope and the venue's ten actions (contract A.4-A.8). Members carry the venue's
 * canonical names, so that the field table of the profile drives the encoder directly; amounts and nonces are bigint,
 * because they are u64 at the venue.
 */
import type {
  Account,
  Book,
  MarketId,
  OrderId,
  Price,
  Qty,
  Side,
  StpMode,
  TimeInForce,
} from '../domain/units.ts';

/** The fields that every resting order and every leg share, contract A.7. */
interface OrderTerms {
  readonly side: Side;
  readonly price: Price;
  readonly qty: Qty;
  readonly stp_mode: StpMode | null;
  readonly time_in_force: TimeInForce;
  readonly is_market: boolean;
  readonly reduce_only: boolean;
  /** Unix milliseconds, whatever unit the profile writes it in; null when unset. */
  readonly expires_at: number | null;
}

export interface SpotPlaceOrder extends OrderTerms {
  readonly kind: 'SpotPlaceOrder';
  readonly market: MarketId;
}

/** On outcome markets; `OutcomePlaceOrder` is its name on input only. */
export interface PlaceOrder extends OrderTerms {
  readonly kind: 'PlaceOrder';
  readonly market: MarketId;
  readonly book: Book;
}

export interface Cancel {
  readonly kind: 'Cancel';
  readonly order_id: OrderId;
}

export interface AmendOrder {
  readonly kind: 'AmendOrder';
  readonly order_id: OrderId;
  readonly new_qty: Qty;
}

/** `qty` 0 cancels only, `cancel_order_id` null places only, both set replace. */
export interface SpotLeg extends OrderTerms {
  readonly cancel_order_id: OrderId | null;
}

export interface OutcomeLeg extends SpotLeg {
  readonly book: Book;
}

export interface SpotQuoteReplace {
  readonly kind: 'SpotQuoteReplace';
  readonly market: MarketId;
  readonly legs: readonly SpotLeg[];
}

export interface QuoteReplace {
  readonly kind: 'QuoteReplace';
  readonly market: MarketId;
  readonly legs: readonly OutcomeLeg[];
}

/** Which parameters a kind has is data of the profile (contract G06). */
export interface Strategy {
  readonly kind: 'iceberg' | 'twap' | 'vwap';
  readonly slice_qty?: Qty;
  readonly interval_ms?: number;
}

/** `book` is null on spot markets (contract G08). */
export interface PlaceAlgoOrder {
  readonly kind: 'PlaceAlgoOrder';
  readonly market: MarketId;
  readonly book: Book | null;
  readonly side: Side;
  readonly total_qty: Qty;
  readonly limit_price: Price;
  readonly time_in_force: TimeInForce;
  readonly strategy: Strategy;
}

export interface CancelAlgoOrder {
  readonly kind: 'CancelAlgoOrder';
  readonly order_id: OrderId;
}

export interface PlaceConditionalOrder {
  readonly kind: 'PlaceConditionalOrder';
  readonly market: MarketId;
  readonly book: Book | null;
  readonly side: Side;
  readonly qty: Qty;
  readonly limit_price: Price;
  readonly trigger_price: Price;
  readonly trigger_direction: string;
  readonly conditional_kind: string;
  readonly reduce_only: boolean;
  /** Signed before the outer action is built; its nonce is the lower neighbour (contract G20). */
  readonly signed_trigger_order: SignedAction;
}

export interface CancelConditionalOrder {
  readonly kind: 'CancelConditionalOrder';
  readonly order_id: OrderId;
}

export type Action =
  | SpotPlaceOrder
  | PlaceOrder
  | Cancel
  | AmendOrder
  | SpotQuoteReplace
  | QuoteReplace
  | PlaceAlgoOrder
  | CancelAlgoOrder
  | PlaceConditionalOrder
  | CancelConditionalOrder;

export const actionKinds = [
  'SpotPlaceOrder',
  'PlaceOrder',
  'Cancel',
  'AmendOrder',
  'SpotQuoteReplace',
  'QuoteReplace',
  'PlaceAlgoOrder',
  'CancelAlgoOrder',
  'PlaceConditionalOrder',
  'CancelConditionalOrder',
] as const satisfies readonly Action['kind'][];
export type ActionKind = Action['kind'];

export interface ActionEnvelope {
  readonly account: Account;
  readonly nonce: bigint;
  /** Deprecated at the venue: the bridge always sends null. */
  readonly nonce_reservation_id: string | null;
  /** Left out of the canonical bytes when absent. */
  readonly client_order_id?: string | undefined;
  /** Unix milliseconds. */
  readonly ts: number;
  readonly action: Action;
}

export interface Signature {
  readonly scheme: string;
  /** 65 bytes: r, s, v. */
  readonly bytes: Uint8Array;
}

export interface SignedAction {
  readonly payload: ActionEnvelope;
  readonly signature: Signature;
}

/** An action that cannot be written or read as canonical bytes; `field` says where. */
export class ActionError extends Error {
  readonly field: string;

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}
