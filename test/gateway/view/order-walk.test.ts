/** Looks at many orders that let everything else go on meanwhile. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import { OrderWalk, pieceOrders } from '../../../src/gateway/view/order-walk.ts';

function deskOf(count: number): { orders: Map<number, Order>; all(): IterableIterator<Order> } {
  const orders = new Map<number, Order>();
  for (let at = 0; at < count; at += 1) orders.set(at, { modTimeMs: at } as Order);
  return { orders, all: () => orders.values() };
}

test('all are seen once, what came last first, as they were when the look began', async () => {
  const orders = deskOf(2 * pieceOrders + 1);
  const seen: number[] = [];
  const look = new OrderWalk().each(orders, ({ modTimeMs }) => seen.push(modTimeMs));
  await setImmediate();
  orders.orders.set(0, { modTimeMs: 7_777 } as Order);
  orders.orders.set(-1, { modTimeMs: 8_888 } as Order);
  await look;
  expect(seen).toEqual(
    Array.from({ length: 2 * pieceOrders + 1 }, (_, at) => 2 * pieceOrders - at),
  );
});

test('no transaction looks at more than a piece, however many look at once', async () => {
  const walk = new OrderWalk();
  const orders = deskOf(5 * pieceOrders);
  let seen = 0;
  let areLooking = true;
  const looks = Array.from({ length: 4 }, () => walk.each(orders, () => (seen += 1)));
  void Promise.all(looks).then(() => {
    areLooking = false;
  });
  const transactions: number[] = [];
  for (let before = 0; areLooking; before = seen) {
    await setImmediate();
    transactions.push(seen - before);
  }
  expect(seen).toBe(4 * 5 * pieceOrders);
  expect(Math.max(...transactions)).toBeLessThanOrEqual(pieceOrders);
});

test('a failed search is reported to its own caller, and the next one is made', async () => {
  const walk = new OrderWalk();
  const fails = walk.each(deskOf(1), () => {
    throw new Error('wrong');
  });
  await expect(fails).rejects.toThrow('wrong');
  let seen = 0;
  await walk.each(deskOf(3), () => (seen += 1));
  expect(seen).toBe(3);
});
