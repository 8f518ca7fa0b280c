/** A small exchange with three funded accounts, and actions in one line each. Ids count up, so runs repeat. */
import type { Book, Side } from '../../../src/domain/units.ts';
import type {
  ActionIds,
  EngineAction,
  Place,
  PlaceAlgo,
  ReplaceLeg,
  Strategy,
} from '../../../src/sandbox/engine/action.ts';
import {
  type Caps,
  creditOff,
  defaultRetention,
  type ExchangeConfig,
  type MarketSpec,
} from '../../../src/sandbox/engine/config.ts';
import type { ExecutionEvent } from '../../../src/sandbox/engine/event.ts';
import { Exchange } from '../../../src/sandbox/engine/exchange.ts';
import type { ActionResult } from '../../../src/sandbox/engine/view.ts';

export const spot: MarketSpec = {
  marketId: 1,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  priceScale: 6,
  qtyScale: 8,
  tick: 100,
  lot: 10,
  minNotional: 1_000,
  maxQty: 1_000_000_000_000,
  expiryMs: null,
};

export const prediction: MarketSpec = {
  ...spot,
  marketId: 7,
  kind: 'prediction',
  symbol: 'RAIN',
  base: 'RAIN',
  qtyScale: 6,
  tick: 1_000,
  lot: 1_000,
  minNotional: 0,
};

/** One dollar and one whole coin, in atoms. */
export const usd = 1_000_000;
export const coin = 100_000_000;

export const startMs = 1_700_000_000_000;

export const defaultCaps: Caps = {
  openOrders: 1000,
  openOrdersPerMarket: 200,
  ordersPerLevel: 500,
  levelsPerSide: 5000,
  parents: 64,
  accounts: 10_000,
};

export function configOf(change: Partial<ExchangeConfig> = {}): ExchangeConfig {
  return {
    markets: [spot, prediction],
    fees: { takerBps: 5, makerBps: 0, tiers: [] },
    caps: defaultCaps,
    retention: { ...defaultRetention, closedOrders: 1000 },
    credit: creditOff,
    amendQty: 'total',
    defaultStp: 'cancel_taker',
    reasonNumbers: { trading_halted: 103 },
    deriveChildId: (canonical, index) => `${canonical}/slice${index}`,
    ...change,
  };
}

export type PlaceTerms = Partial<Omit<Place, 'kind'>> & {
  readonly side: Side;
  readonly price: number;
  readonly qty: number;
};

export function placeOf(terms: PlaceTerms): Place {
  return {
    kind: 'place',
    market: 1,
    book: terms.market === 7 ? 'YES' : null,
    stpMode: null,
    timeInForce: 'gtc',
    isMarket: false,
    reduceOnly: false,
    expiresAt: null,
    ...terms,
  };
}

export type LegTerms = PlaceTerms & { readonly cancelOrderId?: string | null };

export function legOf(terms: LegTerms): ReplaceLeg {
  const { kind: _kind, market: _market, ...leg } = placeOf(terms);
  return { ...leg, cancelOrderId: terms.cancelOrderId ?? null };
}

export class Floor {
  exchange: Exchange;
  readonly config: ExchangeConfig;
  nowMs = startMs;
  #nonce = 0;

  constructor(change: Partial<ExchangeConfig> = {}) {
    this.config = configOf(change);
    this.exchange = new Exchange(this.config);
    for (const account of ['ann', 'bob', 'cid']) {
      this.exchange.openAccount(account);
      this.exchange.deposit(account, 'USDC', 1_000_000 * usd);
      this.exchange.deposit(account, 'BTC', 1_000 * coin);
      this.exchange.deposit(account, '7:YES', 100_000 * usd);
      this.exchange.deposit(account, '7:NO', 100_000 * usd);
    }
  }

  do(account: string, action: EngineAction, change: Partial<ActionIds> = {}): ActionResult {
    const ids = { ...this.ids(action), ...change };
    return this.exchange.apply({ account, action, ids, nowMs: this.nowMs });
  }

  /** Ids name the order by its number: `o1`, `o2/leg0`. */
  ids(action: EngineAction): ActionIds {
    this.#nonce += 1;
    const id = `o${this.#nonce}`;
    const legs = action.kind === 'replace' ? action.legs : [];
    const places = /^place/.test(action.kind);
    return {
      actionHash: `hash${this.#nonce}`,
      nonce: this.#nonce,
      clientOrderId: `client${this.#nonce}`,
      orderId: places ? id : null,
      legIds: legs.map((leg, index) =>
        leg.cancelOrderId !== null && leg.qty === 0 ? null : `${id}/leg${index}`,
      ),
      canonical: action.kind === 'place_algo' ? id : null,
    };
  }

  place(account: string, terms: PlaceTerms, change: Partial<ActionIds> = {}): ActionResult {
    return this.do(account, placeOf(terms), change);
  }

  bid(account: string, price: number, qty: number, terms: Partial<PlaceTerms> = {}): ActionResult {
    return this.place(account, { side: 'Bid', price, qty, ...terms });
  }

  ask(account: string, price: number, qty: number, terms: Partial<PlaceTerms> = {}): ActionResult {
    return this.place(account, { side: 'Ask', price, qty, ...terms });
  }

  cancel(account: string, orderId: string): ActionResult {
    return this.do(account, { kind: 'cancel', orderId });
  }

  amend(account: string, orderId: string, newQty: number): ActionResult {
    return this.do(account, { kind: 'amend', orderId, newQty });
  }

  replace(account: string, legs: LegTerms[], market = 1): ActionResult {
    return this.do(account, { kind: 'replace', market, legs: legs.map(legOf) });
  }

  algo(account: string, strategy: Strategy, change: Partial<PlaceAlgo> = {}): ActionResult {
    return this.do(account, {
      kind: 'place_algo',
      market: 1,
      book: null,
      side: 'Ask',
      totalQty: coin,
      limitPrice: 100 * usd,
      timeInForce: 'gtc',
      strategy,
      ...change,
    });
  }

  /** A stored conditional whose nested action is `terms`. */
  conditional(
    account: string,
    triggerPrice: number,
    triggerDirection: 'at_or_above' | 'at_or_below',
    terms: PlaceTerms,
  ): ActionResult {
    const nested = placeOf(terms);
    return this.do(account, {
      kind: 'place_conditional',
      market: nested.market,
      book: nested.book,
      side: nested.side,
      qty: nested.qty,
      limitPrice: nested.price,
      triggerPrice,
      triggerDirection,
      reduceOnly: nested.reduceOnly,
      nested: { action: nested, ids: this.ids(nested) },
    });
  }

  advance(byMs: number): readonly ExecutionEvent[] {
    this.nowMs += byMs;
    return this.exchange.advance(this.nowMs);
  }

  free(account: string, asset: string): number {
    return this.exchange.balances(account).find((view) => view.asset === asset)?.free ?? 0;
  }

  held(account: string, asset: string): number {
    return this.exchange.balances(account).find((view) => view.asset === asset)?.held ?? 0;
  }

  /** The order ids of a book side in the order in which they trade. */
  queue(side: Side, market = 1, book: Book | null = null): string[] {
    const orders = this.exchange.snapshot().markets.find((each) => each.marketId === market);
    const found = orders?.books.find((each) => each.book === book);
    return (side === 'Bid' ? found?.bids : found?.asks)?.slice() ?? [];
  }
}

/** Events as `kind orderId`, for what happened in which order. */
export function told(events: readonly ExecutionEvent[], account?: string): string[] {
  return events
    .filter((event) => account === undefined || event.account === account)
    .map(({ kind, orderId }) => `${kind} ${orderId}`);
}
