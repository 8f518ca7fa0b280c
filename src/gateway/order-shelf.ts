/** The orders that a desk remembers, and all that they are found by: forgotten together with the order. */
import type { Order } from '../domain/order.ts';

export interface Kept {
  order: Order;
  /** `session/ClOrdID` of every request of a client about it. */
  readonly names: readonly string[];
  /** Its order ids and the hashes of its actions. */
  readonly venueIds: readonly string[];
}

interface Shelved extends Kept {
  names: readonly string[];
  venueIds: readonly string[];
}

type Index = Map<string, Shelved>;

export class OrderShelf {
  readonly #byKey: Index = new Map();
  readonly #byName: Index = new Map();
  readonly #byVenueId: Index = new Map();

  get(key: string): Kept | undefined {
    return this.#byKey.get(key);
  }

  named(name: string): Kept | undefined {
    return this.#byName.get(name);
  }

  withVenueId(id: string): Kept | undefined {
    return this.#byVenueId.get(id);
  }

  /** In the order in which they came. */
  all(): IterableIterator<Kept> {
    return this.#byKey.values();
  }

  add(order: Order): void {
    this.#byKey.set(order.owner.key, { order, names: [], venueIds: [] });
  }

  /** From now on the name is that of the order with this key. */
  name(key: string, name: string): void {
    const shelved = this.#byKey.get(key);
    if (shelved === undefined) return;
    this.#byName.set(name, shelved);
    shelved.names = withOne(shelved.names, name);
  }

  /** The same for an id of the venue. */
  identify(key: string, id: string): void {
    const shelved = this.#byKey.get(key);
    if (shelved === undefined) return;
    this.#byVenueId.set(id, shelved);
    shelved.venueIds = withOne(shelved.venueIds, id);
  }

  /** Says which names are nobody's now. */
  forget(key: string): readonly string[] {
    const shelved = this.#byKey.get(key);
    if (shelved === undefined) return [];
    this.#byKey.delete(key);
    for (const id of shelved.venueIds) take(this.#byVenueId, id, shelved);
    return shelved.names.filter((name) => take(this.#byName, name, shelved));
  }
}

/** Most have one or two, and an array that grows takes room for seventeen. */
function withOne(own: readonly string[], name: string): readonly string[] {
  if (own.includes(name)) return own;
  const [first] = own;
  if (first === undefined) return [name];
  return own.length === 1 ? [first, name] : [...own, name];
}

/** A name that went to another order stays. */
function take(index: Index, name: string, from: Shelved): boolean {
  return index.get(name) === from && index.delete(name);
}
