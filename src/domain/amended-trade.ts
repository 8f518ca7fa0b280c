/**
 * An operator busts or corrects a trade, for which the venue has no event (FIX 4.4 appendix D, J.1). The trade is named
 * by the ExecID(17) that it had last: its own, or that of its last correction.
 */
import { offStep, readPrice, readQty } from './admission.ts';
import { isDenial } from './denial.ts';
import { change, type Draft, nextExecId, report } from './draft.ts';
import { type Execution, hasEnded, keptExecutions, type Order } from './order.ts';
import type { ExecutionReport } from './report.ts';
import { maxSafeAtoms, type Price, parseDecimal, type Qty } from './units.ts';

export type Amendment =
  | { readonly kind: 'bust'; readonly execId: string }
  | { readonly kind: 'correct'; readonly execId: string; readonly price: Price; readonly qty: Qty };

/** As an operator writes it. */
export type AskedAmendment =
  | { readonly act: 'bust'; readonly execId: string }
  | {
      readonly act: 'correct';
      readonly execId: string;
      readonly price: string;
      readonly qty: string;
    };

const none = 0n as Qty;

export function lastExecId({ amendedBy, execId }: Execution): string {
  return amendedBy ?? execId;
}

export function isBusted({ qty }: Execution): boolean {
  return qty === none;
}

/** The trade after its correction; undefined for a report of anything else. */
export function correctedTrade({ execId, execType, order }: ExecutionReport) {
  if (execType !== 'trade_correct') return undefined;
  return order.executions.find((trade) => trade.amendedBy === execId);
}

/** Returns the amendment, or why it is not possible. */
export function amendmentOf(order: Order, asked: AskedAmendment): Amendment | string {
  const { execId } = asked;
  const trade = order.executions.find((one) => [one.execId, one.amendedBy].includes(execId));
  if (trade === undefined)
    return `the order has no trade ${execId} now; it was corrected or busted, or is none of the last ${keptExecutions}`;
  if (isBusted(trade)) return `trade ${trade.execId} is busted already`;
  const last = lastExecId(trade);
  if (last !== execId) return `trade ${execId} was corrected already; it is ${last} now`;
  if (asked.act === 'bust') return { kind: 'bust', execId };
  const read = readCorrection(order, asked);
  if (typeof read === 'string') return read;
  const { price, qty } = read;
  if (price === trade.price && qty === trade.qty) return 'the trade has this price and quantity';
  const leavesQty = order.terms.qty - (order.cumQty - trade.qty + qty);
  if (leavesQty < 0n) return 'CumQty(14) would exceed OrderQty(38)';
  // Its client would be told that nothing is left, and the venue would go on filling it.
  if (leavesQty === 0n && !hasEnded(order))
    return 'the order is open and would be full; cancel it first';
  return { kind: 'correct', execId, price, qty };
}

function readCorrection({ instrument }: Order, written: { price: string; qty: string }) {
  const [at, of] = [parseDecimal(written.price), parseDecimal(written.qty)];
  if (at === undefined) return `the price ${written.price} is not a decimal`;
  if (of === undefined) return `the quantity ${written.qty} is not a decimal`;
  const rules = { maxAtoms: maxSafeAtoms };
  const price = readPrice(at, 'the price', instrument, rules);
  const qty = readQty(of, instrument, rules);
  if (isDenial(price)) return `${price.text}`;
  if (isDenial(qty)) return `${qty.text}`;
  const off = offStep({ 'the price': price }, qty, instrument);
  return off === undefined ? { price, qty } : `${off.text}`;
}

/** Recomputes the sums. An ended order stays ended; what is busted of an open one is open again for its client. */
export function amendTrade(draft: Draft, amendment: Amendment): void {
  const { order } = draft;
  const { execId, kind } = amendment;
  const trade = order.executions.find((one) => lastExecId(one) === execId);
  if (trade === undefined) {
    const text = `no execution ${execId} to bust or correct`;
    draft.requests.push({ kind: 'alarm', code: 'unknown_execution', text });
    return;
  }
  // A busted trade is kept, so that the venue's record of it is not taken for a missed trade.
  const { price, qty } = kind === 'bust' ? { price: trade.price, qty: none } : amendment;
  const amended = { ...trade, price, qty, amendedBy: nextExecId(draft) };
  const more = qty - trade.qty;
  const cumQty = (order.cumQty + more) as Qty;
  const isFull = cumQty >= order.terms.qty;
  const isOver = hasEnded(order);
  const unfilled = order.phase === 'filled' ? 'canceled' : order.phase;
  change(draft, {
    executions: order.executions.map((one) => (one === trade ? amended : one)),
    cumQty,
    carriedQty: (order.carriedQty + more) as Qty,
    notional: order.notional + price * qty - trade.price * trade.qty,
    leavesQty: isOver || isFull ? none : ((order.terms.qty - cumQty) as Qty),
    phase: isOver && isFull ? 'filled' : unfilled,
  });
  report(draft, kind === 'bust' ? 'trade_cancel' : 'trade_correct', { execRefId: execId });
}
