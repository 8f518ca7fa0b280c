/**
 * Order books by polling (contract G55): those that clients follow at each poll, any other when somebody needs it. An order
 * whose price or collar is made from a book waits for one that is young enough
 * (docs/decisions/0222-an-order-waits-for-its-book.md).
 */
import type { Instrument } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OrderBook } from '../venue/records.ts';
import type { VenueReads } from '../venue/venue-reads.ts';
import type { TopOfBook } from './authorize.ts';

export interface BookWatchParts {
  readonly reads: Pick<VenueReads, 'orderBook'>;
  /** Over connections of their own, because an order must not wait behind what followers have asked for. */
  readonly orderReads: Pick<VenueReads, 'orderBook'>;
  readonly clock: Clock;
  readonly followedMs: number;
  /** A book older than this is not known. */
  readonly staleMs: number;
  readonly followed: () => Iterable<Instrument>;
  readonly read: (instrument: Instrument) => void;
  /** The venue did not say; what was known before stands until it is stale. */
  readonly failed: (instrument: Instrument) => void;
}

/** What an order needs of a book. */
export interface PriceNeed {
  readonly instrument: Instrument;
  /**
   * Whether a book that is about as young as that of a follower will do. A market order, whose price is made from the book, needs
   * one that was read after it came.
   */
  readonly isEnough: (top: TopOfBook) => boolean;
}

interface Entry {
  readonly book: OrderBook;
  /** When the read began: the venue's book is no older. */
  readonly atMs: number;
}

interface Reading {
  readonly done: Promise<void>;
  /** The read behind it, for those who came while it was under way. */
  next: Promise<void> | undefined;
}

const empty: TopOfBook = { bid: null, ask: null };
/** What an order needed is followed for so long: the gate asks again when an order that has waited goes out. */
const neededMs = 30_000;
/** So long an order waits at most; then it is judged by what is known. */
export const longestWaitMs = 1_000;

export class BookWatch {
  readonly #parts: BookWatchParts;
  readonly #books = new Map<string, Entry>();
  readonly #reading = new Set<string>();
  readonly #readingForOrders = new Map<string, Reading>();
  /** By instrument: until when it is followed for orders. */
  readonly #needed = new Map<Instrument, number>();
  #cancel = () => {};
  #isStopped = false;

  constructor(parts: BookWatchParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, followed, followedMs } = this.#parts;
    if (this.#isStopped) return;
    this.#cancel = clock.at(clock.now().monoMs + followedMs, () => {
      for (const instrument of new Set([...followed(), ...this.#neededNow()])) {
        this.#ask(instrument);
      }
      this.start();
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  book(instrument: Instrument): OrderBook | undefined {
    return this.#youngerThan(this.#parts.staleMs, instrument);
  }

  /** The book, if it is as young as that of a follower; else it is read now, and `read` or `failed` follows. */
  fresh(instrument: Instrument): OrderBook | undefined {
    const book = this.#youngerThan(this.#parts.followedMs, instrument);
    if (book === undefined) this.#ask(instrument);
    return book;
  }

  /** As orders may use it. */
  top(instrument: Instrument): TopOfBook {
    return topOf(this.#youngerThan(this.#parts.followedMs + longestWaitMs, instrument));
  }

  /** Undefined where all that is needed is known; else it is read, and the promise is over a bounded time later. */
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

  /** The same for books of any age, so long as they are known. */
  known(instruments: readonly Instrument[]): Promise<void> | undefined {
    const missing = instruments.filter((instrument) => this.book(instrument) === undefined);
    return this.#readAll(missing.map((instrument) => ({ instrument })));
  }

  #neededNow(): readonly Instrument[] {
    const nowMs = this.#parts.clock.now().monoMs;
    for (const [instrument, untilMs] of this.#needed) {
      if (untilMs <= nowMs) this.#needed.delete(instrument);
    }
    return [...this.#needed.keys()];
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

  /** A read that begins after it was asked for; where one is under way, all who ask meanwhile share the one behind it. */
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

  /** One question at a time for each book; a venue that does not answer leaves the book to grow stale. */
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
      // The gate and the venue's watch tell why it cannot be read; the book's age tells the rest.
      .catch(() => undefined);
    if (this.#isStopped) return;
    if (found === undefined) {
      failed(instrument);
      return;
    }
    // A read that took long may be over after a younger one.
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
