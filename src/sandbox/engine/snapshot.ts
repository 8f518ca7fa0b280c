/** The whole state as plain JSON and back. Links between records become ids; queues and timers are rebuilt. */
import { addOpen, openAccount } from './accounts.ts';
import type { Credit, ExchangeConfig, Fees } from './config.ts';
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

type Linked = 'account' | 'at' | 'timer';
interface Where {
  readonly account: string;
  readonly market: number;
  readonly book: BookState['book'];
}
type OrderRecord = Omit<
  Order,
  Linked | 'algo' | 'level' | 'prev' | 'next' | 'openIndex' | 'indexRow' | keyof Filled
> &
  Where & { readonly fills: readonly ExecutionFill[] | null; readonly algo: string | null };
type AlgoRecord = Omit<Algo, Linked | 'slices'> & Where & { readonly dueMs: number | null };
type ConditionalRecord = Omit<Conditional, Linked> & Where;

interface AccountRecord {
  readonly id: string;
  readonly keepsHistory: boolean;
  readonly balances: readonly (Balance | null)[];
  readonly lastSeq: number;
  readonly events: readonly ExecutionEvent[];
  readonly receipts: readonly ReceiptRecord[];
  readonly makerVolumeMicro: number;
  readonly volumeMonth: number;
  readonly killed: boolean;
}

interface BookRecord extends Pick<BookState, 'book' | 'lastTrade' | 'seq' | 'volume'> {
  readonly bids: readonly string[];
  readonly asks: readonly string[];
}

interface MarketRecord extends Pick<MarketState, 'status' | 'outcome' | 'killed'> {
  readonly marketId: number;
  readonly books: readonly BookRecord[];
}

export interface Snapshot {
  readonly version: 1;
  readonly nowMs: number;
  readonly tradingHalted: boolean;
  readonly killed: boolean;
  readonly credit: Credit;
  readonly fees: Fees;
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
  return {
    version: 1,
    nowMs: state.nowMs,
    tradingHalted: state.tradingHalted,
    killed: state.killed,
    credit: state.credit,
    fees: state.fees,
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

/** Of the same markets as the snapshot was taken with. */
export function restoreState(config: ExchangeConfig, snapshot: Snapshot): State {
  if (snapshot.version !== 1) throw new RangeError(`snapshot version ${snapshot.version}`);
  const state = createState({ ...config, credit: snapshot.credit, fees: snapshot.fees });
  state.nowMs = snapshot.nowMs;
  state.tradingHalted = snapshot.tradingHalted;
  state.killed = snapshot.killed;
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
  return {
    id: account.id,
    keepsHistory: account.keepsHistory,
    balances: Array.from(account.balances, (balance) =>
      balance === undefined ? null : { ...balance },
    ),
    lastSeq: account.lastSeq,
    events: account.events.toArray(),
    receipts: account.receipts.toArray(),
    makerVolumeMicro: account.makerVolumeMicro,
    volumeMonth: account.volumeMonth,
    killed: account.killed,
  };
}

function whereOf({ account, at }: Pick<Order, 'account' | 'at'>): Where {
  return { account: account.id, market: at.market.spec.marketId, book: at.book };
}

function orderRecord(state: State, order: Order): OrderRecord {
  return {
    kind: order.kind,
    id: order.id,
    entryNo: order.entryNo,
    side: order.side,
    price: order.price,
    stpMode: order.stpMode,
    timeInForce: order.timeInForce,
    expiresAt: order.expiresAt,
    parentId: order.parentId,
    legIndex: order.legIndex,
    actionHash: order.actionHash,
    nonce: order.nonce,
    makerBps: order.makerBps,
    qty: order.qty,
    filledQty: order.filledQty,
    held: order.held,
    feeMicro: order.feeMicro,
    state: order.state,
    fills: order.firstFill === noRow ? null : state.fills.of(order),
    ...whereOf(order),
    algo: order.algo?.id ?? null,
  };
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
  const account = openAccount(state, record.id, record.keepsHistory);
  for (const [asset, balance] of record.balances.entries()) {
    if (balance !== null) account.balances[asset] = { ...balance };
  }
  account.lastSeq = record.lastSeq;
  account.events.fill(record.events, record.lastSeq - record.events.length);
  account.receipts.fill(record.receipts, 0);
  account.makerVolumeMicro = record.makerVolumeMicro;
  account.volumeMonth = record.volumeMonth;
  account.killed = record.killed;
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
  if (dueMs !== null) {
    algo.timer = { dueMs, entryNo: algo.entryNo, target: algo, position: -1 };
    state.timers.set(algo.timer);
  }
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
  order.timer = { dueMs: order.expiresAt, entryNo: order.entryNo, target: order, position: -1 };
  state.timers.set(order.timer);
}

function restoreMarket(state: State, record: MarketRecord): void {
  const market = found(state.markets.get(record.marketId), `market ${record.marketId}`);
  market.status = record.status;
  market.outcome = record.outcome;
  market.killed = record.killed;
  const ended = record.status === 'closed' || record.status === 'settled';
  if (ended && market.timer !== null) {
    state.timers.remove(market.timer);
    market.timer = null;
  }
  for (const { book, lastTrade, seq, volume, bids, asks } of record.books) {
    const at = found(bookOf(market, book), `book ${record.marketId} ${book}`);
    at.lastTrade = lastTrade;
    at.seq = seq;
    at.volume = volume;
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
