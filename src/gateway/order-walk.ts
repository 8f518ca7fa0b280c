/**
 * Looks at many orders for somebody who only watches, a piece at a time, so that no message of a client waits for it
 * longer than a piece takes. One look after the other: many watchers take no more of a turn than one.
 */
import { setImmediate } from 'node:timers/promises';
import type { Order } from '../domain/order.ts';
import type { Desk } from './desk.ts';

/** Well under a millisecond of looking at names. */
export const pieceOrders = 500;

export class OrderWalk {
  #last: Promise<void> = Promise.resolve();

  /** The orders as they are when the look begins, for an order never changes: another one takes its place. */
  each(desk: Pick<Desk, 'all'>, visit: (order: Order) => void): Promise<void> {
    const look = this.#last.then(() => walk([...desk.all()], visit));
    this.#last = look.catch(() => {});
    return look;
  }
}

/** What came last first: it was as a rule changed last. */
async function walk(orders: readonly Order[], visit: (order: Order) => void): Promise<void> {
  for (let end = orders.length; end > 0; end -= pieceOrders) {
    for (const order of orders.slice(Math.max(0, end - pieceOrders), end).reverse()) visit(order);
    await setImmediate();
  }
}
