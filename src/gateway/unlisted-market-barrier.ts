/**
 * Holds events of markets that are not listed here yet. Such an order came from another channel, so only its events are
 * known. They and all later events wait until the venue's market list has been read again (decision 0140).
 */
import type { StreamEvent } from '../domain/event.ts';
import type { InstrumentList } from '../domain/instrument.ts';
import type { Clock } from '../runtime/clock.ts';

export interface BarrierParts {
  readonly clock: Clock;
  readonly instruments: () => InstrumentList;
  /** Reads the venue's market list again. */
  readonly relist: () => Promise<void>;
}

type Placed = Pick<StreamEvent, 'book' | 'market' | 'orderId'>;

/** How long after a read a market that the venue does not list delays no events. */
const againMs = 1_000;

export class UnlistedMarketBarrier {
  readonly #parts: BarrierParts;
  /** The read under way; events of all accounts wait for the same one. */
  #reading: Promise<void> | undefined;
  #notBeforeMs = 0;

  constructor(parts: BarrierParts) {
    this.#parts = parts;
  }

  /** The promise that these events have to wait for; undefined if their markets are listed. */
  before(events: readonly Placed[]): Promise<void> | undefined {
    const { clock, instruments, relist } = this.#parts;
    const isUnlisted = ({ book, market, orderId }: Placed) =>
      orderId !== null && market !== null && instruments().of(market, book) === undefined;
    const isTooSoon = this.#reading === undefined && clock.now().monoMs < this.#notBeforeMs;
    if (isTooSoon || !events.some(isUnlisted)) return undefined;
    this.#reading ??= relist().finally(() => {
      this.#reading = undefined;
      this.#notBeforeMs = clock.now().monoMs + againMs;
    });
    return this.#reading;
  }
}
