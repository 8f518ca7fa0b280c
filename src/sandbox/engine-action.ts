/** From the checked input of a client to what the engine is asked to do, with the ids that follow from its bytes. */
import type { Book, Side, TimeInForce } from '../domain/units.ts';
import type { Payload, SignedAction, Strategy, Values } from './action-input.ts';
import type {
  ActionIds,
  EngineAction,
  Strategy as EngineStrategy,
  Place,
  ReplaceLeg,
} from './engine/action.ts';
import { hex, type Ids } from './ids.ts';

export function engineAction(payload: Payload, ids: Ids): EngineAction {
  const { values, variant } = payload;
  switch (variant) {
    case 'SpotPlaceOrder':
    case 'PlaceOrder':
      return place(values);
    case 'Cancel':
      return { kind: 'cancel', orderId: values.order_id as string };
    case 'AmendOrder':
      return {
        kind: 'amend',
        orderId: values.order_id as string,
        newQty: values.new_qty as number,
      };
    case 'SpotQuoteReplace':
    case 'QuoteReplace': {
      const market = values.market as number;
      const legs = (values.legs as readonly Values[]).map(leg);
      return { kind: 'replace', market, legs };
    }
    case 'PlaceAlgoOrder':
      return {
        kind: 'place_algo',
        ...instrument(values),
        totalQty: values.total_qty as number,
        limitPrice: values.limit_price as number,
        timeInForce: values.time_in_force as TimeInForce,
        strategy: strategy(values.strategy as Strategy),
      };
    case 'CancelAlgoOrder':
      return { kind: 'cancel_algo', orderId: values.order_id as string };
    case 'PlaceConditionalOrder':
      return conditional(values, ids);
    case 'CancelConditionalOrder':
      return { kind: 'cancel_conditional', orderId: values.order_id as string };
  }
}

/** `hash` is the action hash that the signature was checked against. */
export function actionIds(payload: Payload, hash: Uint8Array, ids: Ids): ActionIds {
  const { canonical, clientOrderId, nonce, values, variant } = payload;
  const common = { actionHash: hex(hash), nonce, clientOrderId, canonical };
  switch (variant) {
    case 'SpotPlaceOrder':
    case 'PlaceOrder':
    case 'PlaceAlgoOrder':
    case 'PlaceConditionalOrder':
      return { ...common, orderId: ids.orderId(canonical), legIds: [] };
    case 'SpotQuoteReplace':
    case 'QuoteReplace': {
      const legs = values.legs as readonly Values[];
      const legIds = legs.map((values, index) =>
        isCancelOnly(values) ? null : ids.legId(canonical, index),
      );
      return { ...common, orderId: null, legIds };
    }
    case 'Cancel':
    case 'AmendOrder':
    case 'CancelAlgoOrder':
    case 'CancelConditionalOrder':
      return { ...common, orderId: null, legIds: [] };
  }
}

/** Whether the action may add an order to a book, now or later. */
export function places({ values, variant }: Payload): boolean {
  if (variant === 'Cancel' || variant === 'CancelAlgoOrder') return false;
  if (variant === 'CancelConditionalOrder' || variant === 'AmendOrder') return false;
  const legs = values.legs as readonly Values[] | undefined;
  return legs === undefined || !legs.every(isCancelOnly);
}

/** Whether the action can only make the account's exposure smaller (contract A.16, closing accounts). */
export function reduces(payload: Payload): boolean {
  return !places(payload) || payload.values.reduce_only === true;
}

function isCancelOnly(leg: Values): boolean {
  return leg.cancel_order_id !== null && leg.qty === 0;
}

function instrument(values: Values): { market: number; book: Book | null; side: Side } {
  return {
    market: values.market as number,
    book: values.book ?? null,
    side: values.side as Side,
  };
}

function terms(values: Values): Omit<Place, 'kind' | 'market'> {
  return {
    book: values.book ?? null,
    side: values.side as Side,
    price: values.price as number,
    qty: values.qty as number,
    stpMode: values.stp_mode as string | null,
    timeInForce: values.time_in_force as TimeInForce,
    isMarket: values.is_market as boolean,
    reduceOnly: values.reduce_only as boolean,
    expiresAt: values.expires_at as number | null,
  };
}

function place(values: Values): Place {
  return { kind: 'place', market: values.market as number, ...terms(values) };
}

function leg(values: Values): ReplaceLeg {
  return { cancelOrderId: values.cancel_order_id as string | null, ...terms(values) };
}

function strategy({ kind, params }: Strategy): EngineStrategy {
  const sliceQty = params.slice_qty ?? 0;
  if (kind === 'twap' || kind === 'vwap') {
    return { kind, sliceQty, intervalMs: params.interval_ms ?? 0 };
  }
  return { kind: 'iceberg', sliceQty };
}

function conditional(values: Values, ids: Ids): EngineAction {
  const { payload } = values.signed_trigger_order as SignedAction;
  return {
    kind: 'place_conditional',
    ...instrument(values),
    qty: values.qty as number,
    limitPrice: values.limit_price as number,
    triggerPrice: values.trigger_price as number,
    triggerDirection: values.trigger_direction as 'at_or_above' | 'at_or_below',
    reduceOnly: values.reduce_only as boolean,
    nested: {
      action: place(payload.values),
      ids: actionIds(payload, ids.actionHash(payload.canonical), ids),
    },
  };
}
