/**
 * Holds events of markets that are not listed here yet. Such an order came from another channel, so only its events are known.
 * They and all later events wait until the venue was asked for its list again (decision 0140).
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

/** How often a market that the venue does not list may delay its account's events. */
const againMs = 1_000;

export class UnlistedMarketBarrier {
  readonly #parts: ListingParts;
  #notBeforeMs = 0;

  constructor(parts: ListingParts) {
    this.#parts = parts;
  }

  /** The promise that these events wait for; undefined if their markets are listed. */
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
