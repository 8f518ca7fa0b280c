/**
 * Holds events of markets that are not listed here yet. Such an order came from another channel, so only its events are
 * known. They and all later events wait until the venue's market list has been read again (decision 0140).
 */
import type { StreamEvent } from '../../domain/event.ts';
import type { InstrumentList } from '../../domain/instrument.ts';
import type { Clock } from '../../runtime/clock.ts';

interface BarrierParts {
  readonly clock: Clock;
  readonly instruments: () => InstrumentList;
  /** Reads the venue's market list again. */
  readonly relist: () => Promise<void>;
}

type Placed = Pick<StreamEvent, 'book' | 'market' | 'orderId'>;

/** How long after a read a market that the venue does not list delays no events. */
const againMs = 1_000;

/** Returns the promise that events have to wait for; undefined if their markets are listed. */
export function unlistedMarketBarrier({ clock, instruments, relist }: BarrierParts) {
  /** The read under way; events of all accounts wait for the same one. */
  let reading: Promise<void> | undefined;
  let notBeforeMs = 0;
  const isUnlisted = ({ book, market, orderId }: Placed) =>
    orderId !== null && market !== null && instruments().of(market, book) === undefined;
  return (events: readonly Placed[]): Promise<void> | undefined => {
    const isTooSoon = reading === undefined && clock.now().monoMs < notBeforeMs;
    if (isTooSoon || !events.some(isUnlisted)) return undefined;
    reading ??= relist().finally(() => {
      reading = undefined;
      notBeforeMs = clock.now().monoMs + againMs;
    });
    return reading;
  };
}
