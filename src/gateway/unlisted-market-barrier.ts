/**
 * Events of markets that are not listed here yet. An order there came by another channel, so nothing is known of it but
 * its events: they wait until the venue was asked for its list again, and so does what comes behind them (decision 0188).
 */
import type { StreamEvent } from '../domain/event.ts';
import type { InstrumentList } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';

export interface ListingParts {
  readonly clock: Clock;
  readonly instruments: () => InstrumentList;
  /** Asks the venue for its markets again. */
  readonly relist: () => Promise<void>;
}

type Placed = Pick<StreamEvent, 'book' | 'market' | 'orderId'>;

/** A market that the venue itself does not list holds its account's events up once in so long. */
const againMs = 1_000;

export class UnlistedMarketBarrier {
  readonly #parts: ListingParts;
  #notBeforeMs = 0;

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  /** What these events wait for; undefined where their markets are listed. */
  before(events: readonly Placed[]): Promise<void> | undefined {
    const { clock, instruments, relist } = this.#parts;
    const isUnlisted = ({ book, market, orderId }: Placed) =>
      orderId !== null && market !== null && instruments().of(market, book) === undefined;
    const { monoMs } = clock.now();
    if (monoMs < this.#notBeforeMs || !events.some(isUnlisted)) return undefined;
    this.#notBeforeMs = monoMs + againMs;
    return relist();
  }
}
