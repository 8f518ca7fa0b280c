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

/** The numbers by which a start restores the orders of an account as they were. */
export interface Numbers {
  /** Counts the orders as they arrive; it identifies the entry. */
  readonly arrival: number;
  /** Counts the orders as they end; 0 while the order is open. */
  readonly ending: number;
  /** The part of the journal's state that contains the newest version of this entry; 0 if none does (`state-writer.ts`). */
  readonly part: number;
}

export interface Entry extends Kept, Numbers {
  order: Order;
  names: readonly string[];
  venueIds: readonly string[];
  ending: number;
  part: number;
  /** It is not as `part` has it. */
  isChanged: boolean;
  isForgotten: boolean;
}

export interface Changes {
  readonly changed: readonly Entry[];
  /** Arrival numbers of entries that a part contains and that are forgotten. */
  readonly gone: readonly number[];
}

type Index = Map<string, Entry>;

export class OrderIndex {
  readonly #byKey: Index = new Map();
  readonly #byName: Index = new Map();
  readonly #byVenueId: Index = new Map();
  #arrivals = 0;
  #endings = 0;
  #changed: Entry[] = [];
  #gone: number[] = [];

  get size(): number {
    return this.#byKey.size;
  }

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
  all(): IterableIterator<Entry> {
    return this.#byKey.values();
  }

  /** Returns the order that had the same key before, which only happens in journals of earlier versions. */
  add(order: Order): Order | undefined {
    const { key } = order.owner;
    const displaced = this.#byKey.get(key)?.order;
    invariant(displaced === undefined || isOfEarlierVersion(key), 'one key, one order:', key);
    this.forget(key);
    this.#arrivals += 1;
    const numbers = { arrival: this.#arrivals, ending: 0, part: 0 };
    const entry = {
      order,
      names: [],
      venueIds: [],
      ...numbers,
      isChanged: false,
      isForgotten: false,
    };
    this.#byKey.set(key, entry);
    this.#touch(entry);
    return displaced;
  }

  /** After a start: the order has the numbers that it had before, and `part` contains it. */
  renumber(key: string, { arrival, ending, part }: Numbers): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    Object.assign(entry, { arrival, ending, part, isChanged: false });
    this.#arrivals = Math.max(this.#arrivals, arrival);
    this.#endings = Math.max(this.#endings, ending);
  }

  /** The order has ended, or turned out to be open after all. */
  end(key: string, hasEnded: boolean): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    if (hasEnded) this.#endings += 1;
    entry.ending = hasEnded ? this.#endings : 0;
    this.#touch(entry);
  }

  /** What has changed since the last call. */
  takeChanges(): Changes {
    const changed = this.#changed.filter(isCurrent);
    for (const entry of changed) entry.isChanged = false;
    const gone = this.#gone;
    this.#changed = [];
    this.#gone = [];
    return { changed, gone };
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
    this.#touch(entry);
  }

  /** Makes the order with this key findable by a ClOrdID. */
  name(key: string, name: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    index(this.#byName, name, entry);
    entry.names = withOne(entry.names, name);
    this.#touch(entry);
  }

  /** Makes the order with this key findable by an id of the venue. */
  identify(key: string, id: string): void {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return;
    index(this.#byVenueId, id, entry);
    entry.venueIds = withOne(entry.venueIds, id);
    this.#touch(entry);
  }

  /** Removes the order and returns the names that no other order has. */
  forget(key: string): readonly string[] {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return [];
    this.#byKey.delete(key);
    entry.isForgotten = true;
    if (entry.part > 0) this.#gone.push(entry.arrival);
    for (const id of entry.venueIds) take(this.#byVenueId, id, entry);
    return entry.names.filter((name) => take(this.#byName, name, entry));
  }

  #touch(entry: Entry): void {
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
    // A replay takes no changes, so forgotten entries are removed here.
    if (this.#changed.length > 2 * this.size + mostBeyond)
      this.#changed = this.#changed.filter(isCurrent);
  }
}

/** So many changes are collected however few orders there are. */
const mostBeyond = 1000;

function isCurrent({ isChanged, isForgotten }: Entry): boolean {
  return isChanged && !isForgotten;
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
