/**
 * The quote replace (contract A.8): first all cancels of the group, so that a two-sided quote can move through its own
 * old prices, then the placements in the order of the legs. One refused leg undoes everything.
 */
import type { ActionIds, Replace, ReplaceLeg } from './action.ts';
import { closedGate, findBook, isRefusal, refusal, type Terms } from './admission.ts';
import { emitRefused, rollback } from './emit.ts';
import { close, end } from './matching.ts';
import { findOwn, type Origin, originOf, refusePlace, tryPlace } from './orders.ts';
import { applied, outcomeOf, refused } from './outcome.ts';
import { isSequenced, type Refusal } from './refusal.ts';
import type { Call, Order } from './state.ts';
import type { Outcome } from './view.ts';

export function replace(call: Call, action: Replace): Outcome {
  const { state, ids } = call;
  requireLegIds(action, ids);
  state.undo.begin();
  state.undo.save(state.counters);
  const done = applyGroup(call, action);
  if (!isRefusal(done)) {
    state.undo.commit();
    const [first] = done;
    return done.length === 1 && first !== undefined ? outcomeOf(first) : applied(first?.id ?? null);
  }
  rollback(state);
  refuseGroup(call, action, done);
  return refused(done, ids.legIds.find((id) => id !== null) ?? null);
}

function applyGroup(call: Call, action: Replace): Order[] | Refusal {
  const gate = closedGate(call.state, call.account, action.market);
  if (gate !== null && !action.legs.every(isCancelOnly)) return gate;
  for (const [index, leg] of action.legs.entries()) {
    const problem = cancelLeg(call, action, leg);
    if (problem !== null) return onLeg(index, problem);
  }
  const children: Order[] = [];
  for (const [index, leg] of action.legs.entries()) {
    if (isCancelOnly(leg)) continue;
    const origin = originOfLeg(call.ids, leg, index);
    const child = tryPlace(call, termsOf(action, leg), origin);
    if (isRefusal(child)) return onLeg(index, child);
    children.push(child);
  }
  return children;
}

/** Any other leg places an order; one that neither cancels nor has a quantity is refused as a placement. */
export function isCancelOnly({ cancelOrderId, qty }: ReplaceLeg): boolean {
  return cancelOrderId !== null && qty === 0;
}

/** The leg's price, side and flags are ignored (contract G14); owner, market and book must match. */
function cancelLeg(call: Call, { market }: Replace, leg: ReplaceLeg): Refusal | null {
  const { state } = call;
  const { cancelOrderId, book } = leg;
  const at = findBook(state, market, book);
  if (isRefusal(at)) return at;
  if (cancelOrderId === null) return null;
  const order = findOwn(call, cancelOrderId);
  if (isRefusal(order)) return order;
  if (order.at !== at) {
    return refusal('order_not_found', `order ${cancelOrderId} is not in the book of its leg`);
  }
  // The child's `replaced` event also ends the old order, so only a cancel-only leg reports its cancel.
  if (isCancelOnly(leg)) end(state, order, 'canceled', null);
  else close(state, order, 'canceled');
  return null;
}

/** Ids come from ingress; a missing one is a bug of the caller, which is detected before any change. */
function requireLegIds({ legs }: Replace, ids: ActionIds): void {
  for (const [index, leg] of legs.entries()) if (!isCancelOnly(leg)) legId(ids, index);
}

function legId(ids: ActionIds, index: number): string {
  const id = ids.legIds[index];
  if (typeof id !== 'string') throw new TypeError(`leg ${index} places and needs its id`);
  return id;
}

function originOfLeg(ids: ActionIds, { cancelOrderId }: ReplaceLeg, index: number): Origin {
  const opening = cancelOrderId === null ? null : 'replaced';
  return { ...originOf(ids, legId(ids, index)), parentId: cancelOrderId, legIndex: index, opening };
}

function termsOf({ market }: Replace, leg: ReplaceLeg): Terms {
  return { ...leg, market };
}

function onLeg(index: number, { code, text }: Refusal): Refusal {
  return { code, text: `leg ${index}: ${text}` };
}

/** Every child that was not placed is reported; a group with only cancels gets one event. */
function refuseGroup(call: Call, action: Replace, refusal: Refusal): void {
  if (!isSequenced(refusal)) return;
  const { state, account, ids } = call;
  const { legs, market } = action;
  if (legs.every(isCancelOnly)) {
    emitRefused(state, { account, refusal, orderId: null, parentOrderId: null, market });
    return;
  }
  for (const [index, leg] of legs.entries()) {
    if (isCancelOnly(leg)) continue;
    refusePlace(call, termsOf(action, leg), originOfLeg(ids, leg, index), refusal);
  }
}
