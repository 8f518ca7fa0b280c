/** An order as a row of the console: plain data, amounts as decimal text. */
import { isBusted, lastExecId } from '../../domain/amended-trade.ts';
import { averageOf, hasEnded, type Order, statusOf } from '../../domain/order.ts';
import { type SentOrder, sideTexts } from '../../domain/sent-order.ts';
import { averageScale, formatAtoms } from '../../domain/units.ts';

export type OrderRow = Readonly<ReturnType<typeof orderRow>>;

export function orderRow(order: Order, reason = '') {
  const { cumQty, instrument, leavesQty, owner, pending, terms, unseenQty } = order;
  const { priceScale, qtyScale } = instrument.market;
  return {
    key: owner.key,
    account: owner.accountName,
    session: owner.session,
    clOrdId: order.clOrdId,
    orderId: order.orderId as string | null,
    quoteId: owner.quoteId,
    symbol: instrument.symbol,
    side: sideTexts[terms.side] as SentOrder['side'],
    ordType: terms.ordType as string,
    timeInForce: terms.timeInForce as string,
    qty: formatAtoms(terms.qty, qtyScale),
    price: terms.price === null ? null : formatAtoms(terms.price, priceScale),
    cumQty: formatAtoms(cumQty, qtyScale),
    leavesQty: formatAtoms(leavesQty, qtyScale),
    avgPx: cumQty === unseenQty ? null : formatAtoms(averageOf(order), averageScale(priceScale)),
    status: statusOf(order, { pendingStates: true }) as string,
    pending: pending?.kind ?? null,
    /** The venue has not answered, and may have accepted the order. */
    isUnknown: order.submission === 'unknown',
    isOpen: !hasEnded(order),
    changedMs: order.modTimeMs,
    venueRef: order.venueRef,
    /** Why it was refused, if the bridge still knows; empty otherwise. */
    reason,
  };
}

export type TradeRow = Readonly<ReturnType<typeof tradeRows>[number]>;

/** The trades of an order that are kept, oldest first. */
export function tradeRows({ executions, instrument }: Order) {
  const { priceScale, qtyScale } = instrument.market;
  return executions.map((trade) => ({
    /** The name of the trade for the next act on it. */
    execId: lastExecId(trade),
    firstExecId: trade.execId,
    price: formatAtoms(trade.price, priceScale),
    qty: formatAtoms(trade.qty, qtyScale),
    isBusted: isBusted(trade),
  }));
}

/** A trade and the sums of its order, for the audit chain. */
export function tradeState(order: Order, place: number) {
  const { avgPx, cumQty, leavesQty, status } = orderRow(order);
  return { ...tradeRows(order)[place], avgPx, cumQty, leavesQty, status };
}
