/**
 * The venue's markets and the order books on them; one instrument for each order book (contract C.3, G54, G56).
 * SecurityID is authoritative: `<marketId>` on spot, `<marketId>:YES` or `<marketId>:NO` elsewhere.
 */
import { type Denial, deny, isDenial } from './denial.ts';
import { type Book, type MarketId, type Price, type Qty, tenTo } from './units.ts';

export type MarketKind = 'spot' | 'binary' | 'prediction';
export type MarketStatus = 'open' | 'halted' | 'closed' | 'settled';

export interface Market {
  readonly marketId: MarketId;
  readonly kind: MarketKind;
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly status: MarketStatus;
  readonly priceScale: number;
  readonly qtyScale: number;
  readonly tick: Price;
  readonly lot: Qty;
  readonly minNotional: Price;
  readonly maxQty: Qty;
  readonly expiryMs: number | null;
}

/** `book` is null on spot, set on every other kind. */
export interface Instrument {
  readonly market: Market;
  readonly book: Book | null;
  readonly symbol: string;
  readonly securityId: string;
}

/** The fields with which a client identifies an instrument; if there are several, they must agree. */
export interface InstrumentRef {
  readonly symbol: string | null;
  readonly securityId: string | null;
  readonly book: Book | null;
  /** Why the fields name no book, or two. */
  readonly fault?: Denial;
}

/** Whether an amount is the same price and quantity in both: the venue may have changed a market's decimals. */
export function hasSameDecimals(one: Market, other: Market): boolean {
  return one.priceScale === other.priceScale && one.qtyScale === other.qtyScale;
}

/** The markets of these orders, each once. */
export function marketsOf(
  orders: Iterable<{ readonly instrument: Instrument }>,
): readonly Market[] {
  const markets = new Map<MarketId, Market>();
  for (const { instrument } of orders) markets.set(instrument.market.marketId, instrument.market);
  return [...markets.values()];
}

export const books: readonly Book[] = ['YES', 'NO'];

export class InstrumentList {
  readonly #markets = new Map<MarketId, Market>();
  /** Null for a symbol that several markets have. */
  readonly #bySymbol = new Map<string, Market | null>();
  readonly #byId = new Map<string, Instrument>();
  readonly #bySymbolAndBook = new Map<string, Instrument | null>();

  constructor(markets: readonly Market[]) {
    for (const market of markets) {
      this.#markets.set(market.marketId, market);
      claim(this.#bySymbol, market.symbol, market, (one) => one);
      for (const instrument of instrumentsOf(market)) {
        this.#byId.set(instrument.securityId, instrument);
        claim(this.#bySymbolAndBook, instrument.symbol, instrument, (one) => one.market);
      }
    }
  }

  *[Symbol.iterator](): Iterator<Instrument> {
    yield* this.#byId.values();
  }

  of(marketId: MarketId, book: Book | null): Instrument | undefined {
    return this.#byId.get(book === null ? String(marketId) : `${marketId}:${book}`);
  }

  market(marketId: MarketId): Market | undefined {
    return this.#markets.get(marketId);
  }

  resolve(ref: InstrumentRef): Instrument | Denial {
    if (ref.fault !== undefined) return ref.fault;
    const byId = ref.securityId === null ? null : this.#named(ref.securityId, ref.book, 'id');
    const bySymbol = ref.symbol === null ? null : this.#named(ref.symbol, ref.book, 'symbol');
    if (byId !== null && isDenial(byId)) return byId;
    // With an authoritative id, the bare symbol of the market is accepted as well, also if other markets have it.
    const isOwn = ref.symbol === byId?.market.symbol || ref.symbol === byId?.symbol;
    if (byId !== null && isOwn) return byId;
    if (bySymbol !== null && isDenial(bySymbol)) return bySymbol;
    if (byId !== null && bySymbol !== null && byId !== bySymbol) {
      return deny('bridge.instrument_conflict', `${ref.securityId} is not ${ref.symbol}`);
    }
    return (
      byId ??
      bySymbol ??
      deny(
        'bridge.unknown_instrument',
        'no Symbol(55), and no SecurityID(48) with SecurityIDSource(22)=8',
      )
    );
  }

  /** Returns the market of a reference even if it names no book of it, or the wrong one. */
  marketOf({ securityId, symbol }: InstrumentRef): Market | undefined {
    const byId = securityId ?? '';
    const bySymbol = symbol ?? '';
    const instrument = this.#byId.get(byId) ?? this.#bySymbolAndBook.get(bySymbol);
    return (
      instrument?.market ?? this.#marketById(byId) ?? this.#bySymbol.get(bySymbol) ?? undefined
    );
  }

  #named(name: string, book: Book | null, way: 'id' | 'symbol'): Instrument | Denial {
    const exact = way === 'id' ? this.#byId.get(name) : this.#bySymbolAndBook.get(name);
    if (exact === null) return manyNamed(name);
    if (exact !== undefined) {
      if (book === null || book === exact.book) return exact;
      const code = exact.book === null ? 'bridge.book_on_spot' : 'bridge.instrument_conflict';
      return deny(code, `${name} is not the ${book} book`);
    }
    const market = way === 'id' ? this.#marketById(name) : this.#bySymbol.get(name);
    if (market === null) return manyNamed(name);
    if (market === undefined) return deny('bridge.unknown_instrument', name);
    if (book === null) return deny('bridge.book_missing', `${name} has the books YES and NO`);
    return this.of(market.marketId, book) ?? deny('bridge.unknown_instrument', name);
  }

  #marketById(name: string): Market | undefined {
    return /^\d{1,15}$/.test(name) ? this.#markets.get(Number(name) as MarketId) : undefined;
  }
}

function manyNamed(symbol: string): Denial {
  return deny('bridge.instrument_conflict', `several markets are called ${symbol}`);
}

/** The venue may list a symbol again for a new market: it names the only market that is not over. */
function claim<T>(
  names: Map<string, T | null>,
  name: string,
  one: T,
  marketOf: (one: T) => Market,
): void {
  const isOver = (of: T) => ['closed', 'settled'].includes(marketOf(of).status);
  const before = names.get(name);
  if (before === undefined || (before !== null && isOver(before))) names.set(name, one);
  else if (!isOver(one)) names.set(name, null);
}

export function instrumentsOf(market: Market): readonly Instrument[] {
  const { marketId, symbol } = market;
  if (market.kind === 'spot') {
    return [{ market, book: null, symbol, securityId: String(marketId) }];
  }
  return books.map((book) => ({
    market,
    book,
    symbol: `${symbol}:${book}`,
    securityId: `${marketId}:${book}`,
  }));
}

/** An outcome share pays out one unit of the quote currency, so its price is strictly between 0 and that amount. */
export function payout(instrument: Instrument): bigint | null {
  return instrument.book === null ? null : tenTo(instrument.market.priceScale);
}
