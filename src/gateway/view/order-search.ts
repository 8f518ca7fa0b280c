/** The order search of the console: its query and its result. */
import { hasEnded, type Order } from '../../domain/order.ts';
import {
  type LatestOrders,
  type Listed,
  type OrderSort,
  type Page,
  placeOf,
} from './latest-orders.ts';
import { orderRow } from './order-row.ts';

/** An order that was rejected has ended, too. */
export const orderStates = ['open', 'ended', 'rejected'] as const;
type OrderState = (typeof orderStates)[number];

export interface OrderSearch extends Page {
  /** A part of ClOrdID, OrderID, QuoteID, account or symbol; case is ignored. */
  readonly text?: string | undefined;
  readonly account?: string | undefined;
  readonly session?: string | undefined;
  readonly symbol?: string | undefined;
  readonly state?: OrderState | undefined;
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

export type FoundOrders = ReturnType<typeof foundOrders>;

export function foundOrders(
  { count, newer, rows }: LatestOrders,
  sort: OrderSort | undefined,
  reasonOf: (key: string) => string | undefined,
) {
  const last = rows.at(-1);
  const hasMore = last !== undefined && newer + rows.length < count;
  return {
    /** The number of matches, shown or not. */
    count,
    /** The number of matches before these rows. */
    newer,
    rows: rows.map((order) =>
      'owner' in order ? orderRow(order, reasonOf(order.owner.key)) : order,
    ),
    /** The start of the next page; null on the last one. */
    next: hasMore ? placeOf(last, sort) : null,
  };
}

export function matcherOf(search: OrderSearch): (order: Listed) => boolean {
  const { account, fromMs = 0, session, state, symbol, toMs = Number.POSITIVE_INFINITY } = search;
  const text = search.text?.toLowerCase();
  return (order) => {
    const facts = 'owner' in order ? factsOf(order) : order;
    const { changedMs, isOpen, status } = facts;
    if (changedMs < fromMs || changedMs > toMs) return false;
    if (account !== undefined && facts.account !== account) return false;
    if (session !== undefined && facts.session !== session) return false;
    if (symbol !== undefined && facts.symbol !== symbol) return false;
    if (state === 'rejected' && status !== 'rejected') return false;
    if (state !== undefined && isOpen !== (state === 'open')) return false;
    if (text === undefined) return true;
    const { clOrdId, key, orderId, quoteId } = facts;
    const names = [clOrdId, key, orderId ?? '', quoteId ?? '', facts.account, facts.symbol];
    return names.some((name) => name.toLowerCase().includes(text));
  };
}

/** The members of a row that a search reads; to format a whole row for each order would take longer than the search. */
function factsOf(order: Order) {
  const { clOrdId, instrument, modTimeMs: changedMs, orderId, owner, phase: status } = order;
  const { accountName: account, key, quoteId, session } = owner;
  const { symbol } = instrument;
  const isOpen = !hasEnded(order);
  return { account, changedMs, clOrdId, isOpen, key, orderId, quoteId, session, status, symbol };
}
