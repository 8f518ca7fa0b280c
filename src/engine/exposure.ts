/**
 * How many orders each session and the account may have at the venue: open, in flight and waiting. An order has a seat
 * from its acceptance until it has ended, and an unknown outcome keeps the seat. An order that replaces another one
 * shares its seat, because the venue has at most one of the two.
 */
import type { Owner } from '../domain/order.ts';
import { invariant } from '../runtime/invariant.ts';

/** The orders that share a seat, in the order of arrival; empty if it has one holder, as most seats have. */
export type Seat = readonly Holder[];

/** An order with its seat, which it keeps itself: a map of all seats would be as large as the index of orders. */
export interface Holder {
  readonly order: { readonly owner: Pick<Owner, 'key' | 'session'> };
  seat: Seat | undefined;
}

/** The keys of the orders in each seat that several orders share. */
export type SharedSeats = readonly (readonly string[])[];

const alone: Seat = [];

export class Exposure {
  readonly #shared = new Set<Seat>();
  readonly #of = new Map<string, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(session: string): number {
    return this.#of.get(session) ?? 0;
  }

  /** `before` is the order to replace. If it is absent or has ended, the order takes a new seat. */
  take(holder: Holder, before?: Holder): void {
    const { key, session } = holder.order.owner;
    invariant(holder.seat === undefined, 'an order takes one seat:', key);
    if (before?.seat === undefined) {
      holder.seat = alone;
      this.#count(session, 1);
    } else this.#share(before.seat, [...(before.seat === alone ? [before] : before.seat), holder]);
  }

  release(holder: Holder): void {
    const { seat } = holder;
    const { key, session } = holder.order.owner;
    invariant(seat !== undefined, 'an order that ends has a seat:', key);
    holder.seat = undefined;
    const others = seat.filter((one) => one !== holder);
    if (seat === alone) this.#count(session, -1);
    else this.#share(seat, others);
  }

  /** Returns the keys of the orders in each shared seat, in the order of their first keys. */
  shared(): SharedSeats {
    return [...this.#shared].map((seat) => seat.map(({ order }) => order.owner.key)).sort();
  }

  /** Sets the holders of a seat. */
  #share(before: Seat, holders: Seat): void {
    const seat = holders.length > 1 ? holders : alone;
    this.#shared.delete(before);
    if (seat !== alone) this.#shared.add(seat);
    for (const holder of holders) holder.seat = seat;
  }

  #count(session: string, by: 1 | -1): void {
    const left = this.of(session) + by;
    invariant(left >= 0, 'exposure is never negative:', session);
    this.#total += by;
    if (left === 0) this.#of.delete(session);
    else this.#of.set(session, left);
  }
}
