/** The exchange's whole state as plain records; the other files of this folder are its transition functions. */
import type { MarketStatus } from '../../domain/instrument.ts';
import type { Book, Side, StpMode, TimeInForce } from '../../domain/units.ts';
import type { ActionIds, Place, Strategy } from './action.ts';
import type { Credit, ExchangeConfig, Fees, MarketSpec } from './config.ts';
import type { ExecutionEvent } from './event.ts';
import { FillTable } from './fills.ts';
import { IdIndex } from './id-index.ts';
import { Ladder, type Level } from './order-book.ts';
import { PackedLog } from './packed-log.ts';
import { referencePacking, tradePacking } from './packing.ts';
import type { Refusal } from './refusal.ts';
import { type Timer, Timers } from './timers.ts';
import { UndoLog } from './undo-log.ts';
import type { OrderState, ReceiptRecord, TradeView } from './view.ts';

/** Things that are due at a time. */
export type Due = Order | Algo | MarketState;

export interface Balance {
  free: number;
  held: number;
}

export interface AccountState {
  readonly id: string;
  /** False for an account whose history nobody asks for: ended orders are forgotten at once. */
  readonly keepsHistory: boolean;
  /** By index of the asset; absent until first used. */
  readonly balances: (Balance | undefined)[];
  /** In no order; each order knows its place. */
  readonly open: Order[];
  /** Open orders by index of the market. */
  readonly openByMarket: number[];
  readonly parents: Set<Parent>;
  readonly events: PackedLog<ExecutionEvent>;
  readonly receipts: PackedLog<ReceiptRecord>;
  lastSeq: number;
  /** Maker volume of the month that `volumeMonth` counts from year 0. */
  makerVolumeMicro: number;
  volumeMonth: number;
  killed: boolean;
}

export interface MarketState {
  readonly kind: 'market';
  readonly spec: MarketSpec;
  readonly index: number;
  /** YES and NO of an outcome market; one without a name on spot. */
  readonly books: readonly BookState[];
  readonly quoteAsset: number;
  /** price * qty / divisor is quote currency. */
  readonly divisor: number;
  status: MarketStatus;
  outcome: Book | null;
  killed: boolean;
  /** Quote currency that the open bids of all accounts hold. */
  heldQuote: number;
  timer: Timer<Due> | null;
}

export interface BookState {
  readonly market: MarketState;
  readonly book: Book | null;
  readonly baseAsset: number;
  readonly bids: Ladder<Order>;
  readonly asks: Ladder<Order>;
  readonly conditionals: Set<Conditional>;
  lastTrade: TradeView | null;
  /** Grows with every change of the book. */
  seq: number;
  /** Quantity traded since the start; it stops counting at the last safe integer. */
  volume: number;
}

/** What every order, algo and conditional carries from its entry on. */
interface Entered {
  readonly id: string;
  readonly entryNo: number;
  readonly account: AccountState;
  readonly at: BookState;
  readonly side: Side;
  readonly price: number;
  readonly timeInForce: TimeInForce;
  readonly actionHash: string;
  readonly nonce: number;
  state: OrderState;
}

export interface Order extends Entered {
  readonly kind: 'order';
  readonly stpMode: StpMode;
  readonly expiresAt: number | null;
  readonly parentId: string | null;
  readonly legIndex: number | null;
  readonly algo: Algo | null;
  /** The rate at which the order makes, fixed when it entered so that its hold always suffices. */
  readonly makerBps: number;
  qty: number;
  filledQty: number;
  /** Quote currency on a bid, base asset on an ask. */
  held: number;
  feeMicro: number;
  firstFill: number;
  lastFill: number;
  level: Level<Order> | null;
  prev: Order | null;
  next: Order | null;
  timer: Timer<Due> | null;
  /** Place in the open orders of its account; -1 when not there. */
  openIndex: number;
  /** Row in the index of orders; -1 when not there. */
  indexRow: number;
}

interface ParentFields extends Entered {
  readonly qty: number;
}

export interface Algo extends ParentFields {
  readonly kind: 'algo';
  readonly strategy: Strategy;
  readonly canonical: string;
  readonly slices: Set<Order>;
  filledQty: number;
  feeMicro: number;
  /** Quantity given to slices so far; filled or not, it is not given again. */
  sentQty: number;
  sliceCount: number;
  /** Intervals that have passed, with or without a slice. */
  rounds: number;
  /** The book's volume when the last slice went in. */
  volumeMark: number;
  /** Set once no further slice may follow. */
  stopped: Refusal | 'canceled' | null;
  timer: Timer<Due> | null;
}

export interface Conditional extends ParentFields {
  readonly kind: 'conditional';
  readonly triggerPrice: number;
  readonly triggerDirection: 'at_or_above' | 'at_or_below';
  readonly nested: { readonly action: Place; readonly ids: ActionIds };
}

export type Parent = Algo | Conditional;

/** Work that follows from a change and is done once the change is certain. */
export type FollowUp =
  | { readonly kind: 'slice_ended'; readonly algo: Algo; readonly slice: Order }
  | { readonly kind: 'traded'; readonly at: BookState };

/** Counters in one record, so that a rollback restores them together. */
export interface Counters {
  entryNo: number;
  tradeNo: number;
  feesMicro: number;
}

