/**
 * Answers clients' requests about markets and the venue, and sends them unsolicited updates: security list, halts,
 * readiness, order book snapshots (contract C.4). A subscription ends with its connection.
 */
import type { Answer, Level, TradingStatus } from '../../domain/answer.ts';
import type {
  MarketDataQuery,
  SecurityListQuery,
  SecurityStatusQuery,
  SessionStatusQuery,
  UserStatusQuery,
} from '../../domain/command.ts';
import { type Denial, deny, isDenial } from '../../domain/denial.ts';
import type { Instrument, InstrumentList, InstrumentRef } from '../../domain/instrument.ts';
import type { Instant } from '../../runtime/clock.ts';
import { entryOf } from '../../runtime/entry-of.ts';
import type { Gate, GateChange } from '../../venue/gate.ts';
import type { OrderBook } from '../../venue/records.ts';
import { isListed, resolve } from '../gate/authorize.ts';
import type { BookWatch } from '../gate/book-watch.ts';
import type { Principal } from '../gate/principal.ts';
import type { Refused } from './order-entry.ts';

export type MarketQuery =
  | SecurityListQuery
  | SecurityStatusQuery
  | SessionStatusQuery
  | MarketDataQuery
  | UserStatusQuery;

/** The client that sent the request. */
export interface Asker {
  readonly principal: Principal;
  readonly isLoggedOn: boolean;
  answer(answer: Answer): void;
}

/** The source of books: `book` returns the known one, `fresh` one as recent as a follower's, read if necessary. */
export type Books = Pick<BookWatch, 'book' | 'fresh' | 'known'>;

type MarketChange = Extract<GateChange, { readonly kind: 'market' }>;

interface BookRequest {
  readonly reqId: string;
  readonly depth: number;
}

interface BookSubscription extends BookRequest {
  readonly instruments: readonly Instrument[];
}

/** A snapshot that waits for its book to be read; if that fails, `known` is sent. */
interface AwaitedBook extends BookRequest {
  readonly instrument: Instrument;
  readonly known: OrderBook;
}

/** Instruments are compared by SecurityID(48): each reading of the market list makes new objects for the same ones. */
interface Interests {
  readonly books: Map<string, BookSubscription>;
  awaited: readonly AwaitedBook[];
  readonly statuses: Map<string, Instrument>;
}

const listPage = 50;
/** Each instrument of a request counts, because each has answers of its own. */
const maxSubscriptions = 256;

export class MarketQueries {
  readonly #instruments: () => InstrumentList;
  readonly #gate: Gate;
  readonly #books: () => Books | undefined;
  readonly #interests = new Map<Asker, Interests>();

  constructor(instruments: () => InstrumentList, gate: Gate, books: () => Books | undefined) {
    this.#instruments = instruments;
    this.#gate = gate;
    this.#books = books;
  }

  /** The instruments whose books clients follow. */
  *followed(): IterableIterator<Instrument> {
    for (const [{ principal }, { books }] of this.#interests) {
      for (const { instruments } of books.values()) {
        // A reload may have taken a market from the session since.
        yield* instruments.filter((one) => isListed(one, principal.markets));
      }
    }
  }

