/** The latest changed of many orders, without sorting them all: a desk holds far more than anybody reads at once. */
import type { Order } from '../domain/order.ts';

export class LatestOrders {
  readonly #limit: number;
  #kept: Order[] = [];
  #count = 0;
  /** What is older has no place any more. */
  #fromMs = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many there were, kept or not. */
  get count(): number {
    return this.#count;
  }

  get rows(): readonly Order[] {
    this.#sort();
    return this.#kept;
  }

  add(order: Order): void {
    this.#count += 1;
    if (order.modTimeMs <= this.#fromMs) return;
    this.#kept.push(order);
    if (this.#kept.length >= 2 * this.#limit) this.#sort();
  }

  #sort(): void {
    this.#kept.sort((a, b) => b.modTimeMs - a.modTimeMs);
    this.#kept.length = Math.min(this.#kept.length, this.#limit);
    if (this.#kept.length === this.#limit) this.#fromMs = this.#kept.at(-1)?.modTimeMs ?? 0;
  }
}
