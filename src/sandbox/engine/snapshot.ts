/** Converts the whole state to plain JSON and back. Links between records become ids; queues and timers are rebuilt. */
import { addOpen, openAccount } from './accounts.ts';
import type { ExchangeConfig } from './config.ts';
import {
  type AccountState,
  type Algo,
  type BookState,
  bookOf,
  type Conditional,
  type MarketState,
  type Order,
  ownSide,
  type Parent,
  State,
} from './state.ts';

type Where = ReturnType<typeof whereOf>;
type OrderRecord = ReturnType<typeof orderRecord>;
type AlgoRecord = ReturnType<typeof algoRecord>;
type ConditionalRecord = ReturnType<typeof conditionalRecord>;

/** The whole state as plain JSON. */
export type Snapshot = Readonly<ReturnType<typeof takeSnapshot>>;

export function takeSnapshot(state: State) {
  const { nowMs, tradingHalted, killed, credit, fees } = state;
  return {
    version: 1 as const,
    nowMs,
    tradingHalted,
    killed,
    credit,
    fees,
    counters: { ...state.counters },
    supply: state.supply.slice(),
    markets: Array.from(state.markets.values(), marketRecord),
    accounts: Array.from(state.accounts.values(), accountRecord),
    orders: byEntry(state.orders.values()).map(orderRecord),
    parents: byEntry(state.parents.values()).map((parent) =>
      parent.kind === 'algo' ? algoRecord(parent) : conditionalRecord(parent),
    ),
    ended: state.ended.toArray().map(({ id }) => id),
    endedDropped: state.ended.dropped,
    trades: state.trades.toArray(),
    tradesDropped: state.trades.dropped,
  };
}

/** The configuration must have the markets of the snapshot. */
export function restoreState(config: ExchangeConfig, snapshot: Snapshot): State {
  if (snapshot.version !== 1) throw new RangeError(`snapshot version ${snapshot.version}`);
  const state = new State(config);
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

function marketRecord({ spec, status, outcome, killed, books }: MarketState) {
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
      bids: bids.orders().map(({ id }) => id),
      asks: asks.orders().map(({ id }) => id),
    })),
  };
}

function accountRecord(account: AccountState) {
  const { open, openByMarket, parents, balances, events, receipts, ...fields } = account;
  return {
    ...fields,
    balances: Array.from(balances, (balance) => (balance === undefined ? null : { ...balance })),
    events: events.toArray(),
    receipts: receipts.toArray(),
  };
}

function whereOf({ account, at }: Pick<Order, 'account' | 'at'>) {
  return { account: account.id, market: at.market.spec.marketId, book: at.book };
}

/** Leaves out what is set again when the order is added to its queue, its account and the indexes. */
function orderRecord(order: Order) {
  const { account, at, timer, algo, level, openIndex, fills, ...fields } = order;
  const filled = { fills: fills.length === 0 ? null : [...fills] };
  return { ...fields, ...filled, ...whereOf(order), algo: algo?.id ?? null };
}

function conditionalRecord(conditional: Conditional) {
  const { account, at, ...fields } = conditional;
  return { ...fields, ...whereOf(conditional) };
}

function algoRecord(algo: Algo) {
  const { account, at, timer, slices, ...fields } = algo;
  return { ...fields, ...whereOf(algo), dueMs: timer?.dueMs ?? null };
}

function restoreAccount(state: State, record: ReturnType<typeof accountRecord>): void {
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
    timer: null,
    openIndex: -1,
    fills: [...(fills ?? [])],
  };
  state.orders.set(order.id, order);
  if (order.state !== 'open') return;
  addOpen(order);
  if (order.side === 'Bid') at.market.heldQuote += order.held;
  algo?.slices.add(order);
  if (order.expiresAt === null) return;
  order.timer = state.timers.start(order.expiresAt, order.entryNo, order);
}

function restoreMarket(state: State, record: ReturnType<typeof marketRecord>): void {
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
