/** Converts the state to the records that the exchange returns. */
import type { Book } from '../../domain/units.ts';
import { firstIndex } from '../../runtime/first-index.ts';
import type { Ladder } from './order-book.ts';
import { progressOf, statusOf } from './outcome.ts';
import {
  type AccountState,
  bookOf,
  leavesOf,
  type MarketState,
  type Order,
  type Parent,
  type State,
} from './state.ts';
import type { ReceiptRecord } from './view.ts';

export type MarketView = Readonly<ReturnType<typeof marketView>>;

/** `outcome` is the settled side of an outcome market. */
export function marketView({ spec, status, outcome }: MarketState) {
  return { ...spec, status, outcome };
}

/** `seq` increases with every change of the book; `bids` and `asks` have the best first, as [price, qty]. */
export function depthView(market: MarketState, book: Book | null, levels: number) {
  const at = bookOf(market, book);
  if (at === undefined) return null;
  return {
    marketId: market.spec.marketId,
    book,
    seq: at.seq,
    bids: topOf(at.bids, levels),
    asks: topOf(at.asks, levels),
  };
}

function topOf({ levels }: Ladder<Order>, count: number): [number, number][] {
  return levels
    .slice(Math.max(0, levels.length - count))
    .reverse()
    .map(({ price, qty }) => [price, qty]);
}

export type OrderView = Readonly<ReturnType<typeof orderView>>;

export function orderView(found: Order | Parent) {
  const order = found.kind === 'order' ? found : null;
  const progress = found.kind === 'conditional' ? { filledQty: 0, feeMicro: 0 } : found;
  return {
    orderId: found.id,
    kind: found.kind,
    parentOrderId: order?.parentId ?? null,
    legIndex: order?.legIndex ?? null,
    account: found.account.id,
    market: found.at.market.spec.marketId,
    book: found.at.book,
    side: found.side,
    price: found.price,
    qty: found.qty,
    filledQty: progress.filledQty,
    leavesQty: leavesOf(found),
    feeMicro: progress.feeMicro,
    state: found.state,
    timeInForce: found.timeInForce,
    expiresAt: order?.expiresAt ?? null,
    actionHash: found.actionHash,
    nonce: found.nonce,
    fills: [...(order?.fills ?? [])],
  };
}

export function balanceViews({ assetNames }: State, { balances }: AccountState) {
  return assetNames.flatMap((asset, index) => {
    const balance = balances[index];
    return balance === undefined ? [] : [{ asset, free: balance.free, held: balance.held }];
  });
}

export type ReceiptView = Readonly<ReturnType<typeof receiptView>>;

/** Combines an action with the current state of the order that it placed (contract G49). */
export function receiptView(state: State, record: ReceiptRecord) {
  const { code, text, ...head } = record;
  const order = code === null ? state.orders.get(record.orderId ?? '') : undefined;
  return {
    ...head,
    status: order === undefined || record.status === 'applied' ? record.status : statusOf(order),
    rejectCode: code,
    rejectReason: text,
    ...progressOf(order),
  };
}

/** Newest last; searches from the newest, so a small limit is cheap. */
export function findReceipts(
  { receipts }: AccountState,
  query: { actionHash?: string; orderId?: string; limit: number },
): ReceiptRecord[] {
  const found: ReceiptRecord[] = [];
  const { actionHash, orderId, limit } = query;
  for (let index = receipts.length - 1; index >= 0 && found.length < limit; index -= 1) {
    const record = receipts.at(index) as ReceiptRecord;
    if (actionHash !== undefined && record.actionHash !== actionHash) continue;
    if (orderId !== undefined && record.orderId !== orderId) continue;
    found.push(record);
  }
  return found.reverse();
}

export function eventPage(state: State, account: AccountState, fromSeq: number, limit: number) {
  const { events, lastSeq } = account;
  const oldestSeq = firstKept(state, account);
  const first = Math.max(1, fromSeq);
  if (first < oldestSeq) return { kind: 'seq_too_old' as const, oldestSeq };
  const start = first - (lastSeq - events.length + 1);
  const page = events.slice(start, start + limit);
  const complete = start + page.length >= events.length;
  return { kind: 'page' as const, events: page, lastSeq, complete };
}

/** The seq of the oldest event within retention; one after the last if there is none. */
function firstKept({ nowMs, config }: State, { events, lastSeq }: AccountState): number {
  const oldestMs = nowMs - config.retention.eventAgeMs;
  const isKept = (index: number) => (events.at(index)?.engineTsMs ?? 0) >= oldestMs;
  return lastSeq - events.length + 1 + firstIndex(events.length, isKept);
}

/** Everything, for checkers; `forgotten` counts the closed orders and trades that retention has dropped. */
export function ledgerView(state: State) {
  const orders = [...state.orders.values(), ...state.parents.values()];
  return {
    nowMs: state.nowMs,
    orders: orders.sort((a, b) => a.entryNo - b.entryNo).map(orderView),
    trades: state.trades.toArray(),
    accounts: Array.from(state.accounts.values(), (account) => ({
      account: account.id,
      lastSeq: account.lastSeq,
      balances: balanceViews(state, account),
    })),
    feesMicro: state.counters.feesMicro,
    forgotten: { orders: state.ended.dropped, trades: state.trades.dropped },
  };
}
