/**
 * Polls order books (contract G55): a book that clients follow at every poll, any other book on demand. An order whose
 * price or collar depends on a book waits until the book is recent enough (docs/decisions/0251-one-gate.md).
 */
import type { Instrument } from '../../domain/instrument.ts';
import { type Clock, every } from '../../runtime/clock.ts';
import type { OrderBook } from '../../venue/records.ts';
import type { VenueReads } from '../../venue/venue-reads.ts';
import type { TopOfBook } from './authorize.ts';

export interface BookWatchParts {
  readonly reads: Pick<VenueReads, 'orderBook'>;
  /** Separate connections, because an order must not wait behind reads for followers. */
  readonly orderReads: Pick<VenueReads, 'orderBook'>;
  readonly clock: Clock;
  readonly followedMs: number;
  /** A book older than this counts as unknown. */
  readonly staleMs: number;
  readonly followed: () => Iterable<Instrument>;
  readonly read: (instrument: Instrument) => void;
  /** The read failed; the previous book stays valid until it is stale. */
  readonly failed: (instrument: Instrument) => void;
}

/** The book that an order needs. */
export interface PriceNeed {
  readonly instrument: Instrument;
  /**
   * Whether a book about as recent as a follower's is enough. A market order, whose price is computed from the book,
   * needs one that was read after the order arrived.
   */
  readonly isEnough: (top: TopOfBook) => boolean;
}

interface Entry {
  readonly book: OrderBook;
  /** When the read started, so the book is not older than this. */
  readonly atMs: number;
}

interface Reading {
  readonly done: Promise<void>;
  /** The next read, for requests that arrive during the current one. */
  next: Promise<void> | undefined;
}

const empty: TopOfBook = { bid: null, ask: null };
/** How long a book stays followed after an order needed it: the gate checks again when a waiting order is released. */
const neededMs = 30_000;
/** The maximum time that an order waits; after that the gate uses the last known book. */
export const longestWaitMs = 1_000;

export class BookWatch {
  readonly #parts: BookWatchParts;
  readonly #books = new Map<string, Entry>();
  readonly #reading = new Set<string>();
  readonly #readingForOrders = new Map<string, Reading>();
  /** Until when each instrument is followed for orders. */
  readonly #needed = new Map<Instrument, number>();
  #cancel = () => {};
  #isStopped = false;

  constructor(parts: BookWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, followed, followedMs } = this.#parts;
    if (this.#isStopped) return;
    this.#cancel = every(clock, followedMs, () => {
      this.#forget();
      for (const one of new Set([...followed(), ...this.#needed.keys()])) this.#ask(one);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  book(instrument: Instrument): OrderBook | undefined {
    return this.#youngerThan(this.#parts.staleMs, instrument);
  }

  /** Returns the book if it is as recent as a follower's; otherwise starts a read, and `read` or `failed` is called. */
  fresh(instrument: Instrument): OrderBook | undefined {
    const book = this.#youngerThan(this.#parts.followedMs, instrument);
    if (book === undefined) this.#ask(instrument);
    return book;
  }

  /** The top of the book, if it is recent enough for orders. */
  top(instrument: Instrument): TopOfBook {
    return topOf(this.#youngerThan(this.#parts.followedMs + longestWaitMs, instrument));
  }

  /** Undefined if everything needed is known; otherwise reads the books, and resolves in bounded time. */
  priced(needs: readonly PriceNeed[]): Promise<void> | undefined {
    const { clock, followedMs } = this.#parts;
    const untilMs = clock.now().monoMs + neededMs;
    for (const { instrument } of needs) this.#needed.set(instrument, untilMs);
    return this.#readAll(
      needs.filter(({ instrument, isEnough }) => {
        const book = this.#youngerThan(2 * followedMs, instrument);
        return book === undefined || !isEnough(topOf(book));
      }),
    );
  }

  /** Like `priced`, but accepts known books of any age. */
  known(instruments: readonly Instrument[]): Promise<void> | undefined {
    const missing = instruments.filter((instrument) => this.book(instrument) === undefined);
    return this.#readAll(missing.map((instrument) => ({ instrument })));
  }

  #forget(): void {
    const { clock, followedMs, staleMs } = this.#parts;
    const nowMs = clock.now().monoMs;
    for (const [one, untilMs] of this.#needed) if (untilMs <= nowMs) this.#needed.delete(one);
    const startMs = nowMs - staleMs - 2 * followedMs;
    for (const [id, { atMs }] of this.#books) if (atMs < startMs) this.#books.delete(id);
  }

  #readAll(wanted: readonly Pick<PriceNeed, 'instrument'>[]): Promise<void> | undefined {
    if (wanted.length === 0) return undefined;
    const { clock } = this.#parts;
    const instruments = new Set(wanted.map(({ instrument }) => instrument));
    return new Promise((resolve) => {
      const cancel = clock.at(clock.now().monoMs + longestWaitMs, resolve);
      void Promise.all([...instruments].map((one) => this.#readAnew(one))).then(() => {
        cancel();
        resolve();
      });
    });
  }

  #youngerThan(ageMs: number, { securityId }: Instrument): OrderBook | undefined {
    const entry = this.#books.get(securityId);
    const nowMs = this.#parts.clock.now().monoMs;
    return entry === undefined || nowMs - entry.atMs > ageMs ? undefined : entry.book;
  }

  /** Starts a read after the call. Callers during a read share the next one. */
  #readAnew(instrument: Instrument): Promise<void> {
    const { securityId } = instrument;
    const reading = this.#readingForOrders.get(securityId);
    if (reading !== undefined) {
      reading.next ??= reading.done.then(() => this.#readAnew(instrument));
      return reading.next;
    }
    const done = this.#read(instrument, this.#parts.orderReads).then(() => {
      this.#readingForOrders.delete(securityId);
    });
    this.#readingForOrders.set(securityId, { done, next: undefined });
    return done;
  }

  /** One read at a time per book. If the venue does not answer, the book becomes stale. */
  #ask(instrument: Instrument): void {
    const { securityId } = instrument;
    if (this.#reading.has(securityId)) return;
    this.#reading.add(securityId);
    void this.#read(instrument, this.#parts.reads).then(() => this.#reading.delete(securityId));
  }

  async #read(instrument: Instrument, reads: Pick<VenueReads, 'orderBook'>): Promise<void> {
    const { clock, failed, read } = this.#parts;
    const { securityId, market, book } = instrument;
    const atMs = clock.now().monoMs;
    const found = await reads
      .orderBook(market.marketId, book)
      // The gate and the venue watch report why it cannot be read; only the book's age matters here.
      .catch(() => undefined);
    if (this.#isStopped) return;
    if (found === undefined) {
      failed(instrument);
      return;
    }
    // A slow read may finish after a later one.
    if (atMs >= (this.#books.get(securityId)?.atMs ?? 0)) {
      this.#books.set(securityId, { book: found, atMs });
    }
    read(instrument);
  }
}

function topOf(book: OrderBook | undefined): TopOfBook {
  if (book === undefined) return empty;
  return { bid: book.bids[0]?.price ?? null, ask: book.asks[0]?.price ?? null };
}
