/** The exchange's whole state as plain records; the other files of this folder contain its transition functions. */
import type { MarketStatus } from '../../domain/instrument.ts';
import type { Book, Side, StpMode, TimeInForce } from '../../domain/units.ts';
import type { ActionIds, Place, Strategy } from './action.ts';
import { BoundedLog } from './bounded-log.ts';
import type { Credit, ExchangeConfig, Fees, MarketSpec } from './config.ts';
import type { ExecutionEvent, ExecutionFill } from './event.ts';
import { Ladder, type Level } from './order-book.ts';
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

export class AccountState {
  readonly id: string;
  /** False for an account whose history is never queried: ended orders are removed at once. */
  readonly keepsHistory: boolean;
  /** By index of the asset; absent until it is first used. */
  readonly balances: (Balance | undefined)[] = [];
  /** Unordered; each order knows its index. */
  readonly open: Order[] = [];
  /** The number of open orders by index of the market. */
  readonly openByMarket: number[];
  readonly parents = new Set<Parent>();
  readonly events: BoundedLog<ExecutionEvent>;
  readonly receipts: BoundedLog<ReceiptRecord>;
  lastSeq = 0;
  /** The maker volume of the month `volumeMonth`, which counts from year 0. */
  makerVolumeMicro = 0;
  volumeMonth = 0;
  killed = false;

  constructor({ config, markets }: State, id: string, keepsHistory: boolean) {
    const { eventsPerAccount, receipts } = config.retention;
    this.id = id;
    this.keepsHistory = keepsHistory;
    this.openByMarket = Array.from(markets, () => 0);
    this.events = new BoundedLog(keepsHistory ? eventsPerAccount : 1);
    this.receipts = new BoundedLog(keepsHistory ? receipts : 1);
  }
}

export class MarketState {
  readonly kind = 'market';
  readonly spec: MarketSpec;
  readonly index: number;
  /** YES and NO of an outcome market; a single one without a name on spot. */
  readonly books: readonly BookState[];
  readonly quoteAsset: number;
  /** price * qty / divisor is quote currency. */
  readonly divisor: number;
  status: MarketStatus = 'open';
  outcome: Book | null = null;
  killed = false;
  /** The quote currency that the open bids of all accounts hold. */
  heldQuote = 0;
  timer: Timer<Due> | null = null;

  constructor(state: State, spec: MarketSpec) {
    const { marketId, kind, base, quote } = spec;
    this.spec = spec;
    this.index = state.markets.size;
    this.quoteAsset = assetIndex(state, quote);
    this.divisor = 10 ** (spec.qtyScale + spec.priceScale - quoteScale);
    if (!Number.isSafeInteger(this.divisor)) {
      throw new RangeError(`market ${marketId} has unfit scales`);
    }
    const names: (Book | null)[] = kind === 'spot' ? [null] : ['YES', 'NO'];
    this.books = names.map((book) => {
      const baseAsset = assetIndex(state, book === null ? base : `${marketId}:${book}`);
      return new BookState(this, book, baseAsset, state.undo);
    });
  }
}

export class BookState {
  readonly market: MarketState;
  readonly book: Book | null;
  readonly baseAsset: number;
  readonly bids: Ladder<Order>;
  readonly asks: Ladder<Order>;
  readonly conditionals = new Set<Conditional>();
  lastTrade: TradeView | null = null;
  /** Increases with every change of the book. */
  seq = 0;
  /** The quantity traded since the start; it stops at the last safe integer. */
  volume = 0;

  constructor(market: MarketState, book: Book | null, baseAsset: number, undo: UndoLog) {
    this.market = market;
    this.book = book;
    this.baseAsset = baseAsset;
    this.bids = new Ladder('Bid', undo);
    this.asks = new Ladder('Ask', undo);
  }
}

/** The common members of orders, algos and conditionals. */
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
  /** The rate of the order as a maker, fixed when it entered so that its hold always suffices. */
  readonly makerBps: number;
  qty: number;
  filledQty: number;
  /** Quote currency on a bid, base asset on an ask. */
  held: number;
  feeMicro: number;
  /** Oldest first. */
  readonly fills: ExecutionFill[];
  level: Level<Order> | null;
  timer: Timer<Due> | null;
  /** The index in its account's open orders; -1 if it is not there. */
  openIndex: number;
}

export interface ParentFields extends Entered {
  readonly qty: number;
}

export interface Algo extends ParentFields {
  readonly kind: 'algo';
  readonly strategy: Strategy;
  readonly canonical: string;
  readonly slices: Set<Order>;
  filledQty: number;
  feeMicro: number;
  /** The quantity of all slices so far, filled or not. */
  sentQty: number;
  sliceCount: number;
  /** The number of intervals that have passed, with or without a slice. */
  rounds: number;
  /** The book's volume at the time of the last slice. */
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

/** Work that follows from a change, and is done once the change is certain. */
export type FollowUp =
  | { readonly kind: 'slice_ended'; readonly algo: Algo; readonly slice: Order }
  | { readonly kind: 'traded'; readonly at: BookState };

export class State {
  readonly config: ExchangeConfig;
  readonly markets = new Map<number, MarketState>();
  readonly assetNames: string[] = [];
  readonly assetIndex = new Map<string, number>();
  /** The deposits of each asset minus withdrawals, which equal the sum of balances and fees. */
  readonly supply: number[] = [];
  readonly accounts = new Map<string, AccountState>();
  readonly orders = new Map<string, Order>();
  readonly parents = new Map<string, Parent>();
  /** Ended orders, oldest first; evicted ones are removed. */
  readonly ended: BoundedLog<Order | Parent>;
  readonly trades: BoundedLog<TradeView>;
  readonly timers = new Timers<Due>();
  readonly undo = new UndoLog();
  /** In one record, so that a rollback restores them together. */
  readonly counters = { entryNo: 0, tradeNo: 0, feesMicro: 0 };
  /** Created by the current call, and not certain yet. */
  readonly staged = {
    events: [] as ExecutionEvent[],
    trades: [] as TradeView[],
    ended: [] as (Order | Parent)[],
    followUps: [] as FollowUp[],
  };
  nowMs = 0;
  tradingHalted = false;
  killed = false;
  credit: Credit;
  fees: Fees;
  /** The action to which events of its account are attributed. */
  cause: Call | null = null;

  constructor(config: ExchangeConfig) {
    this.config = config;
    this.ended = new BoundedLog(config.retention.closedOrders);
    this.trades = new BoundedLog(config.retention.trades);
    this.credit = config.credit;
    this.fees = config.fees;
    for (const spec of config.markets) addMarket(this, spec);
  }
}

/** An account that acts on the exchange. */
export interface Actor {
  readonly state: State;
  readonly account: AccountState;
}

/** The account's current action. */
export interface Call extends Actor {
  readonly ids: ActionIds;
}

/** All fees are in one currency, so every market is quoted in it. */
const quoteScale = 6;

function addMarket(state: State, spec: MarketSpec): void {
  const { marketId, quote, expiryMs } = spec;
  if (state.markets.has(marketId)) throw new RangeError(`duplicate market ${marketId}`);
  const first = state.config.markets[0];
  if (first !== undefined && quote !== first.quote) {
    throw new RangeError(`market ${marketId} is quoted in ${quote}, the others in ${first.quote}`);
  }
  const market = new MarketState(state, spec);
  state.markets.set(marketId, market);
  if (expiryMs !== null) {
    // Market ends precede orders due at the same time.
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

export function leavesOf(of: Order | Parent): number {
  if (of.state !== 'open') return 0;
  return of.kind === 'conditional' ? of.qty : of.qty - of.filledQty;
}
