/** The domain's intents as actions of the sandbox's exchange, and its events as the domain's. */

import type { Intent, PlaceIntent } from '../../src/domain/intent.ts';
import type {
  Account,
  Book,
  FeeMicro,
  MarketId,
  OrderId,
  Price,
  Qty,
} from '../../src/domain/units.ts';
import type { ActionIds, EngineAction, Place } from '../../src/sandbox/engine/action.ts';
import type { ExecutionEvent } from '../../src/sandbox/engine/event.ts';
import { denialOf } from '../../src/venue/refusals.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';

const cancelKinds = {
  order: 'cancel',
  algo: 'cancel_algo',
  conditional: 'cancel_conditional',
} as const;

/** `nested` is what is known of the order inside a conditional. */
export function actionOf(intent: Intent, nested: ActionIds | null): EngineAction {
  switch (intent.kind) {
    case 'place':
      return termsOf(intent);
    case 'cancel':
      return { kind: cancelKinds[intent.target], orderId: intent.orderId };
    case 'amend':
      return { kind: 'amend', orderId: intent.orderId, newQty: Number(intent.newQty) };
    case 'group':
      return {
        kind: 'replace',
        market: intent.market,
        legs: intent.legs.map((leg) => ({
          ...termsOf({ ...leg, kind: 'place', market: intent.market }),
          cancelOrderId: leg.cancelOrderId,
        })),
      };
    case 'algo': {
      const { kind, intervalMs } = intent.strategy;
      const sliceQty = Number(intent.strategy.sliceQty);
      return {
        kind: 'place_algo',
        market: intent.market,
        book: intent.book,
        side: intent.side,
        totalQty: Number(intent.totalQty),
        limitPrice: Number(intent.limitPrice),
        timeInForce: intent.timeInForce,
        strategy:
          kind === 'iceberg' ? { kind, sliceQty } : { kind, sliceQty, intervalMs: intervalMs ?? 1 },
      };
    }
    case 'conditional': {
      if (nested === null) throw new Error('a conditional without its nested order');
      const { kind: _, price, ...rest } = termsOf(intent.nested);
      return {
        kind: 'place_conditional',
        market: rest.market,
        book: rest.book,
        side: rest.side,
        qty: rest.qty,
        limitPrice: price,
        triggerPrice: Number(intent.triggerPrice),
        triggerDirection: intent.triggerDirection,
        reduceOnly: rest.reduceOnly,
        nested: { action: termsOf(intent.nested), ids: nested },
      };
    }
  }
}

export function termsOf(intent: PlaceIntent): Place {
  return {
    kind: 'place',
    market: intent.market,
    book: intent.book,
    side: intent.side,
    price: Number(intent.price),
    qty: Number(intent.qty),
    stpMode: intent.stp,
    timeInForce: intent.timeInForce,
    isMarket: intent.isMarket,
    reduceOnly: intent.reduceOnly,
    expiresAt: intent.expiresAtMs,
  };
}

const atoms = <T>(value: number | null) => (value === null ? null : (BigInt(value) as T));

export function domainEvent(executed: ExecutionEvent): VenueEvent {
  const { actionHash, nonceConsumed, reason, ...event } = executed;
  const { fill } = event;
  const isExplained = reason !== null || event.kind === 'rejected';
  return {
    ...event,
    venueRef: actionHash,
    denial: isExplained ? denialOf(reason, nonceConsumed) : null,
    account: event.account as Account,
    market: event.market as MarketId | null,
    book: event.book as Book | null,
    orderId: event.orderId as OrderId | null,
    parentOrderId: event.parentOrderId as OrderId | null,
    nonce: atoms<bigint>(event.nonce),
    price: atoms<Price>(event.price),
    qty: atoms<Qty>(event.qty),
    filledQty: atoms<Qty>(event.filledQty),
    leavesQty: atoms<Qty>(event.leavesQty),
    fill:
      fill === null
        ? null
        : {
            ...fill,
            price: BigInt(fill.price) as Price,
            qty: BigInt(fill.qty) as Qty,
            feeMicro: BigInt(fill.feeMicro) as FeeMicro,
          },
  };
}