  /** A snapshot of a book that was not read recently waits for a read; undefined if nothing is to be waited for. */
  waitsFor({ instruments, subscription }: MarketDataQuery): Promise<void> | undefined {
    if (subscription !== 'snapshot') return undefined;
    const named = instruments.map((ref) => this.#instruments().resolve(ref));
    return this.#books()?.known(named.flatMap((one) => (isDenial(one) ? [] : [one])));
  }

  /** A client that is logging out is not answered: it asks again after its next logon, as its subscriptions end. */
  ask(query: MarketQuery, asker: Asker, now: Instant): Refused | undefined {
    if (!asker.isLoggedOn) return undefined;
    switch (query.kind) {
      case 'security_list':
        return this.#list(query, asker);
      case 'security_status':
        return this.#securityStatus(query, asker, now);
      case 'session_status': {
        // Every client gets changes, whether it subscribed or not.
        if (query.subscription !== 'unsubscribe') {
          asker.answer(this.#sessionAnswer(query.reqId, false));
        }
        return undefined;
      }
      case 'market_data':
        return this.#marketData(query, asker);
      case 'user_status':
        asker.answer({
          kind: 'user_status',
          reqId: query.reqId,
          username: query.username,
          isLoggedIn: asker.principal.users.includes(query.username),
        });
        return undefined;
    }
  }

  /** Called within a transaction: a client that logs on while the venue accepts no orders is informed. */
  arrived(asker: Asker): void {
    if (this.#gate.state === 'open' || asker.principal.role === 'drop-copy') return;
    asker.answer(this.#sessionAnswer(null, true));
  }

  left(asker: Asker): void {
    this.#interests.delete(asker);
  }

  /** Called within a transaction when a book was read. */
  bookRead(instrument: Instrument): void {
    const book = this.#books()?.book(instrument);
    if (book === undefined) return;
    for (const [asker, interests] of this.#interests) {
      if (!asker.isLoggedOn) continue;
      const isOpen = isListed(instrument, asker.principal.markets);
      for (const subscription of interests.books.values()) {
        if (isOpen && subscription.instruments.some((one) => isSame(one, instrument))) {
          asker.answer(depthAnswer(subscription, instrument, book));
        }
      }
      for (const request of takeAwaited(interests, instrument)) {
        asker.answer(depthAnswer(request, instrument, book));
      }
    }
  }

  /** Called within a transaction when the read failed: a waiting snapshot gets the known book. */
  bookFailed(instrument: Instrument): void {
    for (const [asker, interests] of this.#interests) {
      if (!asker.isLoggedOn) continue;
      for (const request of takeAwaited(interests, instrument)) {
        asker.answer(depthAnswer(request, instrument, request.known));
      }
    }
  }

  /** Called inside a transaction: every client is informed about the venue, and about a halt of a market (R80). */
  gateChanged(change: GateChange, askers: Iterable<Asker>, now: Instant): void {
    if (change.kind === 'account') return;
    for (const asker of askers) {
      if (!asker.isLoggedOn || asker.principal.role === 'drop-copy') continue;
      if (change.kind === 'venue') asker.answer(this.#sessionAnswer(null, true));
      else this.#sendStatus(asker, change, now);
    }
  }

  #sendStatus(asker: Asker, { market, state }: MarketChange, now: Instant): void {
    const { markets } = asker.principal;
    const status = state === 'open' ? 'resumed' : state;
    for (const instrument of this.#instruments()) {
      if (instrument.market.marketId !== market || !isListed(instrument, markets)) continue;
      asker.answer(statusAnswer(instrument, status, this.#reqIdOf(asker, instrument), true, now));
    }
  }

  #reqIdOf(asker: Asker, instrument: Instrument): string | null {
    const statuses = this.#interests.get(asker)?.statuses ?? [];
    for (const [reqId, followed] of statuses) if (isSame(followed, instrument)) return reqId;
    return null;
  }

  #list({ reqId, instrument }: SecurityListQuery, asker: Asker): Refused | undefined {
    const { markets } = asker.principal;
    const named = instrument && this.#resolve(instrument, asker);
    if (isDenial(named)) return { denial: named };
    const listed =
      named === null ? [...this.#instruments()].filter((one) => isListed(one, markets)) : [named];
    const total = listed.length;
    for (let from = 0; from === 0 || from < total; from += listPage) {
      const instruments = listed.slice(from, from + listPage);
      const isLast = from + listPage >= total;
      asker.answer({ kind: 'security_list', reqId, instruments, total, isLast });
    }
    return undefined;
  }

  #securityStatus(query: SecurityStatusQuery, asker: Asker, now: Instant): Refused | undefined {
    const instrument = this.#resolve(query.instrument, asker);
    if (isDenial(instrument)) return { denial: instrument };
    const { statuses } = this.#of(asker);
    if (query.subscription === 'unsubscribe') {
      statuses.delete(query.reqId);
      return undefined;
    }
    if (query.subscription === 'subscribe') {
      if (statuses.size >= maxSubscriptions) return tooMany();
      statuses.set(query.reqId, instrument);
    }
    asker.answer(statusAnswer(instrument, this.#statusOf(instrument), query.reqId, false, now));
    return undefined;
  }

  #statusOf({ market }: Instrument): TradingStatus {
    const state = this.#gate.market(market.marketId);
    return state === 'open' && this.#gate.state === 'unreachable' ? 'unknown' : state;
  }

  #marketData(query: MarketDataQuery, asker: Asker): Refused | undefined {
    const interests = this.#of(asker);
    const { books } = interests;
    const { reqId, depth } = query;
    if (query.subscription === 'unsubscribe') {
      books.delete(reqId);
      return undefined;
    }
    if (books.has(reqId)) return refusal('bridge.value_out_of_range', 'MDReqID(262) is in use');
    const named = new Map<string, Instrument>();
    for (const ref of query.instruments) {
      const instrument = this.#resolve(ref, asker);
      if (isDenial(instrument)) return { denial: instrument };
      named.set(instrument.securityId, instrument);
    }
    const instruments = [...named.values()];
    const subscription = { reqId, depth, instruments };
    if (query.subscription === 'snapshot') return this.#snapshots(subscription, interests, asker);
    const followed = [...books.values()].reduce((sum, one) => sum + one.instruments.length, 0);
    if (followed + instruments.length > maxSubscriptions) return tooMany();
    books.set(reqId, subscription);
    for (const instrument of instruments) {
      const book = this.#books()?.fresh(instrument);
      if (book !== undefined) asker.answer(depthAnswer(subscription, instrument, book));
    }
    return undefined;
  }

  /** Returns all snapshots, or a refusal if the venue has not answered for too long. */
  #snapshots(
    { reqId, depth, instruments }: BookSubscription,
    interests: Interests,
    asker: Asker,
  ): Refused | undefined {
    if (interests.awaited.length + instruments.length > maxSubscriptions) return tooMany();
    const wanted: AwaitedBook[] = [];
    for (const instrument of instruments) {
      const known = this.#books()?.book(instrument);
      if (known === undefined) {
        return refusal('bridge.venue_unreachable', `the book of ${instrument.symbol} is not known`);
      }
      wanted.push({ reqId, depth, instrument, known });
    }
    for (const request of wanted) {
      const book = this.#books()?.fresh(request.instrument);
      if (book !== undefined) asker.answer(depthAnswer(request, request.instrument, book));
      else interests.awaited = [...interests.awaited, request];
    }
    return undefined;
  }

  #sessionAnswer(reqId: string | null, isUnsolicited: boolean): Answer {
    const { state, reason } = this.#gate;
    const shown = state === 'open' ? 'ready' : state === 'unreachable' ? state : 'halted';
    const text = state === 'open' ? null : reason;
    return { kind: 'session_status', reqId, isUnsolicited, state: shown, text };
  }

  #resolve(ref: InstrumentRef, { principal: { markets } }: Asker): Instrument | Denial {
    return resolve(ref, { instruments: this.#instruments(), markets });
  }

  #of(asker: Asker): Interests {
    const make = () => ({ books: new Map(), statuses: new Map(), awaited: [] });
    return entryOf(this.#interests, asker, make);
  }
}

function statusAnswer(
  instrument: Instrument,
  status: TradingStatus,
  reqId: string | null,
  isUnsolicited: boolean,
  { wallMs: nowMs }: Instant,
): Answer {
  const kind = 'security_status';
  return { kind, reqId, isUnsolicited, instrument, status, text: null, nowMs };
}

function depthAnswer(
  { reqId, depth }: BookRequest,
  instrument: Instrument,
  book: OrderBook,
): Answer {
  const cut = (levels: OrderBook['bids']) =>
    (depth === 0 ? levels : levels.slice(0, depth)).map(({ price, qty }): Level => [price, qty]);
  const [bids, asks] = [cut(book.bids), cut(book.asks)];
  return { kind: 'depth', reqId, instrument, seq: null, bids, asks };
}

/** Removes and returns the waiting snapshots of this instrument. */
function takeAwaited(interests: Interests, instrument: Instrument): readonly AwaitedBook[] {
  const isOfIt = (request: AwaitedBook) => isSame(request.instrument, instrument);
  const taken = interests.awaited.filter(isOfIt);
  if (taken.length > 0) interests.awaited = interests.awaited.filter((one) => !isOfIt(one));
  return taken;
}

function isSame(one: Instrument, other: Instrument): boolean {
  return one.securityId === other.securityId;
}

function refusal(name: string, text: string): Refused {
  return { denial: deny(name, text) };
}

function tooMany(): Refused {
  return refusal('bridge.limit', `more than ${maxSubscriptions} subscriptions`);
}
