/** Chooses how an OrderCancelReplaceRequest(G) is carried out on the live order: the table of contract C.6. */
import { type Denial, deny } from './denial.ts';
import type { AmendIntent, CancelIntent, GroupIntent } from './intent.ts';
import type { Order, OrderRules, ReplaceWay } from './order.ts';
import { legOf, type Terms } from './terms.ts';
import { maxSafeAtoms, type OrderId, type Qty } from './units.ts';

export type ReplaceRules = Pick<OrderRules, 'amendQty' | 'strictPriority'>;

export type ReplaceDecision =
  | { readonly way: 'unchanged' }
  /** The venue's order is not known yet; the method is chosen once it is. */
  | { readonly way: 'not_yet' }
  | { readonly way: ReplaceWay; readonly intent: AmendIntent | CancelIntent | GroupIntent };

export function decideReplace(
  order: Order,
  wanted: Terms,
  rules: ReplaceRules,
): ReplaceDecision | Denial {
  const { terms, cumQty, orderId, submission } = order;
  if (wanted.side !== terms.side) return deny('bridge.replace_unsupported', 'Side(54) differs');
  if (wanted.ordType !== terms.ordType) {
    return deny('bridge.replace_unsupported', 'OrdType(40) differs');
  }
  if (terms.strategy !== null || wanted.strategy !== null || terms.trigger !== null) {
    return deny('bridge.replace_unsupported', 'an algo or conditional order');
  }
  if (orderId === null || submission !== 'answered') return { way: 'not_yet' };
  if (wanted.qty <= cumQty) {
    return { way: 'cancel_rest', intent: { kind: 'cancel', target: 'order', orderId } };
  }
  if (!keepsTheRest(terms, wanted) || wanted.qty > terms.qty) {
    return { way: 'leg', intent: oneLeg(order, orderId, wanted) };
  }
  if (wanted.qty === terms.qty) return { way: 'unchanged' };
  const newQty = amendedQty(order, wanted.qty, rules);
  if (newQty !== undefined) return { way: 'amend', intent: { kind: 'amend', orderId, newQty } };
  if (rules.strictPriority) {
    return deny('bridge.replace_unsupported', 'the venue cannot lower it and keep its priority');
  }
  return { way: 'leg', intent: oneLeg(order, orderId, wanted) };
}

/** The `new_qty` for a total of `total`; undefined if its interpretations differ, or a bust has made it too large. */
export function amendedQty(order: Order, total: Qty, { amendQty }: ReplaceRules): Qty | undefined {
  const ofChild = total - order.carriedQty;
  const filled = order.cumQty - order.carriedQty;
  if (ofChild > maxSafeAtoms) return undefined;
  if (amendQty === 'total' || filled === 0n) return ofChild as Qty;
  return amendQty === 'remaining' ? ((ofChild - filled) as Qty) : undefined;
}

function keepsTheRest(terms: Terms, wanted: Terms): boolean {
  return (
    wanted.limitPrice === terms.limitPrice &&
    wanted.timeInForce === terms.timeInForce &&
    wanted.expiresAtMs === terms.expiresAtMs &&
    wanted.reduceOnly === terms.reduceOnly &&
    wanted.stp === terms.stp
  );
}

function oneLeg(order: Order, cancelOrderId: OrderId, wanted: Terms): GroupIntent {
  const { instrument, cumQty } = order;
  const leg = legOf(wanted, instrument, cancelOrderId, (wanted.qty - cumQty) as Qty);
  return { kind: 'group', market: instrument.market.marketId, legs: [leg] };
}
