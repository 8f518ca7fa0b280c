/**
 * Events that the venue of a random walk (`core-walk.ts`) has forgotten. What became of the open orders is read from its
 * receipts, one after the other, while everything but the stream goes on (R75).
 */
import type { Statement } from '../../src/domain/stated.ts';
import type { Orders } from '../../src/engine/orders.ts';
import type { VenueEvent } from '../../src/venue/venue-event.ts';
import type { WalkVenue } from './walk-venue.ts';

interface Stated {
  readonly key: string;
  readonly statement: Statement;
}

export class WalkLoss {
  /** The keys of orders of which events were lost that no receipt tells, as of algos and conditional orders. */
  readonly blurred = new Set<string>();
  readonly #venue: WalkVenue;
  readonly #missed = new Set<string>();
  /** The keys of the orders whose receipts are still to be read. */
  #due: string[] = [];
  #read: Stated | undefined;
  /** No event has been heard since. */
  #isOpen = false;

  constructor(venue: WalkVenue) {
    this.#venue = venue;
  }

  get isReading(): boolean {
    return this.#due.length > 0 || this.#read !== undefined;
  }

  begin(lost: readonly VenueEvent[], orders: Orders): void {
    const { keys } = this.#venue.book;
    for (const { orderId } of lost) this.#missed.add(keys.get(orderId) ?? '');
    this.#isOpen = true;
    this.#due = [...orders.openOnVenue()].map(({ owner }) => owner.key);
  }

  /** A process that has heard nothing since finds the same gap. */
  restart(orders: Orders): void {
    this.#read = undefined;
    this.#due = [];
    if (this.#isOpen) this.begin([], orders);
  }

  heard(): void {
    this.#isOpen = false;
    this.#missed.clear();
  }

  /** Reads the next receipt, or returns what one says that was read before. */
  step(orders: Orders): Stated | undefined {
    const read = this.#read;
    this.#read = undefined;
    if (read !== undefined) return read;
    const [key = '', ...others] = this.#due;
    this.#due = others;
    const order = orders.get(key);
    const statement = order && this.#venue.statementOf(order);
    if (statement !== undefined) this.#read = { key, statement };
    else if (this.#missed.has(key)) this.blurred.add(key);
    return undefined;
  }
}
