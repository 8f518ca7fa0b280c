/** The orders that an account remembers, and the indexes that find them. An order is removed from all of them together. */
import { isOfOtherChannel, type Order } from '../domain/order.ts';
import { invariant } from '../runtime/invariant.ts';
import { isOfEarlierVersion } from './order-keys.ts';

export interface Kept {
  readonly order: Order;
  /** `session/ClOrdID` of every client request about the order. */
  readonly names: readonly string[];
  /** The order's ids at the venue and the hashes of its actions. */
  readonly venueIds: readonly string[];
}

interface Entry extends Kept {
  order: Order;
  names: readonly string[];
  venueIds: readonly string[];
}

type Index = Map<string, Entry>;

export class OrderIndex {
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

  /** The orders in the order of arrival. */
  all(): IterableIterator<Kept> {
    return this.#byKey.values();
  }

  /** Returns the order that had the same key before, which only happens in journals of earlier versions. */
  add(order: Order): Order | undefined {
    const { key } = order.owner;
    const displaced = this.#byKey.get(key)?.order;
    invariant(displaced === undefined || isOfEarlierVersion(key), 'one key, one order:', key);
    this.forget(key);
    this.#byKey.set(key, { order, names: [], venueIds: [] });
    return displaced;
  }

  /** Stores the next state of an order. Only a bust or a correction may reduce CumQty(14). */
  change(order: Order, takesBack: boolean): void {
    const { cumQty, owner, terms } = order;
    const entry = this.#byKey.get(owner.key);
    invariant(entry !== undefined, 'an order that changes is kept:', owner.key);
    const isLess = cumQty < entry.order.cumQty;
    invariant(!isLess || takesBack, 'CumQty(14) never decreases:', owner.key);
    const isBeyond = cumQty > terms.qty && !takesBack && !isOfOtherChannel(order);
    invariant(!isBeyond, 'CumQty(14) never exceeds OrderQty(38):', owner.key);
    entry.order = order;
  }

  /** Makes the order with this key findable by a ClOrdID. */
  name(key: string, name: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    index(this.#byName, name, entry);
    entry.names = withOne(entry.names, name);
  }

  /** Makes the order with this key findable by an id of the venue. */
  identify(key: string, id: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    index(this.#byVenueId, id, entry);
    entry.venueIds = withOne(entry.venueIds, id);
  }

  /** Removes the order and returns the names that no other order has. */
  forget(key: string): readonly string[] {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return [];
    this.#byKey.delete(key);
    for (const id of entry.venueIds) take(this.#byVenueId, id, entry);
    return entry.names.filter((name) => take(this.#byName, name, entry));
  }
}

function index(by: Index, name: string, entry: Entry): void {
  const holder = by.get(name);
  const isFree =
    holder === undefined || holder === entry || isOfEarlierVersion(holder.order.owner.key);
  invariant(isFree, 'one name, one order:', name);
  by.set(name, entry);
}

/** Most orders have one or two names, and an array that grows allocates room for seventeen. */
function withOne(own: readonly string[], name: string): readonly string[] {
  if (own.includes(name)) return own;
  const [first] = own;
  if (first === undefined) return [name];
  return own.length === 1 ? [first, name] : [...own, name];
}

/** A name that was later given to another order stays with that order. */
function take(by: Index, name: string, from: Entry): boolean {
  return by.get(name) === from && by.delete(name);
}
