/** One page of the orders, the latest changed first, without sorting all orders of an account. */
import type { Order } from '../domain/order.ts';

/** The sort key of an order: time of change, then the order's key. */
export interface OrderPlace {
  readonly changedMs: number;
  readonly key: string;
}

export class LatestOrders {
  readonly #limit: number;
  readonly #before: OrderPlace | undefined;
  #kept: Order[] = [];
  #count = 0;
  #newer = 0;
  /** Older orders no longer fit on the page. */
  #last: Order | undefined;

  /** The page starts after `before`, or with the latest order. */
  constructor(limit: number, before?: OrderPlace) {
    this.#limit = limit;
    this.#before = before;
  }

  /** The number of all orders, on the page or not. */
  get count(): number {
    return this.#count;
  }

  /** The number of orders before the page. */
  get newer(): number {
    return this.#newer;
  }

  get rows(): readonly Order[] {
    this.#sort();
    return this.#kept;
  }

  add(order: Order): void {
    this.#count += 1;
    if (this.#before !== undefined && byPlace(placeOf(order), this.#before) <= 0) {
      this.#newer += 1;
      return;
    }
    if (this.#last !== undefined && byLatest(order, this.#last) > 0) return;
    this.#kept.push(order);
    if (this.#kept.length >= 2 * this.#limit) this.#sort();
  }

  #sort(): void {
    this.#kept.sort(byLatest);
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    if (this.#kept.length === this.#limit) this.#last = this.#kept.at(-1);
  }
}

function placeOf({ modTimeMs, owner }: Order): OrderPlace {
  return { changedMs: modTimeMs, key: owner.key };
}

function byLatest(a: Order, b: Order): number {
  return byPlace(placeOf(a), placeOf(b));
}

function byPlace(a: OrderPlace, b: OrderPlace): number {
  if (a.changedMs !== b.changedMs) return b.changedMs - a.changedMs;
  if (a.key === b.key) return 0;
  return a.key < b.key ? 1 : -1;
}
