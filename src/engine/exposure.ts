/**
 * How many orders each session and the account may have at the venue: open, in flight and waiting. An order has a seat
 * from its acceptance until it has ended, and an unknown outcome keeps the seat. An order that replaces another one
 * shares its seat, because the venue has at most one of the two.
 */
import { invariant } from '../runtime/invariant.ts';
import { ShortLivedMap } from '../runtime/short-lived-map.ts';

/** Few orders share a seat, so those that do not have one object for each session. */
interface Seat {
  readonly session: string;
  /** Keys of the orders that share the seat, in the order of arrival; empty if it has one holder. */
  readonly holders: readonly string[];
}

/** Seats that are shared by several orders. */
export type SharedSeats = readonly (readonly string[])[];

export class Exposure {
  readonly #seats = new ShortLivedMap<string, Seat>();
  readonly #shared = new Set<Seat>();
  readonly #single = new Map<string, Seat>();
  readonly #of = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(session: string): number {
    return this.#of.get(session) ?? 0;
  }

  /** `before` is the key of the order to replace. If it is absent or has ended, the order takes a new seat. */
  take(key: string, session: string, before = ''): void {
    invariant(this.#seats.get(key) === undefined, 'an order takes one seat:', key);
    const seat = this.#seats.get(before);
    if (seat === undefined) {
      this.#seats.set(key, this.#singleOf(session));
      this.#count(session, 1);
    } else {
      const holders = seat.holders.length === 0 ? [before] : seat.holders;
      this.#share(seat, [...holders, key]);
    }
  }

  release(key: string): void {
    const seat = this.#seats.get(key);
    invariant(seat !== undefined, 'an order that ends has a seat:', key);
    this.#seats.delete(key);
    if (seat.holders.length === 0) this.#count(seat.session, -1);
    else
      this.#share(
        seat,
        seat.holders.filter((holder) => holder !== key),
      );
  }

  /** Returns the shared seats in the order of their first keys. Every other order has a seat of its own. */
  shared(): SharedSeats {
    return [...this.#shared].map(({ holders }) => holders).sort();
  }

  /** Sets the holders of a seat. */
  #share(before: Seat, holders: readonly string[]): void {
    const { session } = before;
    const seat = holders.length > 1 ? { session, holders } : this.#singleOf(session);
    this.#shared.delete(before);
    if (holders.length > 1) this.#shared.add(seat);
    for (const holder of holders) this.#seats.set(holder, seat);
  }

  #singleOf(session: string): Seat {
    const known = this.#single.get(session);
    if (known !== undefined) return known;
    const seat = { session, holders: [] };
    this.#single.set(session, seat);
    return seat;
  }

  #count(session: string, by: 1 | -1): void {
    const left = this.of(session) + by;
    invariant(left >= 0, 'exposure is never negative:', session);
    this.#total += by;
    if (left === 0) this.#of.delete(session);
    else this.#of.set(session, left);
  }
}