export interface State {
  readonly config: ExchangeConfig;
  readonly markets: Map<number, MarketState>;
  readonly assetNames: string[];
  readonly assetIndex: Map<string, number>;
  /** Deposits of each asset less withdrawals: balances and fees add up to it. */
  readonly supply: number[];
  readonly accounts: Map<string, AccountState>;
  readonly orders: IdIndex<Order>;
  readonly fills: FillTable;
  readonly parents: Map<string, Parent>;
  /** Ended orders, oldest first; those that fall out are forgotten. */
  readonly ended: PackedLog<Order | Parent>;
  readonly trades: PackedLog<TradeView>;
  readonly timers: Timers<Due>;
  readonly undo: UndoLog;
  readonly counters: Counters;
  /** Made by the present call and not yet certain. */
  readonly staged: {
    events: ExecutionEvent[];
    trades: TradeView[];
    ended: (Order | Parent)[];
    readonly followUps: FollowUp[];
  };
  nowMs: number;
  tradingHalted: boolean;
  killed: boolean;
  credit: Credit;
  fees: Fees;
  /** The action that events of its account are ascribed to. */
  cause: { readonly account: AccountState; readonly ids: ActionIds } | null;
}

export function createState(config: ExchangeConfig): State {
  const state: State = {
    config,
    markets: new Map(),
    assetNames: [],
    assetIndex: new Map(),
    supply: [],
    accounts: new Map(),
    orders: new IdIndex(2 * config.retention.closedOrders),
    fills: new FillTable(),
    parents: new Map(),
    ended: new PackedLog(config.retention.closedOrders, referencePacking()),
    trades: new PackedLog(config.retention.trades, tradePacking),
    timers: new Timers(),
    undo: new UndoLog(),
    counters: { entryNo: 0, tradeNo: 0, feesMicro: 0 },
    staged: { events: [], trades: [], ended: [], followUps: [] },
    nowMs: 0,
    tradingHalted: false,
    killed: false,
    credit: config.credit,
    fees: config.fees,
    cause: null,
  };
  for (const spec of config.markets) addMarket(state, spec);
  return state;
}

/** All fees count in one currency, so every market is quoted in the same one. */
const quoteScale = 6;

function addMarket(state: State, spec: MarketSpec): void {
  const { marketId, kind, base, quote, expiryMs } = spec;
  if (state.markets.has(marketId)) throw new RangeError(`market ${marketId} stands twice`);
  const first = state.config.markets[0];
  if (first !== undefined && quote !== first.quote) {
    throw new RangeError(`market ${marketId} is quoted in ${quote}, the others in ${first.quote}`);
  }
  const divisor = 10 ** (spec.qtyScale + spec.priceScale - quoteScale);
  if (!Number.isSafeInteger(divisor)) throw new RangeError(`market ${marketId} has unfit scales`);
  const books: BookState[] = [];
  const market: MarketState = {
    kind: 'market',
    spec,
    index: state.markets.size,
    books,
    quoteAsset: assetIndex(state, quote),
    divisor,
    status: 'open',
    outcome: null,
    killed: false,
    heldQuote: 0,
    timer: null,
  };
  const names: (Book | null)[] = kind === 'spot' ? [null] : ['YES', 'NO'];
  for (const book of names) {
    const baseAsset = assetIndex(state, book === null ? base : `${marketId}:${book}`);
    books.push({
      market,
      book,
      baseAsset,
      bids: new Ladder('Bid', state.undo),
      asks: new Ladder('Ask', state.undo),
      conditionals: new Set(),
      lastTrade: null,
      seq: 0,
      volume: 0,
    });
  }
  state.markets.set(marketId, market);
  if (expiryMs !== null) {
    // Market ends go before orders due at the same time.
    market.timer = state.timers.start(expiryMs, -1 - market.index, market);
  }
}

function assetIndex(state: State, name: string): number {
  const known = state.assetIndex.get(name);
  if (known !== undefined) return known;
  state.assetNames.push(name);
  state.supply.push(0);
  state.assetIndex.set(name, state.assetNames.length - 1);
  return state.assetNames.length - 1;
}

export function bookOf(market: MarketState, book: Book | null): BookState | undefined {
  return market.books.find((candidate) => candidate.book === book);
}

export function ownSide(at: BookState, side: Side): Ladder<Order> {
  return side === 'Bid' ? at.bids : at.asks;
}

export function oppositeSide(at: BookState, side: Side): Ladder<Order> {
  return side === 'Bid' ? at.asks : at.bids;
}

/** Whether an order of `side` at `price` can trade against one at `other`. */
export function crosses(side: Side, price: number, other: number): boolean {
  return side === 'Bid' ? price >= other : price <= other;
}

/** Called before any change of an order except its links and fills, which have their own undo. */
export function saveOrder({ undo }: State, order: Order): void {
  if (!undo.active) return;
  const { qty, filledQty, held, feeMicro, state, timer } = order;
  undo.step(() => {
    Object.assign(order, { qty, filledQty, held, feeMicro, state, timer });
  });
}

export function leavesOf(order: Order): number {
  return order.state === 'open' ? order.qty - order.filledQty : 0;
}
