/** The orders that an account remembers, and their indexes. An order is always removed from all indexes together. */
import type { StreamEvent } from '../domain/event.ts';
import { hasEnded, isOfOtherChannel, isStored, type Order } from '../domain/order.ts';
import { invariant } from '../runtime/invariant.ts';
import type { Holder, Seat } from './exposure.ts';
import { isOfEarlierVersion } from './order-keys.ts';
import type { Group } from './quote-groups.ts';

export interface Kept {
  readonly order: Order;
  /** `session/ClOrdID` of every client request about the order. */
  readonly names: readonly string[];
  /** The order's ids at the venue and the hashes of its actions. */
  readonly venueIds: readonly string[];
}

/** The numbers with which a start restores the orders of an account. */
export interface Numbers {
  /** Counts the orders as they arrive; it identifies the entry. */
  readonly arrival: number;
  /** Counts the orders as they end; 0 while the order is open. */
  readonly ending: number;
  /** The part of the journal's state with the newest version of this entry; 0 if there is none (`state-writer.ts`). */
  readonly part: number;
}

export interface Entry extends Kept, Numbers, Holder {
  order: Order;
  names: readonly string[];
  venueIds: readonly string[];
  ending: number;
  part: number;
  /** Whether the entry differs from its version in `part`. */
  isChanged: boolean;
  isForgotten: boolean;
}

export interface Changes {
  readonly changed: readonly Entry[];
  /** Arrival numbers of forgotten entries that a part contains. */
  readonly gone: readonly number[];
}

type Index = Map<string, Entry>;

export class OrderIndex {
  readonly #byKey: Index = new Map();
  /** Those that have not ended, which are few among the ones that an account remembers. */
  #open = new Set<Entry>();
  readonly #byName: Index = new Map();
  readonly #byVenueId: Index = new Map();
  /** By their names at the venue; the last of those with one name. */
  readonly #ofOtherChannels: Index = new Map();
  #arrivals = 0;
  #endings = 0;
  #stored = 0;
  #changed: Entry[] = [];
  #gone: number[] = [];

  get size(): number {
    return this.#byKey.size;
  }

  /** The number of the order that arrived last. */
  get lastArrival(): number {
    return this.#arrivals;
  }

  /** The number of conditional orders that wait for their trigger. */
  get stored(): number {
    return this.#stored;
  }

  get(key: string): Entry | undefined {
    return this.#byKey.get(key);
  }

  named(name: string): Kept | undefined {
    return this.#byName.get(name);
  }

  withVenueId(id: string): Kept | undefined {
    return this.#byVenueId.get(id);
  }

