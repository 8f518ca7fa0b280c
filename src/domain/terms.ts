/** The terms of an accepted order: exact, complete, and with the same meaning for the client and the venue. */
import type {
  ClientFields,
  ConditionalKind,
  Lifetime,
  OrdType,
  TriggerDirection,
} from './command.ts';
import type { Instrument } from './instrument.ts';
import type { CancelTarget, EntryIntent, Leg, PlaceIntent, Strategy } from './intent.ts';
import type { OrderId, Price, Qty, Side, StpMode, TimeInForce } from './units.ts';

export interface Trigger {
  readonly price: Price;
  readonly direction: TriggerDirection;
  readonly kind: ConditionalKind;
}

export interface Terms {
  readonly side: Side;
  readonly ordType: OrdType;
  readonly lifetime: Lifetime;
  readonly qty: Qty;
  /** Price(44) of the client; null on market orders. */
  readonly price: Price | null;
  /** The price sent to the venue: the client's price, or the worst price that a market order may pay (G57). */
  readonly limitPrice: Price;
  readonly timeInForce: TimeInForce;
  readonly expiresAtMs: number | null;
  /** When the bridge cancels the order, because the venue has no expiry for an algo or a stored trigger. */
  readonly cancelAtMs: number | null;
  readonly isMarket: boolean;
  readonly reduceOnly: boolean;
  readonly stp: StpMode | null;
  readonly strategy: Strategy | null;
  readonly trigger: Trigger | null;
  readonly client?: ClientFields;
}

/** A limit order without an end. */
export function limitTerms(
  side: Side,
  price: Price,
  qty: Qty,
  timeInForce: TimeInForce,
  stp: StpMode | null,
): Terms {
  return {
    side,
    ordType: 'limit',
    lifetime: 'gtc',
    qty,
    price,
    limitPrice: price,
    timeInForce,
    expiresAtMs: null,
    cancelAtMs: null,
    isMarket: false,
    reduceOnly: false,
    stp,
    strategy: null,
    trigger: null,
  };
}

export function targetOf(terms: Terms): CancelTarget {
  if (terms.trigger !== null) return 'conditional';
  return terms.strategy === null ? 'order' : 'algo';
}

export function entryIntent(terms: Terms, instrument: Instrument): EntryIntent {
  const { book } = instrument;
  const market = instrument.market.marketId;
  const { side, timeInForce } = terms;
  if (terms.strategy !== null) {
    const { qty: totalQty, limitPrice, strategy } = terms;
    return { kind: 'algo', market, book, side, totalQty, limitPrice, timeInForce, strategy };
  }
  const place: PlaceIntent = {
    kind: 'place',
    market,
    book,
    side,
    price: terms.limitPrice,
    qty: terms.qty,
    stp: terms.stp,
    timeInForce,
    isMarket: terms.isMarket,
    reduceOnly: terms.reduceOnly,
    expiresAtMs: terms.expiresAtMs,
  };
  if (terms.trigger === null) return place;
  return {
    kind: 'conditional',
    triggerPrice: terms.trigger.price,
    triggerDirection: terms.trigger.direction,
    conditionalKind: terms.trigger.kind,
    nested: place,
  };
}

export function legOf(
  terms: Terms,
  { book }: Instrument,
  cancelOrderId: OrderId | null,
  qty: Qty,
): Leg {
  return {
    cancelOrderId,
    book,
    side: terms.side,
    price: terms.limitPrice,
    qty,
    stp: terms.stp,
    timeInForce: terms.timeInForce,
    isMarket: terms.isMarket,
    reduceOnly: terms.reduceOnly,
    expiresAtMs: terms.expiresAtMs,
  };
}
