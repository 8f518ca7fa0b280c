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
import type { AccountState, Order, State } from './state.ts';
import type { Outcome } from './view.ts';

interface Group {
  readonly account: AccountState;
  readonly action: Replace;
  readonly ids: ActionIds;
}

export function replace(
  state: State,
  account: AccountState,
  action: Replace,
  ids: ActionIds,
): Outcome {
  const group: Group = { account, action, ids };
  requireLegIds(group);
  state.undo.begin();
  state.undo.save(state.counters);
  const done = applyGroup(state, group);
  if (!isRefusal(done)) {
    state.undo.commit();
    const [first] = done;
    return done.length === 1 && first !== undefined ? outcomeOf(first) : applied(first?.id ?? null);
  }
  rollback(state);
  refuseGroup(state, group, done);
  return refused(done, ids.legIds.find((id) => id !== null) ?? null);
}

function applyGroup(state: State, group: Group): Order[] | Refusal {
  const { account, action, ids } = group;
  const gate = closedGate(state, account, action.market);
  if (gate !== null && !action.legs.every(isCancelOnly)) return gate;
  for (const [index, leg] of action.legs.entries()) {
    const problem = cancelLeg(state, group, leg);
    if (problem !== null) return onLeg(index, problem);
  }
  const children: Order[] = [];
  for (const [index, leg] of action.legs.entries()) {
    if (isCancelOnly(leg)) continue;
    const origin = originOfLeg(ids, leg, index);
    const child = tryPlace(state, account, termsOf(action, leg), origin);
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
function cancelLeg(state: State, { account, action }: Group, leg: ReplaceLeg): Refusal | null {
  const { cancelOrderId, book } = leg;
  const at = findBook(state, action.market, book);
  if (isRefusal(at)) return at;
  if (cancelOrderId === null) return null;
  const order = findOwn(state, account, cancelOrderId);
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
function requireLegIds({ action, ids }: Group): void {
  for (const [index, leg] of action.legs.entries()) if (!isCancelOnly(leg)) legId(ids, index);
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
function refuseGroup(state: State, { account, action, ids }: Group, refusal: Refusal): void {
  if (!isSequenced(refusal)) return;
  const { legs, market } = action;
  if (legs.every(isCancelOnly)) {
    emitRefused(state, { account, refusal, orderId: null, parentOrderId: null, market });
    return;
  }
  for (const [index, leg] of legs.entries()) {
    if (isCancelOnly(leg)) continue;
    refusePlace(state, account, termsOf(action, leg), originOfLeg(ids, leg, index), refusal);
  }
}
