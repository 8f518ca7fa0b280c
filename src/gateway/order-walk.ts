/**
 * Looks at many orders for somebody who only watches, a piece at a time, so that no message of a client waits for it
 * longer than a piece takes. One look after the other: many watchers take no more of a turn than one.
 */
import { setImmediate } from 'node:timers/promises';
import type { Order } from '../domain/order.ts';
import type { Orders } from '../engine/orders.ts';
import { OneAtATime } from '../runtime/one-at-a-time.ts';

/** Well under a millisecond of looking at names. */
export const pieceOrders = 500;

export class OrderWalk {
  readonly #looks = new OneAtATime();

  /** The orders as they are when the look begins, for an order never changes: another one takes its place. */
  each(orders: Pick<Orders, 'all'>, visit: (order: Order) => void): Promise<void> {
    return this.#looks.run(() => walk([...orders.all()], visit));
  }
}

/** What came last first: it was as a rule changed last. */
async function walk(orders: readonly Order[], visit: (order: Order) => void): Promise<void> {
  for (let end = orders.length; end > 0; end -= pieceOrders) {
    for (const order of orders.slice(Math.max(0, end - pieceOrders), end).reverse()) visit(order);
    await setImmediate();
  }
}
