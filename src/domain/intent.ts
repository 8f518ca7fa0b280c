/**
 * An intent: what the bridge wants to be done at the venue, in exact atoms and without a nonce, a time or a signature.
 * The outbox turns it into a signed action. One intent is one action (contract A.6).
 */
import type { AlgoKind, ConditionalKind, TriggerDirection } from './command.ts';
import type { Book, MarketId, OrderId, Price, Qty, Side, StpMode, TimeInForce } from './units.ts';

/** What an order of its own and a leg of a group have in common. */
interface Placement {
  readonly book: Book | null;
  readonly side: Side;
  readonly price: Price;
  readonly qty: Qty;
  readonly stp: StpMode | null;
  readonly timeInForce: TimeInForce;
  readonly isMarket: boolean;
  readonly reduceOnly: boolean;
  readonly expiresAtMs: number | null;
}

export interface PlaceIntent extends Placement {
  readonly kind: 'place';
  readonly market: MarketId;
}

/** Algo parents and stored conditionals have separate cancel actions. */
export type CancelTarget = 'order' | 'algo' | 'conditional';

export interface CancelIntent {
  readonly kind: 'cancel';
  readonly target: CancelTarget;
  readonly orderId: OrderId;
}

export interface AmendIntent {
  readonly kind: 'amend';
  readonly orderId: OrderId;
  readonly newQty: Qty;
}

/** A leg with qty 0 only cancels; without `cancelOrderId` it only places; with both it replaces. */
export interface Leg extends Placement {
  readonly cancelOrderId: OrderId | null;
}

/** The venue applies the whole group or nothing. */
export interface GroupIntent {
  readonly kind: 'group';
  readonly market: MarketId;
  readonly legs: readonly Leg[];
}

export interface Strategy {
  readonly kind: AlgoKind;
  readonly sliceQty: Qty;
  readonly intervalMs: number | null;
}

export interface AlgoIntent {
  readonly kind: 'algo';
  readonly market: MarketId;
  readonly book: Book | null;
  readonly side: Side;
  readonly totalQty: Qty;
  readonly limitPrice: Price;
  readonly timeInForce: TimeInForce;
  readonly strategy: Strategy;
}

export interface ConditionalIntent {
  readonly kind: 'conditional';
  readonly triggerPrice: Price;
  readonly triggerDirection: TriggerDirection;
  readonly conditionalKind: ConditionalKind;
  /** Signed before the outer action and placed when the trigger fires. */
  readonly nested: PlaceIntent;
}

export type EntryIntent = PlaceIntent | AlgoIntent | ConditionalIntent;
export type Intent = EntryIntent | CancelIntent | AmendIntent | GroupIntent;
