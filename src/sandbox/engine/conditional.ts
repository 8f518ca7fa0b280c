/**
 * Stored conditional orders (contract A.8 rule 7, G07, G64): the nested action waits until the last trade of its book
 * meets the trigger, and is then placed like any other. Its requirements are only checked then.
 */
import type { PlaceConditional } from './action.ts';
import { isRefusal, refuseAmounts } from './admission.ts';
import { emitOrder, emitTriggered, stageTraded } from './emit.ts';
import { type Origin, originOf, refusePlace, requireId, tryPlace } from './orders.ts';
import { applied, refused } from './outcome.ts';
import { admitParent, refuseParent, unregister } from './parents.ts';
import type { Refusal } from './refusal.ts';
import type { BookState, Call, Conditional, State } from './state.ts';
import type { Outcome } from './view.ts';

export function placeConditional(call: Call, action: PlaceConditional): Outcome {
  const { market, book, side, limitPrice: price, qty } = action;
  const { triggerPrice, triggerDirection, nested } = action;
  const { timeInForce } = nested.action;
  const asked = { market, book, side, price, qty, timeInForce };
  const conditional = admitParent(call, asked, (common): Conditional | Refusal => {
    const { at, id } = common;
    return (
      refuseAmounts(at.market, price, qty) ??
      refuseAmounts(at.market, triggerPrice, qty) ??
      refuseParent(call, id) ?? {
        kind: 'conditional',
        ...common,
        triggerPrice,
        triggerDirection,
        nested,
        state: 'open',
      }
    );
  });
  if (isRefusal(conditional)) return refused(conditional, call.ids.orderId);
  conditional.at.conditionals.add(conditional);
  // A trigger that the last trade already meets fires at once.
  stageTraded(call.state, conditional.at);
  return applied(conditional.id, conditional.qty);
}

/** Fires the conditionals that the last trade of the book meets, oldest first. */
export function fireTriggers(state: State, at: BookState): void {
  const { lastTrade } = at;
  if (lastTrade === null) return;
  for (const conditional of [...at.conditionals]) {
    if (conditional.state === 'open' && isMet(conditional, lastTrade.price)) {
      fire(state, conditional);
    }
  }
}

function isMet({ triggerDirection, triggerPrice }: Conditional, price: number): boolean {
  return triggerDirection === 'at_or_above' ? price >= triggerPrice : price <= triggerPrice;
}

/** The conditional is complete, whatever happens to the order; a refusal, even by a gate, is reported. */
function fire(state: State, conditional: Conditional): void {
  const { account, nested, at } = conditional;
  const orderId = requireId(nested.ids);
  conditional.state = 'filled';
  at.conditionals.delete(conditional);
  unregister(state, conditional);
  const call = { state, account, ids: nested.ids };
  state.cause = call;
  emitTriggered(state, conditional, orderId);
  const origin: Origin = {
    ...originOf(nested.ids, orderId),
    parentId: conditional.id,
    opening: 'reported',
  };
  const placed = tryPlace(call, nested.action, origin);
  if (isRefusal(placed)) refusePlace(call, nested.action, origin, placed);
  state.cause = null;
}

export function dropConditional(
  state: State,
  conditional: Conditional,
  reason: Refusal | null,
): void {
  conditional.state = 'canceled';
  conditional.at.conditionals.delete(conditional);
  unregister(state, conditional);
  emitOrder(state, 'canceled', conditional, 'canceled', reason);
}
