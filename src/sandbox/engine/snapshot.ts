/** Converts the whole state to plain JSON and back. Links between records become ids; queues and timers are rebuilt. */
import { addOpen, openAccount } from './accounts.ts';
import type { ExchangeConfig } from './config.ts';
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import { type Filled, noRow } from './fills.ts';
import {
  type AccountState,
  type Algo,
  type Balance,
  type BookState,
  bookOf,
  type Conditional,
  createState,
  type MarketState,
  type Order,
  ownSide,
  type Parent,
  type State,
} from './state.ts';
import type { ReceiptRecord, TradeView } from './view.ts';

interface Where {
  readonly account: string;
  readonly market: number;
  readonly book: BookState['book'];
}
type Linked = 'account' | 'at' | 'timer';
/** Members that are set again when the order is added to its queue, its account and the indexes. */
type Placing = 'level' | 'prev' | 'next' | 'openIndex' | 'indexRow' | keyof Filled;
type OrderRecord = Omit<Order, Linked | 'algo' | Placing> &
  Where & { readonly fills: readonly ExecutionFill[] | null; readonly algo: string | null };
type AlgoRecord = Omit<Algo, Linked | 'slices'> & Where & { readonly dueMs: number | null };
type ConditionalRecord = Omit<Conditional, Linked> & Where;

type AccountRecord = Omit<
  AccountState,
  'open' | 'openByMarket' | 'parents' | 'balances' | 'events' | 'receipts'
> & {
  readonly balances: readonly (Balance | null)[];
  readonly events: readonly ExecutionEvent[];
  readonly receipts: readonly ReceiptRecord[];
};

interface BookRecord extends Pick<BookState, 'book' | 'lastTrade' | 'seq' | 'volume'> {
  readonly bids: readonly string[];
  readonly asks: readonly string[];
}

interface MarketRecord extends Pick<MarketState, 'status' | 'outcome' | 'killed'> {
  readonly marketId: number;
  readonly books: readonly BookRecord[];
}

type Switches = Pick<State, 'nowMs' | 'tradingHalted' | 'killed' | 'credit' | 'fees'>;

export interface Snapshot extends Readonly<Switches> {
  readonly version: 1;
  readonly counters: State['counters'];
  readonly supply: readonly number[];
  readonly markets: readonly MarketRecord[];
  readonly accounts: readonly AccountRecord[];
  readonly orders: readonly OrderRecord[];
  readonly parents: readonly (AlgoRecord | ConditionalRecord)[];
  readonly ended: readonly string[];
  readonly endedDropped: number;
  readonly trades: readonly TradeView[];
  readonly tradesDropped: number;
}

export function takeSnapshot(state: State): Snapshot {
  const { nowMs, tradingHalted, killed, credit, fees } = state;
  return {
    version: 1,
    nowMs,
    tradingHalted,
    killed,
    credit,
    fees,
    counters: { ...state.counters },
    supply: state.supply.slice(),
    markets: Array.from(state.markets.values(), marketRecord),
    accounts: Array.from(state.accounts.values(), accountRecord),
    orders: byEntry(state.orders.values()).map((order) => orderRecord(state, order)),
    parents: byEntry(state.parents.values()).map(parentRecord),
    ended: state.ended.toArray().map(({ id }) => id),
    endedDropped: state.ended.dropped,
    trades: state.trades.toArray(),
    tradesDropped: state.trades.dropped,
  };
}

/** The configuration must have the markets of the snapshot. */
export function restoreState(config: ExchangeConfig, snapshot: Snapshot): State {
  if (snapshot.version !== 1) throw new RangeError(`snapshot version ${snapshot.version}`);
  const state = createState(config);
  const { nowMs, tradingHalted, killed, credit, fees } = snapshot;
  Object.assign(state, { nowMs, tradingHalted, killed, credit, fees });
  Object.assign(state.counters, snapshot.counters);
  state.supply.splice(0, state.supply.length, ...snapshot.supply);
  for (const record of snapshot.accounts) restoreAccount(state, record);
  for (const record of snapshot.parents) restoreParent(state, record);
  for (const record of snapshot.orders) restoreOrder(state, record);
  for (const record of snapshot.markets) restoreMarket(state, record);
  const ended = snapshot.ended.map((id) =>
    found(state.orders.get(id) ?? state.parents.get(id), id),
  );
  state.ended.fill(ended, snapshot.endedDropped);
  state.trades.fill(snapshot.trades, snapshot.tradesDropped);
  return state;
}

function byEntry<T extends { readonly entryNo: number }>(records: Iterable<T>): T[] {
  return [...records].sort((a, b) => a.entryNo - b.entryNo);
}

function marketRecord({ spec, status, outcome, killed, books }: MarketState): MarketRecord {
  return {
    marketId: spec.marketId,
    status,
    outcome,
    killed,
    books: books.map(({ book, lastTrade, seq, volume, bids, asks }) => ({
      book,
      lastTrade,
      seq,
      volume,
      bids: Array.from(bids.orders(), ({ id }) => id),
      asks: Array.from(asks.orders(), ({ id }) => id),
    })),
  };
}

