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
    const entry = this.#books.get(instrument.securityId);
    const nowMs = this.#parts.clock.now().monoMs;
    return entry === undefined || nowMs - entry.atMs > this.#parts.staleMs ? undefined : entry.book;
  }

  top(instrument: Instrument): TopOfBook {
    const book = this.book(instrument);
    if (book === undefined) return empty;
    return { bid: book.bids[0]?.price ?? null, ask: book.asks[0]?.price ?? null };
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
    try {
      const read = await this.#parts.reads.orderBook(market.marketId, book);
      if (this.#isStopped) return;
      this.#books.set(securityId, { book: read, atMs: this.#parts.clock.now().monoMs });
      this.#parts.read(instrument);
    } catch {
      // The gate and the venue's watch tell that it cannot be read; the book's age tells the rest.
    } finally {
      this.#asking.delete(securityId);
    }
  }
}
