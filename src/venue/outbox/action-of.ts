/** Translates an intent into the venue's action: the same content under the venue's names (contract A.6, C.4). */
import type { CancelIntent, Intent, Leg, PlaceIntent } from '../../domain/intent.ts';
import type { Action, OutcomeLeg, SignedAction, SpotLeg } from '../../signer/action.ts';

/** A conditional order contains its nested order, which is signed first. */
export function actionOf(intent: Intent, nested?: SignedAction): Action {
  switch (intent.kind) {
    case 'place':
      return placeAction(intent);
    case 'cancel':
      return { kind: cancelKinds[intent.target], order_id: intent.orderId };
    case 'amend':
      return { kind: 'AmendOrder', order_id: intent.orderId, new_qty: intent.newQty };
    case 'group':
      return groupAction(intent.market, intent.legs);
    case 'algo':
      return {
        kind: 'PlaceAlgoOrder',
        market: intent.market,
        book: intent.book,
        side: intent.side,
        total_qty: intent.totalQty,
        limit_price: intent.limitPrice,
        time_in_force: intent.timeInForce,
        strategy: {
          kind: intent.strategy.kind,
          slice_qty: intent.strategy.sliceQty,
          ...(intent.strategy.intervalMs !== null && { interval_ms: intent.strategy.intervalMs }),
        },
      };
    case 'conditional': {
      if (nested === undefined) throw new Error('a conditional without its nested signed order');
      const { market, book, side, qty, price, reduceOnly } = intent.nested;
      return {
        kind: 'PlaceConditionalOrder',
        market,
        book,
        side,
        qty,
        limit_price: price,
        trigger_price: intent.triggerPrice,
        trigger_direction: intent.triggerDirection,
        conditional_kind: intent.conditionalKind,
        reduce_only: reduceOnly,
        signed_trigger_order: nested,
      };
    }
  }
}

const cancelKinds = {
  order: 'Cancel',
  algo: 'CancelAlgoOrder',
  conditional: 'CancelConditionalOrder',
} as const satisfies Record<CancelIntent['target'], Action['kind']>;

export function placeAction(intent: PlaceIntent): Action {
  const { market, book } = intent;
  const terms = termsOf(intent);
  return book === null
    ? { ...terms, kind: 'SpotPlaceOrder', market }
    : { ...terms, kind: 'PlaceOrder', market, book };
}

function groupAction(market: PlaceIntent['market'], legs: readonly Leg[]): Action {
  const spot: SpotLeg[] = [];
  const outcome: OutcomeLeg[] = [];
  for (const leg of legs) {
    const common = { cancel_order_id: leg.cancelOrderId, ...termsOf(leg) };
    if (leg.book === null) spot.push(common);
    else outcome.push({ ...common, book: leg.book });
  }
  if (spot.length > 0 && outcome.length > 0)
    throw new Error('a group of legs with and without book');
  return outcome.length > 0
    ? { kind: 'QuoteReplace', market, legs: outcome }
    : { kind: 'SpotQuoteReplace', market, legs: spot };
}

function termsOf(intent: Omit<PlaceIntent, 'kind' | 'market' | 'book'>) {
  return {
    side: intent.side,
    price: intent.price,
    qty: intent.qty,
    stp_mode: intent.stp,
    time_in_force: intent.timeInForce,
    is_market: intent.isMarket,
    reduce_only: intent.reduceOnly,
    expires_at: intent.expiresAtMs,
  };
}