function accountRecord(account: AccountState): AccountRecord {
  const { open, openByMarket, parents, balances, events, receipts, ...fields } = account;
  return {
    ...fields,
    balances: Array.from(balances, (balance) => (balance === undefined ? null : { ...balance })),
    events: events.toArray(),
    receipts: receipts.toArray(),
  };
}

function whereOf({ account, at }: Pick<Order, 'account' | 'at'>): Where {
  return { account: account.id, market: at.market.spec.marketId, book: at.book };
}

function orderRecord(state: State, order: Order): OrderRecord {
  const { account, at, timer, algo, level, prev, next, openIndex, indexRow, ...rest } = order;
  const { firstFill, lastFill, ...fields } = rest;
  const fills = firstFill === noRow ? null : state.fills.of(order);
  return { ...fields, fills, ...whereOf(order), algo: algo?.id ?? null };
}

function parentRecord(parent: Parent): AlgoRecord | ConditionalRecord {
  if (parent.kind === 'conditional') {
    const { account, at, ...fields } = parent;
    return { ...fields, ...whereOf(parent) };
  }
  const { account, at, timer, slices, ...fields } = parent;
  return { ...fields, ...whereOf(parent), dueMs: timer?.dueMs ?? null };
}

function restoreAccount(state: State, record: AccountRecord): void {
  const { balances, events, receipts, ...fields } = record;
  const account = Object.assign(openAccount(state, record.id, record.keepsHistory), fields);
  for (const [asset, balance] of balances.entries()) {
    if (balance !== null) account.balances[asset] = { ...balance };
  }
  account.events.fill(events, record.lastSeq - events.length);
  account.receipts.fill(receipts, 0);
}

function locate(state: State, where: Where): { account: AccountState; at: BookState } {
  const market = found(state.markets.get(where.market), `market ${where.market}`);
  return {
    account: found(state.accounts.get(where.account), `account ${where.account}`),
    at: found(bookOf(market, where.book), `book ${where.market} ${where.book}`),
  };
}

function restoreParent(state: State, record: AlgoRecord | ConditionalRecord): void {
  const { account: _account, market: _market, book: _book, ...fields } = record;
  const { account, at } = locate(state, record);
  const parent = revive(state, fields, account, at);
  state.parents.set(parent.id, parent);
  if (parent.state !== 'open') return;
  account.parents.add(parent);
  if (parent.kind === 'conditional') at.conditionals.add(parent);
}

function revive(
  state: State,
  fields: Omit<AlgoRecord, keyof Where> | Omit<ConditionalRecord, keyof Where>,
  account: AccountState,
  at: BookState,
): Parent {
  if (fields.kind === 'conditional') return { ...fields, account, at };
  const { dueMs, ...rest } = fields;
  const algo: Algo = { ...rest, account, at, slices: new Set(), timer: null };
  if (dueMs !== null) algo.timer = state.timers.start(dueMs, algo.entryNo, algo);
  return algo;
}

function restoreOrder(state: State, record: OrderRecord): void {
  const {
    account: _account,
    market: _market,
    book: _book,
    algo: algoId,
    fills,
    ...fields
  } = record;
  const { account, at } = locate(state, record);
  const parent = algoId === null ? undefined : state.parents.get(algoId);
  const algo = parent?.kind === 'algo' ? parent : null;
  const order: Order = {
    ...fields,
    account,
    at,
    algo,
    level: null,
    prev: null,
    next: null,
    timer: null,
    openIndex: -1,
    indexRow: -1,
    firstFill: noRow,
    lastFill: noRow,
  };
  for (const fill of fills ?? []) state.fills.append(order, fill);
  state.orders.add(order);
  if (order.state !== 'open') return;
  addOpen(order);
  if (order.side === 'Bid') at.market.heldQuote += order.held;
  algo?.slices.add(order);
  if (order.expiresAt === null) return;
  order.timer = state.timers.start(order.expiresAt, order.entryNo, order);
}

function restoreMarket(state: State, record: MarketRecord): void {
  const market = found(state.markets.get(record.marketId), `market ${record.marketId}`);
  const { status, outcome, killed } = record;
  Object.assign(market, { status, outcome, killed });
  const ended = status === 'closed' || status === 'settled';
  if (ended && market.timer !== null) {
    state.timers.remove(market.timer);
    market.timer = null;
  }
  for (const { book, lastTrade, seq, volume, bids, asks } of record.books) {
    const at = found(bookOf(market, book), `book ${record.marketId} ${book}`);
    Object.assign(at, { lastTrade, seq, volume });
    for (const id of [...bids, ...asks]) {
      const order = found(state.orders.get(id), `order ${id}`);
      ownSide(at, order.side).add(order);
    }
  }
}

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new RangeError(`the snapshot lacks ${name}`);
  return value;
}
