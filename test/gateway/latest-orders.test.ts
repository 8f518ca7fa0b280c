/** A page of the latest of many. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import { LatestOrders, type OrderPlace } from '../../src/gateway/latest-orders.ts';

const times = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 });
const limits = fc.integer({ min: 1, max: 20 });

/** Keys as they come: many of one time have to follow each other by them. */
function ordersOf(all: readonly number[]): Order[] {
  return all.map((modTimeMs, at) => ({ modTimeMs, owner: { key: `K${at}` } }) as Order);
}

function sorted(orders: readonly Order[]): string[] {
  return orders
    .toSorted((a, b) => b.modTimeMs - a.modTimeMs || (a.owner.key < b.owner.key ? 1 : -1))
    .map(({ owner }) => owner.key);
}

function page(orders: readonly Order[], limit: number, before?: OrderPlace): LatestOrders {
  const latest = new LatestOrders(limit, before);
  for (const order of orders) latest.add(order);
  return latest;
}

test('the same are kept as if all had been sorted, whatever order they come in', () => {
  fc.assert(
    fc.property(times, limits, (all, limit) => {
      const orders = ordersOf(all);
      const latest = page(orders, limit);
      expect(latest.rows.map(({ owner }) => owner.key)).toEqual(sorted(orders).slice(0, limit));
      expect(latest.count).toBe(all.length);
    }),
  );
});

test('the pages one after the other hold each order once, in the order of all', () => {
  fc.assert(
    fc.property(times, limits, (all, limit) => {
      const orders = ordersOf(all);
      const seen: string[] = [];
      let before: OrderPlace | undefined;
      while (seen.length < orders.length) {
        const { count, newer, rows } = page(orders, limit, before);
        expect([count, newer]).toEqual([orders.length, seen.length]);
        expect(rows.length).toBeGreaterThan(0);
        seen.push(...rows.map(({ owner }) => owner.key));
        const last = rows.at(-1) as Order;
        before = { changedMs: last.modTimeMs, key: last.owner.key };
      }
      expect(seen).toEqual(sorted(orders));
    }),
  );
});
