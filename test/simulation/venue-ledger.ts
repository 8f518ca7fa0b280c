/** What the venue's own ledger says of the orders of our accounts, read from its engine's events alone. */
import type { ExecutionEvent, ExecutionFill } from '../../src/sandbox/engine/event.ts';
import { type SimulatedVenue, writerMark } from './simulated-venue.ts';

/** Whose command put an order in; known by its quantity, which no other command has. */
export interface Origin {
  readonly session: string;
  /** Such as `D a1` or `quote Q7 set 1 entry 1.1`. */
  readonly command: string;
  /** Of a quote: the entry, instrument and side that may have one live order. */
  readonly slot: string | null;
  readonly form: 'order' | 'algo' | 'conditional';
  /** It ends by itself within minutes, whatever the clocks are off. */
  readonly isShort?: boolean;
}

/** In the place of a session: another channel of the venue, whose orders the bridge knows and leaves alone. */
export const otherChannel = 'another channel';

/** A slice is placed by an algo at the venue, the fired order by a conditional; both belong to the same command. */
export type LedgerForm = Origin['form'] | 'slice' | 'fired';

export interface LedgerOrder {
  readonly orderId: string;
  readonly alias: string;
  readonly market: number;
  readonly book: 'YES' | 'NO' | null;
  readonly side: 'Bid' | 'Ask';
  readonly origin: Origin | undefined;
  readonly form: LedgerForm;
  readonly parentOrderId: string | null;
  readonly price: number;
  qty: number;
  filledQty: number;
  leavesQty: number;
  /** The kind of its last event. */
  last: string;
}

export interface LedgerFill {
  readonly alias: string;
  readonly seq: number;
  /** The algo where a slice of it traded. */
  readonly order: LedgerOrder;
  readonly price: number;
  readonly qty: number;
  readonly feeMicro: number;
}

/** How the checker knows an order again. */
export function markOf(market: number, book: string | null, side: string, qty: number): string {
  return `${market} ${book ?? ''} ${side} ${qty}`;
}

export class VenueLedger {
  readonly orders = new Map<string, LedgerOrder>();
  readonly fills: LedgerFill[] = [];
  /** How many have been read. */
  events = 0;
  /** Open orders of an account, by its alias, as its clients know them: an algo is one, whatever slices it has. */
  readonly open = new Map<string, Set<LedgerOrder>>();
  readonly #slices = new Map<string, LedgerOrder>();
  /** Open orders of another channel. */
  readonly #others = new Set<LedgerOrder>();
  /** Orders of another channel that the venue refused, which are no orders of the ledger. */
  readonly #refused = new Set<string>();
  readonly #venue: SimulatedVenue;
  readonly #accounts: ReadonlyMap<string, string>;
  readonly #heard = new Map<string, number>();
  readonly #origins: ReadonlyMap<string, Origin>;

  /** `accounts`: the venue's account by alias. `origins`: what was commanded, by its mark. */
  constructor(
    venue: SimulatedVenue,
    accounts: ReadonlyMap<string, string>,
    origins: ReadonlyMap<string, Origin>,
  ) {
    this.#venue = venue;
    this.#accounts = accounts;
    this.#origins = origins;
  }

  openOf(alias: string): ReadonlySet<LedgerOrder> {
    return this.open.get(alias) ?? new Set();
  }

