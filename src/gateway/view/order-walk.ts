/**
 * Walks through many orders for the console, one piece at a time, so that no client message waits longer than for one
 * piece. Walks run one after the other, so many viewers take no more of the event loop than one.
 */
import { setImmediate } from 'node:timers/promises';
import type { Order } from '../../domain/order.ts';
import type { Orders } from '../../engine/orders.ts';
import { OneAtATime } from '../../runtime/one-at-a-time.ts';

/** A piece takes well under a millisecond. */
export const pieceOrders = 500;

export class OrderWalk {
  readonly #looks = new OneAtATime();

  /** Visits the orders as of the start of the walk. An order object never changes; a changed order is a new object. */
  each(orders: Pick<Orders, 'all'>, visit: (order: Order) => void): Promise<void> {
    return this.#looks.run(() => walk([...orders.all()], visit));
  }
}

/** The newest orders come first, because they usually changed last. */
async function walk(orders: readonly Order[], visit: (order: Order) => void): Promise<void> {
  for (let end = orders.length; end > 0; end -= pieceOrders) {
    for (const order of orders.slice(Math.max(0, end - pieceOrders), end).reverse()) visit(order);
    await setImmediate();
  }
}
