/**
 * Cancels of many orders at once: for a client, an operator, the kill switch, or the end of a connection. Each is one
 * small record of the orders that are meant and the position that it has reached. The engine works through them in
 * slices, each of which is an input, so that no transaction is long however many orders are open
 * (docs/decisions/0210-stopping-orders.md).
 */
import { hasEnded, isOfOtherChannel, type Order } from '../domain/order.ts';
import type { Side } from '../domain/units.ts';
import type { Entry, OrderIndex } from './order-index.ts';

/** The open orders that a mass cancel means; null means any. */
export interface CancelScope {
  readonly session: string | null;
  /** SecurityID(48) of each instrument, because markets may share a Symbol(55); an operator gives that instead. */
  readonly symbols: readonly string[] | null;
  readonly side: Side | null;
  readonly onlyQuotes: boolean;
}

export const allOrders: CancelScope = {
  session: null,
  symbols: null,
  side: null,
  onlyQuotes: false,
};

/** The numbers are arrival numbers: orders that arrive later are not meant. */
export interface MassCancel {
  readonly meant: CancelScope;
  readonly text: string;
  readonly next: number;
  readonly last: number;
}

export interface Slice {
  readonly keys: readonly string[];
  readonly text: string;
}

/** Checking an order takes about this much less time than canceling it. */
const seenForEach = 100;

export class MassCancels {
  /**
   * How many orders the bridge cancels in one transaction, which takes a few milliseconds. The number is part of each
   * input, so a record has the same effects in a version with another number. A simulation reduces it.
   */
  static atOnce = 100;
  readonly #orders: Pick<OrderIndex, 'all' | 'lastArrival' | 'open'>;
  #running: readonly MassCancel[] = [];
  /** The position of the first mass cancel; a new process finds it again. */
  #walk: Iterator<Entry> | undefined;

  constructor(orders: Pick<OrderIndex, 'all' | 'lastArrival' | 'open'>) {
    this.#orders = orders;
  }

  get isRunning(): boolean {
    return this.#running.length > 0;
  }

  count(meant: CancelScope): number {
    let count = 0;
    for (const { order } of this.#orders.open()) if (isMeant(order, meant)) count += 1;
    return count;
  }

  /** A repeated mass cancel is merged with the first, so that they do not pile up however often a client asks. */
  begin(meant: CancelScope, text: string): void {
    const last = this.#orders.lastArrival;
    const at = this.#running.findIndex((one) => isSame(one.meant, meant));
    const before = this.#running[at];
    if (before === undefined) this.#running = [...this.#running, { meant, text, next: 1, last }];
    else this.#running = this.#running.with(at, { ...before, text, last });
  }

  /** Returns why an order will be canceled although it has not been reached yet; undefined if it will not be. */
  about({ arrival, order }: Entry): string | undefined {
    if (this.#running.length === 0) return undefined;
    return this.#running.find(
      ({ last, meant, next }) => arrival >= next && arrival <= last && isMeant(order, meant),
    )?.text;
  }

  /** Returns at most this many of the next orders to cancel. */
  slice(atOnce: number): Slice {
    const [first, ...others] = this.#running;
    if (first === undefined) return { keys: [], text: '' };
    const { last, meant, text } = first;
    const keys: string[] = [];
    let { next } = first;
    this.#walk ??= this.#orders.all();
    for (let seen = 0; seen < seenForEach * atOnce && keys.length < atOnce; ) {
      const { done, value } = this.#walk.next();
      if (done === true || value.arrival > last) {
        this.#walk = undefined;
        this.#running = others;
        return { keys, text };
      }
      if (value.arrival < next) continue;
      next = value.arrival + 1;
      seen += 1;
      if (isMeant(value.order, meant)) keys.push(value.order.owner.key);
    }
    this.#running = [{ ...first, next }, ...others];
    return { keys, text };
  }

  state(): readonly MassCancel[] {
    return this.#running;
  }

  restore(running: readonly MassCancel[]): void {
    this.#running = running;
  }
}

function isMeant(order: Order, { onlyQuotes, session, side, symbols }: CancelScope): boolean {
  if (hasEnded(order)) return false;
  const { owner, terms } = order;
  const { securityId, symbol } = order.instrument;
  return (
    !isOfOtherChannel(order) &&
    (session === null || owner.session === session) &&
    (symbols === null || symbols.some((one) => one === securityId || one === symbol)) &&
    (side === null || terms.side === side) &&
    (!onlyQuotes || owner.quoteId !== null)
  );
}

function isSame(one: CancelScope, other: CancelScope): boolean {
  return (
    one.session === other.session &&
    one.side === other.side &&
    one.onlyQuotes === other.onlyQuotes &&
    one.symbols?.join() === other.symbols?.join()
  );
}