  /**
   * The keys of the orders that an event is about. Finds an order by its own id first; otherwise by its leg (R10: the
   * venue may derive its id otherwise), its parent or its action. A replaced event applies to both orders that it
   * names: the one that replaced, and the displaced one.
   */
  about({ kind, legIndex, orderId, parentOrderId, venueRef }: StreamEvent): {
    readonly keys: readonly string[];
    /** Whether the action that the event names has placed quotes; a replace of one of them has another. */
    readonly isOfQuotes: boolean;
  } {
    // A canceled event has the leg of the order and the action of whoever displaced it.
    const isOwn = venueRef !== null && legIndex !== null && kind !== 'canceled';
    const leg = isOwn ? legName(venueRef, legIndex) : null;
    const keys: string[] = [];
    for (const id of [orderId, leg, parentOrderId, venueRef]) {
      if (id === null) continue;
      if (keys.length > 0 && (kind !== 'replaced' || id === venueRef)) break;
      const order = this.#byVenueId.get(id)?.order;
      // An action may cancel an order of another channel that nobody knows (self-trade prevention).
      const isOther = kind === 'canceled' && id === venueRef && orderId !== null;
      if (order === undefined || (isOther && isShown(order))) continue;
      if (!keys.includes(order.owner.key)) keys.push(order.owner.key);
    }
    const first = (this.#byVenueId.get(leg ?? '') ?? this.#byVenueId.get(venueRef ?? ''))?.order;
    const isOfQuotes = first?.venueRef === venueRef && first?.owner.quoteId != null;
    return { keys, isOfQuotes };
  }

  /** Snapshots of earlier versions did not name the orders of a group by their legs. */
  nameLegs({ members, venueRef }: Group): void {
    for (const { key, legIndex } of members) {
      const entry = this.#byKey.get(key);
      if (entry !== undefined && venueRef !== null)
        this.identify(entry, legName(venueRef, legIndex));
    }
  }

  /** Returns the orders in order of arrival. */
  all(): IterableIterator<Entry> {
    return this.#byKey.values();
  }

  /** Returns the orders that have not ended, in order of arrival. */
  open(): IterableIterator<Entry> {
    return this.#open.values();
  }

  fromOtherChannel(name: string): Order | undefined {
    return this.#ofOtherChannels.get(name)?.order;
  }

  add(order: Order): Entry {
    this.#arrivals += 1;
    const entry = this.#enter(order, { arrival: this.#arrivals, ending: 0, part: 0 });
    this.#touch(entry);
    return entry;
  }

  /** Restores an order with its names, ids and numbers at a start. Snapshots of earlier versions have no numbers. */
  restore({ arrival = 0, ending = 0, names, order, part = 0, venueIds }: Kept & Partial<Numbers>) {
    const isNumbered = arrival > 0;
    this.#arrivals = isNumbered ? Math.max(this.#arrivals, arrival) : this.#arrivals + 1;
    this.#endings = Math.max(this.#endings, ending);
    const entry = this.#enter(order, {
      arrival: isNumbered ? arrival : this.#arrivals,
      ending,
      part,
    });
    for (const name of names) index(this.#byName, name, entry);
    for (const id of venueIds) indexId(this.#byVenueId, id, entry);
    entry.names = names;
    entry.venueIds = venueIds;
    if (!isNumbered) this.#touch(entry);
    return entry;
  }

  /** In journals of earlier versions a second order with the same key replaces the first. */
  #enter(order: Order, { arrival, ending, part }: Numbers): Entry {
    const { key } = order.owner;
    if (this.#byKey.has(key)) {
      invariant(isOfEarlierVersion(key), 'one key, one order:', key);
      this.forget(key);
    }
    const entry = {
      order,
      names: none,
      venueIds: none,
      arrival,
      ending,
      part,
      isChanged: false,
      isForgotten: false,
      seat: undefined as Seat | undefined,
    };
    this.#byKey.set(key, entry);
    if (!hasEnded(order)) this.#open.add(entry);
    this.#stored += Number(isStored(order));
    if (isOfOtherChannel(order)) this.#ofOtherChannels.set(order.clOrdId, entry);
    return entry;
  }

