/**
 * Order books by polling (contract G55): those that clients follow often, the others now and then, so that market
 * orders and price collars find a price that is not old.
 */
import type { Instrument } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';
import type { OrderBook } from '../venue/records.ts';
import type { VenueReads } from '../venue/venue-reads.ts';
import type { TopOfBook } from './order-entry.ts';

export interface BookWatchParts {
  readonly reads: Pick<VenueReads, 'orderBook'>;
  readonly clock: Clock;
  readonly followedMs: number;
  readonly idleMs: number;
  /** A book older than this has no price. */
  readonly staleMs: number;
  readonly instruments: () => Iterable<Instrument>;
  readonly followed: () => Iterable<Instrument>;
  readonly read: (instrument: Instrument) => void;
  /** The venue did not say; what was known before stands until it is stale. */
  readonly failed: (instrument: Instrument) => void;
}

interface Entry {
  readonly book: OrderBook;
  readonly atMs: number;
}

const empty: TopOfBook = { bid: null, ask: null };

export class BookWatch {
  readonly #parts: BookWatchParts;
  readonly #books = new Map<string, Entry>();
  readonly #asking = new Set<string>();
  #cancel = () => {};
  #isStopped = false;

  constructor(parts: BookWatchParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    await Promise.all([...this.#parts.instruments()].map((instrument) => this.#ask(instrument)));
    this.#next();
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
    if (book === undefined) void this.#ask(instrument);
    return book;
  }

  top(instrument: Instrument): TopOfBook {
    const book = this.book(instrument);
    if (book === undefined) return empty;
    return { bid: book.bids[0]?.price ?? null, ask: book.asks[0]?.price ?? null };
  }

  #youngerThan(ageMs: number, { securityId }: Instrument): OrderBook | undefined {
    const entry = this.#books.get(securityId);
    const nowMs = this.#parts.clock.now().monoMs;
    return entry === undefined || nowMs - entry.atMs > ageMs ? undefined : entry.book;
  }

  #next(): void {
    const { clock, followedMs } = this.#parts;
    if (this.#isStopped) return;
    this.#cancel = clock.at(clock.now().monoMs + followedMs, () => {
      this.#look();
      this.#next();
    });
  }

  #look(): void {
    const { clock, followed, idleMs, instruments } = this.#parts;
    const nowMs = clock.now().monoMs;
    const often = new Set(followed());
    for (const instrument of instruments()) {
      const atMs = this.#books.get(instrument.securityId)?.atMs ?? 0;
      if (often.has(instrument) || nowMs - atMs >= idleMs) void this.#ask(instrument);
    }
  }

  /** One question at a time for each book; a venue that does not answer leaves the book to grow stale. */
  async #ask(instrument: Instrument): Promise<void> {
    const { securityId, market, book } = instrument;
    if (this.#asking.has(securityId)) return;
    this.#asking.add(securityId);
    const read = await this.#parts.reads
      .orderBook(market.marketId, book)
      // The gate and the venue's watch tell why it cannot be read; the book's age tells the rest.
      .catch(() => undefined);
    this.#asking.delete(securityId);
    if (this.#isStopped) return;
    if (read === undefined) {
      this.#parts.failed(instrument);
      return;
    }
    this.#books.set(securityId, { book: read, atMs: this.#parts.clock.now().monoMs });
    this.#parts.read(instrument);
  }
}
