/** An order as a row of the console: plain data, amounts as decimal text. */
import { averageOf, hasEnded, type Order, statusOf } from '../domain/order.ts';
import { type SentOrder, sideTexts } from '../domain/sent-order.ts';
import { averageScale, formatAtoms } from '../domain/units.ts';

export interface OrderRow {
  readonly key: string;
  readonly account: string;
  readonly session: string;
  readonly clOrdId: string;
  readonly orderId: string | null;
  readonly quoteId: string | null;
  readonly symbol: string;
  readonly side: SentOrder['side'];
  readonly ordType: string;
  readonly timeInForce: string;
  readonly qty: string;
  readonly price: string | null;
  readonly cumQty: string;
  readonly leavesQty: string;
  readonly avgPx: string | null;
  readonly status: string;
  readonly pending: string | null;
  /** The venue has not answered, and may have accepted the order. */
  readonly isUnknown: boolean;
  readonly isOpen: boolean;
  readonly changedMs: number;
  readonly venueRef: string | null;
  /** Why it was refused, if the bridge still knows; empty otherwise. */
  readonly reason: string;
}

export function orderRow(order: Order, reason = ''): OrderRow {
  const { cumQty, instrument, leavesQty, owner, pending, terms, unseenQty } = order;
  const { priceScale, qtyScale } = instrument.market;
  return {
    key: owner.key,
    account: owner.accountName,
    session: owner.session,
    clOrdId: order.clOrdId,
    orderId: order.orderId,
    quoteId: owner.quoteId,
    symbol: instrument.symbol,
    side: sideTexts[terms.side],
    ordType: terms.ordType,
    timeInForce: terms.timeInForce,
    qty: formatAtoms(terms.qty, qtyScale),
    price: terms.price === null ? null : formatAtoms(terms.price, priceScale),
    cumQty: formatAtoms(cumQty, qtyScale),
    leavesQty: formatAtoms(leavesQty, qtyScale),
    avgPx: cumQty === unseenQty ? null : formatAtoms(averageOf(order), averageScale(priceScale)),
    status: statusOf(order, { pendingStates: true }),
    pending: pending?.kind ?? null,
    isUnknown: order.submission === 'unknown',
    isOpen: !hasEnded(order),
    changedMs: order.modTimeMs,
    venueRef: order.venueRef,
    reason,
  };
}