  /** Those of all accounts, in the order of the accounts. */
  get allOpen(): readonly LedgerOrder[] {
    return [...this.#accounts.keys()].flatMap((alias) => [...this.openOf(alias)]);
  }

  isOfOthers(orderId: string): boolean {
    return this.#refused.has(orderId) || this.orders.get(orderId)?.origin?.session === otherChannel;
  }

  othersOf(alias: string): readonly LedgerOrder[] {
    return [...this.#others].filter((order) => order.alias === alias);
  }

  /** Open orders that end by themselves soon, unless another has taken their place. */
  get shortLived(): readonly LedgerOrder[] {
    return this.allOpen.filter(
      ({ origin, parentOrderId }) => origin?.isShort && parentOrderId === null,
    );
  }

  /** Reads on; answers the orders that are new. */
  read(): readonly LedgerOrder[] {
    const made: LedgerOrder[] = [];
    for (const [alias, account] of this.#accounts) {
      const heard = this.#heard.get(alias) ?? 0;
      if (this.#venue.state.exchange.lastSeq(account) === heard) continue;
      for (const event of this.#venue.events(account, heard + 1)) {
        const order = this.#take(alias, event);
        if (order !== undefined) made.push(order);
        this.#heard.set(alias, event.seq);
        this.events += 1;
      }
    }
    return made;
  }

  /** Where the running account of the events differs from the engine's list of open orders: a fault of this reader. */
  difference(): string | undefined {
    for (const [alias, account] of this.#accounts) {
      const listed = this.#venue.state.exchange.openOrders(account).map(({ orderId }) => orderId);
      const slices = [...this.#slices.values()].filter((slice) => slice.alias === alias);
      const own = [...this.openOf(alias), ...this.othersOf(alias), ...slices].map(
        ({ orderId }) => orderId,
      );
      if (listed.toSorted().join() !== own.toSorted().join()) {
        return `${alias}: the engine lists ${listed.length} open orders, its events ${own.length}`;
      }
    }
    return undefined;
  }

  #take(alias: string, event: ExecutionEvent): LedgerOrder | undefined {
    const { kind, orderId, parentOrderId } = event;
    if (orderId === null) return undefined;
    if (kind === 'rejected') {
      // A conditional was told to have fired before the venue refuses the order that it made.
      this.#close(orderId);
      if (this.#originOf(event)?.session === otherChannel) this.#refused.add(orderId);
      return undefined;
    }
    const isSuccessor = kind === 'replaced' || kind === 'triggered';
    if (isSuccessor && parentOrderId !== null) this.#close(parentOrderId);
    const known = this.orders.get(orderId);
    const order = known ?? this.#made(alias, orderId, event);
    order.qty = event.qty ?? order.qty;
    order.filledQty = event.filledQty ?? order.filledQty;
    order.leavesQty = event.leavesQty ?? 0;
    order.last = kind;
    this.#count(order);
    if (kind === 'fill' && event.fill !== null) this.#fill(event.seq, order, event.fill);
    return known === undefined ? order : undefined;
  }

  #count(order: LedgerOrder): void {
    const { alias, form, leavesQty, orderId } = order;
    if (form === 'slice') {
      if (leavesQty > 0) this.#slices.set(orderId, order);
      else this.#slices.delete(orderId);
      return;
    }
    const ours = this.open.get(alias) ?? new Set();
    this.open.set(alias, ours);
    const open = order.origin?.session === otherChannel ? this.#others : ours;
    if (leavesQty > 0) open.add(order);
    else open.delete(order);
  }

  #fill(seq: number, order: LedgerOrder, { feeMicro, price, qty }: ExecutionFill): void {
    const { alias, form, parentOrderId } = order;
    const algo = form === 'slice' ? this.orders.get(parentOrderId ?? '') : undefined;
    if (algo !== undefined) {
      algo.filledQty += qty;
      algo.leavesQty -= qty;
    }
    const wireSeq = this.#venue.state.feed.wireSeq(this.#accounts.get(alias) ?? '', seq) ?? 0;
    this.fills.push({ alias, seq: wireSeq, order: algo ?? order, price, qty, feeMicro });
  }

  #close(orderId: string): void {
    const order = this.orders.get(orderId);
    if (order === undefined) return;
    order.leavesQty = 0;
    this.#count(order);
  }

  #originOf({ book, market, qty, side }: ExecutionEvent): Origin | undefined {
    return this.#origins.get(markOf(market ?? 0, book, side ?? '', qty ?? 0));
  }

  #made(alias: string, orderId: string, event: ExecutionEvent): LedgerOrder {
    const { book, clientOrderId, kind, market, parentOrderId, price, qty, side } = event;
    const parent = parentOrderId === null ? undefined : this.orders.get(parentOrderId);
    // The child of a replace is what its parent was, also of one by another program, whatever its quantity; a quote that takes
    // another's place has its own mark. A name that the venue does not take comes as a digest.
    const isNamed =
      clientOrderId?.startsWith(replaceMark) === true || orderId.startsWith(writerMark);
    const isReplace = kind === 'replaced' && (isNamed || parent?.origin?.slot === null);
    const offspring = isReplace ? undefined : parent && offspringOf[parent.form];
    const own = this.#originOf(event);
    const isParents = isReplace || offspring !== undefined || (kind === 'replaced' && !own);
    const origin = isParents ? parent?.origin : own;
    const order: LedgerOrder = {
      ...{ alias, book, market: market ?? 0, orderId, origin, parentOrderId, side: side ?? 'Bid' },
      form: offspring ?? origin?.form ?? 'order',
      ...{ filledQty: 0, leavesQty: 0, price: price ?? 0, qty: qty ?? 0, last: kind },
    };
    this.orders.set(orderId, order);
    return order;
  }
}

const offspringOf: Partial<Record<LedgerForm, LedgerForm>> = {
  algo: 'slice',
  conditional: 'fired',
};

/** ClOrdIDs of replaces begin so, and no others. */
export const replaceMark = 'g-';
