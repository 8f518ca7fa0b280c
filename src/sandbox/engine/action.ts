/**
 * The requests to the engine: the actions of contract A.6 after ingress has parsed, verified and hashed them.
 * Amounts are atomic units in numbers that ingress has checked to be safe integers.
 */
import type { Book, Side, TimeInForce } from '../../domain/units.ts';

/** `book` is null in the spot envelope and set in the outcome envelope, whichever market is named. */
interface Named {
  readonly market: number;
  readonly book: Book | null;
  readonly side: Side;
}

export interface Place extends Named {
  readonly kind: 'place';
  readonly price: number;
  readonly qty: number;
  /** Any text is allowed, so that the engine itself refuses an unknown mode. */
  readonly stpMode: string | null;
  readonly timeInForce: TimeInForce;
  readonly isMarket: boolean;
  readonly reduceOnly: boolean;
  /** Unix milliseconds, exclusive: the order has expired once now >= expiresAt. */
  readonly expiresAt: number | null;
}

export interface Cancel {
  readonly kind: 'cancel' | 'cancel_algo' | 'cancel_conditional';
  readonly orderId: string;
}

export interface Amend {
  readonly kind: 'amend';
  readonly orderId: string;
  readonly newQty: number;
}

/** With `cancelOrderId` and `qty` 0 the leg only cancels; with null it only places; otherwise it does both. */
export interface ReplaceLeg extends Omit<Place, 'kind' | 'market'> {
  readonly cancelOrderId: string | null;
}

export interface Replace {
  readonly kind: 'replace';
  readonly market: number;
  readonly legs: readonly ReplaceLeg[];
}

export type Strategy =
  | { readonly kind: 'iceberg'; readonly sliceQty: number }
  | { readonly kind: 'twap' | 'vwap'; readonly sliceQty: number; readonly intervalMs: number };

export interface PlaceAlgo extends Named {
  readonly kind: 'place_algo';
  readonly totalQty: number;
  readonly limitPrice: number;
  readonly timeInForce: TimeInForce;
  readonly strategy: Strategy;
}

export interface PlaceConditional extends Named {
  readonly kind: 'place_conditional';
  readonly qty: number;
  readonly limitPrice: number;
  readonly triggerPrice: number;
  readonly triggerDirection: 'at_or_above' | 'at_or_below';
  readonly reduceOnly: boolean;
  /**
   * The nested signed action, which ingress has verified like any other. It has the same market, book, side and
   * quantity, and is placed when the trigger fires.
   */
  readonly nested: { readonly action: Place; readonly ids: ActionIds };
}

export type EngineAction = Place | Cancel | Amend | Replace | PlaceAlgo | PlaceConditional;

/** The envelope of an action and its hash. */
export interface ActionIds {
  readonly actionHash: string;
  readonly nonce: number;
  readonly clientOrderId: string | null;
  /** The derived id of a place, algo or conditional; null for other actions. */
  readonly orderId: string | null;
  /** One entry for each leg of a replace, null for a cancel-only leg; empty for other actions. */
  readonly legIds: readonly (string | null)[];
  /** The canonical text, from which ids of algo slices are derived; may be null for other actions. */
  readonly canonical: string | null;
}

export interface ActionRequest {
  readonly account: string;
  readonly action: EngineAction;
  readonly ids: ActionIds;
  readonly nowMs: number;
}
