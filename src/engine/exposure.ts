/**
 * How many orders each session and the account may have at the venue: open, in flight and waiting. An order has a seat from
 * its acceptance until it has ended, and an unknown outcome keeps the seat. An order that replaces another one shares its
 * seat, because the venue has at most one of the two.
 */
import { invariant } from '../runtime/invariant.ts';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';

interface Seat {
  readonly session: string;
  /** Keys of the orders that share the seat, in the order of arrival. */
  holders: readonly string[];
}

/** Seats that are shared by several orders. */
export type SharedSeats = readonly (readonly string[])[];

export class Exposure {
  readonly #seats = new ShortLivedMap<string, Seat>();
  readonly #of = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(session: string): number {
    return this.#of.get(session) ?? 0;
  }

  /** `before` is the key of the order that this one replaces. Without it, or if that order has ended, a new seat is taken. */
  take(key: string, session: string, before?: string): void {
    invariant(this.#seats.get(key) === undefined, 'an order takes one seat:', key);
    const shared = before === undefined ? undefined : this.#seats.get(before);
    const seat = shared ?? { session, holders: [] };
    seat.holders = [...seat.holders, key];
    this.#seats.set(key, seat);
    if (shared === undefined) this.#count(session, 1);
  }

  release(key: string): void {
    const seat = this.#seats.get(key);
    invariant(seat !== undefined, 'an order that ends has a seat:', key);
    this.#seats.delete(key);
    seat.holders = seat.holders.filter((holder) => holder !== key);
    if (seat.holders.length === 0) this.#count(seat.session, -1);
  }

  /** Every order that is not listed here has a seat of its own. */
  shared(): SharedSeats {
    const seats = new Set(this.#seats.values());
    return [...seats].flatMap(({ holders }) => (holders.length > 1 ? [holders] : []));
  }

  #count(session: string, by: 1 | -1): void {
    const left = this.of(session) + by;
    invariant(left >= 0, 'exposure is never negative:', session);
    this.#total += by;
    if (left === 0) this.#of.delete(session);
    else this.#of.set(session, left);
  }
}
