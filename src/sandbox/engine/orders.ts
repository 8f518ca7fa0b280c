/** The single actions on orders: place, cancel, amend (contract A.6, A.8). */
import type { ActionIds, Amend, Cancel, Place } from './action.ts';
import {
  closedGate,
  findBook,
  isRefusal,
  type Placement,
  refusal,
  refusePlacement,
  resolveStp,
  type Terms,
} from './admission.ts';
import { emitRefused } from './emit.ts';
import { end, enter, mayRest, type Opening, reduce } from './matching.ts';
import { outcomeOf, refused } from './outcome.ts';
import { isSequenced, type Refusal } from './refusal.ts';
import type { AccountState, Actor, Algo, Call, Order } from './state.ts';
import type { Outcome } from './view.ts';

/** Where an order comes from, apart from its terms. */
export interface Origin {
  readonly orderId: string;
  readonly parentId: string | null;
  readonly legIndex: number | null;
  readonly actionHash: string;
  readonly nonce: number;
  readonly algo: Algo | null;
  readonly opening: Opening;
}

export function place(call: Call, action: Place): Outcome {
  const origin = originOf(call.ids, requireId(call.ids));
  const order = tryPlace(call, action, origin);
  if (!isRefusal(order)) return outcomeOf(order);
  if (isSequenced(order)) refusePlace(call, action, origin, order);
  return refused(order, origin.orderId);
}

/** The origin of an order that an action places directly. */
export function originOf({ actionHash, nonce }: ActionIds, orderId: string): Origin {
  return { orderId, parentId: null, legIndex: null, actionHash, nonce, algo: null, opening: null };
}

/** Places an order or returns the refusal; a refusal changes nothing and is not reported. */
export function tryPlace(actor: Actor, terms: Terms, origin: Origin): Order | Refusal {
  const { state, account } = actor;
  const { orderId } = origin;
  const gate = closedGate(state, account, terms.market);
  if (gate !== null) return gate;
  const at = findBook(state, terms.market, terms.book);
  if (isRefusal(at)) return at;
  const placement = { state, account, at, terms, orderId };
  const refusal = refusePlacement(placement);
  if (refusal !== null) return refusal;
  return enter(state, createOrder(placement, origin), mayRest(terms), origin.opening);
}

/** Creates an order from accepted terms. */
function createOrder({ state, account, at, terms }: Placement, origin: Origin): Order {
  state.counters.entryNo += 1;
  return {
    kind: 'order',
    id: origin.orderId,
    account,
    at,
    side: terms.side,
    price: terms.price,
    qty: terms.qty,
    filledQty: 0,
    held: 0,
    feeMicro: 0,
    fills: [],
    state: 'open',
    level: null,
    openIndex: -1,
    timer: null,
    makerBps: state.fees.makerBps,
    algo: origin.algo,
    parentId: origin.parentId,
    legIndex: origin.legIndex,
    entryNo: state.counters.entryNo,
    stpMode: resolveStp(state, terms.stpMode) ?? state.config.defaultStp,
    timeInForce: terms.timeInForce,
    expiresAt: terms.expiresAt,
    actionHash: origin.actionHash,
    nonce: origin.nonce,
  };
}

export function refusePlace(
  { state, account }: Actor,
  terms: Terms,
  origin: Origin,
  refusal: Refusal,
): void {
  const { market, book, side, price, qty } = terms;
  emitRefused(state, {
    account,
    refusal,
    orderId: origin.orderId,
    parentOrderId: origin.parentId,
    legIndex: origin.legIndex,
    market,
    terms: { book, side, price, qty },
  });
}

/** Ids come from ingress; a missing one is a bug of the caller. */
export function requireId({ orderId }: ActionIds): string {
  if (orderId === null) throw new TypeError('an action that places needs its derived order id');
  return orderId;
}

export function cancel(actor: Actor, { orderId }: Cancel): Outcome {
  const order = findOwn(actor, orderId);
  if (isRefusal(order)) return refuseTarget(actor, orderId, order);
  end(actor.state, order, 'canceled', null);
  return outcomeOf(order);
}

/**
 * The account's open order, or why it cannot be used (contract G65): its own order that has ended is `order_not_open`,
 * an open order of another account is `unauthorized_cancel`, anything else is not found.
 */
export function findOwn({ state, account }: Actor, orderId: string): Order | Refusal {
  return ownOpen(state.orders.get(orderId), account, orderId);
}

export function ownOpen<T extends Pick<Order, 'account' | 'state'>>(
  found: T | undefined,
  account: AccountState,
  orderId: string,
): T | Refusal {
  if (found === undefined) return refusal('order_not_found', `no order ${orderId}`);
  const open = found.state === 'open';
  if (found.account !== account) {
    return open
      ? refusal('unauthorized_cancel', `order ${orderId} belongs to another account`)
      : refusal('order_not_found', `no order ${orderId}`);
  }
  return open ? found : refusal('order_not_open', `order ${orderId} has ended: ${found.state}`);
}

export function refuseTarget(actor: Actor, orderId: string, refusal: Refusal): Outcome {
  const { state, account } = actor;
  emitRefused(state, { account, refusal, orderId: null, parentOrderId: orderId });
  return refused(refusal, null);
}

export function amend(actor: Actor, { orderId, newQty }: Amend): Outcome {
  const { state } = actor;
  const order = findOwn(actor, orderId);
  if (isRefusal(order)) return refuseTarget(actor, orderId, order);
  const total = state.config.amendQty === 'total' ? newQty : newQty + order.filledQty;
  const problem = refuseAmend(order, total);
  if (problem !== null) return refuseTarget(actor, orderId, problem);
  reduce(state, order, total);
  return outcomeOf(order, 'applied');
}

function refuseAmend(order: Order, total: number): Refusal | null {
  const { qty, filledQty, at } = order;
  if (!(total > filledQty && total < qty)) {
    const text = `the quantity must be above the filled ${filledQty} and below ${qty}`;
    return refusal('invalid_amend', text);
  }
  const { lot } = at.market.spec;
  return total % lot === 0
    ? null
    : refusal('qty_not_aligned_to_lot', `qty ${total} is off the lot ${lot}`);
}
