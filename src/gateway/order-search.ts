/** The order search of the console: its query, its result, and an order as a row. */
import { hasEnded, type Order, statusOf } from '../domain/order.ts';
import { averageDigits, averagePrice, formatAtoms } from '../domain/units.ts';
import { type LatestOrders, type OrderPlace, type OrderSort, placeOf } from './latest-orders.ts';

export interface OrderSearch {
  /** A part of ClOrdID, OrderID, QuoteID, account or symbol, in any case. */
  readonly text?: string | undefined;
  readonly account?: string | undefined;
  readonly session?: string | undefined;
  readonly symbol?: string | undefined;
  readonly state?: 'open' | 'ended' | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly sort?: OrderSort;
  /** The smallest first; otherwise the largest, such as the latest. */
  readonly isRising?: boolean;
  /** The last order of the previous page. */
  readonly before?: OrderPlace | undefined;
  readonly limit: number;
}

export interface FoundOrders {
  /** The number of matches, shown or not. */
  readonly count: number;
  /** The number of matches before these rows. */
  readonly newer: number;
  readonly rows: readonly OrderRow[];
  /** The start of the next page; null on the last one. */
  readonly next: OrderPlace | null;
}

export interface OrderRow {
  readonly key: string;
  readonly account: string;
  readonly session: string;
  readonly clOrdId: string;
  readonly orderId: string | null;
  readonly quoteId: string | null;
  readonly symbol: string;
  readonly side: 'Buy' | 'Sell';
  readonly ordType: string;
  readonly timeInForce: string;
  readonly qty: string;
  readonly price: string | null;
  readonly cumQty: string;
  readonly leavesQty: string;
  readonly avgPx: string | null;
  readonly status: string;
  readonly pending: string | null;
  /** The venue has not answered and may have accepted it. */
  readonly isUnknown: boolean;
  readonly isOpen: boolean;
  readonly changedMs: number;
  readonly venueRef: string | null;
  /** Why it was refused, if the bridge still knows; empty otherwise. */
  readonly reason: string;
}

export function foundOrders(
  { count, newer, rows }: LatestOrders,
  sort: OrderSort | undefined,
  reasonOf: (key: string) => string | undefined,
): FoundOrders {
  const last = rows.at(-1);
  const hasMore = last !== undefined && newer + rows.length < count;
  return {
    count,
    newer,
    rows: rows.map((order) => orderRow(order, reasonOf(order.owner.key))),
    next: hasMore ? placeOf(last, sort) : null,
  };
}

export function matcherOf(search: OrderSearch): (order: Order) => boolean {
  const { account, fromMs = 0, session, state, symbol, toMs = Number.POSITIVE_INFINITY } = search;
  const text = search.text?.toLowerCase();
  return (order) => {
    const { clOrdId, instrument, modTimeMs, orderId, owner } = order;
    if (modTimeMs < fromMs || modTimeMs > toMs) return false;
    if (account !== undefined && owner.accountName !== account) return false;
    if (session !== undefined && owner.session !== session) return false;
    if (symbol !== undefined && instrument.symbol !== symbol) return false;
    if (state !== undefined && hasEnded(order) !== (state === 'ended')) return false;
    if (text === undefined) return true;
    const { accountName, key, quoteId } = owner;
    const names = [clOrdId, key, orderId ?? '', quoteId ?? '', accountName, instrument.symbol];
    return names.some((name) => name.toLowerCase().includes(text));
  };
}

export function orderRow(order: Order, reason = ''): OrderRow {
  const { cumQty, instrument, leavesQty, notional, owner, pending, terms } = order;
  const { priceScale, qtyScale } = instrument.market;
  const average = averagePrice(notional, cumQty);
  return {
    key: owner.key,
    account: owner.accountName,
    session: owner.session,
    clOrdId: order.clOrdId,
    orderId: order.orderId,
    quoteId: owner.quoteId,
    symbol: instrument.symbol,
    side: terms.side === 'Bid' ? 'Buy' : 'Sell',
    ordType: terms.ordType,
    timeInForce: terms.timeInForce,
    qty: formatAtoms(terms.qty, qtyScale),
    price: terms.price === null ? null : formatAtoms(terms.price, priceScale),
    cumQty: formatAtoms(cumQty, qtyScale),
    leavesQty: formatAtoms(leavesQty, qtyScale),
    avgPx: cumQty === 0n ? null : formatAtoms(average, priceScale + averageDigits),
    status: statusOf(order, { pendingStates: true }),
    pending: pending?.kind ?? null,
    isUnknown: order.submission === 'unknown',
    isOpen: !hasEnded(order),
    changedMs: order.modTimeMs,
    venueRef: order.venueRef,
    reason,
  };
}