  /** Records that the order has ended, or is open after all. */
  end(entry: Entry, isOver: boolean): void {
    if (isOver) {
      this.#endings += 1;
      this.#open.delete(entry);
    } else {
      const open = [...this.#open, entry].toSorted((a, b) => a.arrival - b.arrival);
      this.#open = new Set(open);
    }
    entry.ending = isOver ? this.#endings : 0;
    this.#touch(entry);
  }

  /** Returns the changes since the last call. */
  takeChanges(): Changes {
    const changed = this.#changed.filter(isCurrent);
    for (const entry of changed) entry.isChanged = false;
    const gone = this.#gone;
    this.#changed = [];
    this.#gone = [];
    return { changed, gone };
  }

  /** The state that is being written has other parts, so the next piece contains every order. */
  changeAll(): void {
    this.#gone = [];
    for (const entry of this.#byKey.values()) {
      entry.part = 0;
      this.#touch(entry);
    }
  }

  /** Stores the next state of an order. Only a bust or a correction may reduce CumQty(14). */
  change(entry: Entry, order: Order, takesBack: boolean): void {
    const { cumQty, owner, terms } = order;
    const isLess = cumQty < entry.order.cumQty;
    invariant(!isLess || takesBack, 'CumQty(14) never decreases:', owner.key);
    const isBeyond = cumQty > terms.qty && !isOfOtherChannel(order);
    invariant(!isBeyond, 'CumQty(14) never exceeds OrderQty(38):', owner.key);
    this.#stored += Number(isStored(order)) - Number(isStored(entry.order));
    entry.order = order;
    this.#touch(entry);
  }

  /** Makes the order findable by a ClOrdID. Returns the oldest ones, by which it is not found any more. */
  name(entry: Entry, name: string): readonly string[] {
    index(this.#byName, name, entry);
    entry.names = withOne(entry.names, name);
    this.#touch(entry);
    if (entry.names.length <= mostNames) return none;
    const old = entry.names.slice(0, -mostNames);
    entry.names = entry.names.slice(-mostNames);
    for (const one of old) take(this.#byName, one, entry);
    return old;
  }

  unname(entry: Entry, name: string): string {
    entry.names = entry.names.filter((one) => one !== name);
    this.#touch(entry);
    take(this.#byName, name, entry);
    return name;
  }

  /** Makes the order findable by an id of the venue. */
  identify(entry: Entry, id: string): void {
    if (!indexId(this.#byVenueId, id, entry)) return;
    entry.venueIds = withOne(entry.venueIds, id);
    this.#touch(entry);
    if (entry.venueIds.length <= mostIds) return;
    // An order that is amended keeps its id, and a fired trigger that of its order, however old they are.
    const { firedOrderId, orderId } = entry.order;
    const old = entry.venueIds.find((one) => one !== orderId && one !== firedOrderId) ?? id;
    entry.venueIds = entry.venueIds.filter((one) => one !== old);
    take(this.#byVenueId, old, entry);
  }

  /** Removes the order and returns the names that no other order has. */
  forget(key: string): readonly string[] {
    const entry = this.#byKey.get(key);
    if (entry === undefined) return [];
    this.#byKey.delete(key);
    this.#open.delete(entry);
    take(this.#ofOtherChannels, entry.order.clOrdId, entry);
    entry.isForgotten = true;
    if (entry.part > 0) this.#gone.push(entry.arrival);
    for (const id of entry.venueIds) take(this.#byVenueId, id, entry);
    return entry.names.filter((name) => take(this.#byName, name, entry));
  }

  #touch(entry: Entry): void {
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
    // A replay does not take the changes, so forgotten entries are removed here.
    if (this.#changed.length > 2 * this.size + maxBeyond)
      this.#changed = this.#changed.filter(isCurrent);
  }
}

/** Whether it is ours and known by the only id that it has at the venue, unlike an order with slices or a trigger. */
function isShown(order: Order): boolean {
  const { phase, terms } = order;
  const isPlain = terms.strategy === null && terms.trigger === null;
  return phase === 'live' && isPlain && !isOfOtherChannel(order);
}

/** A name of an order that is one leg of an action; the venue may derive the order's id otherwise than we do. */
export function legName(venueRef: string, legIndex: number): string {
  return `${venueRef}/${legIndex}`;
}

export function isLegName(id: string): boolean {
  return id.includes('/');
}

const none: readonly string[] = [];
/** An order that is replaced all day is found by the newest of its ClOrdIDs, and of its ids: two for each. */
const [mostNames, mostIds] = [256, 512];

/** Up to this many changes may accumulate even if there are few orders. */
const maxBeyond = 1000;

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

/**
 * Returns whether the id is new. The orders of one quote share an action: its hash finds the first of them, and the
 * leg ids find each one. Two orders alike have one id if they were made in the same millisecond for the same nonce, of
 * which the first was never signed.
 */
function indexId(by: Index, id: string, entry: Entry): boolean {
  const holder = by.get(id);
  if (holder === entry || (holder !== undefined && isOfOneQuote(holder, entry))) return false;
  if (holder?.order.phase === 'rejected') by.delete(id);
  index(by, id, entry);
  return true;
}

function isOfOneQuote({ order: { owner: one } }: Entry, { order: { owner } }: Entry): boolean {
  return owner.quoteId !== null && one.quoteId === owner.quoteId;
}

/** Most orders have one or two names, and an array that grows allocates room for seventeen. */
function withOne(own: readonly string[], name: string): readonly string[] {
  if (own.includes(name)) return own;
  const [first] = own;
  if (first === undefined) return [name];
  return own.length === 1 ? [first, name] : [...own, name];
}

/** A name that was given to a later order stays with that order. */
function take(by: Index, name: string, from: Entry): boolean {
  return by.get(name) === from && by.delete(name);
}
