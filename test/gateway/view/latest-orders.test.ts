/** A page of the latest of many. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import {
  isPlace,
  LatestOrders,
  type Listed,
  type OrderPlace,
  orderSorts,
  placeOf,
} from '../../../src/gateway/view/latest-orders.ts';

const times = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 });
const keyOf = (order: Listed) => ('owner' in order ? order.owner.key : order.key);
const limits = fc.integer({ min: 1, max: 20 });

/** Keys as they come: many of one time have to follow each other by them. */
function ordersOf(all: readonly number[]): Order[] {
  return all.map((modTimeMs, at) => ({ modTimeMs, owner: { key: `K${at}` } }) as Order);
}

function sorted(orders: readonly Order[]): string[] {
  return orders
    .toSorted((a, b) => b.modTimeMs - a.modTimeMs || (a.owner.key < b.owner.key ? 1 : -1))
    .map(keyOf);
}

function page(orders: readonly Order[], limit: number, before?: OrderPlace): LatestOrders {
  const latest = new LatestOrders({ limit, before });
  for (const order of orders) latest.add(order);
  return latest;
}

test('the same are kept as if all had been sorted, whatever order they come in', () => {
  fc.assert(
    fc.property(times, limits, (all, limit) => {
      const orders = ordersOf(all);
      const latest = page(orders, limit);
      expect(latest.rows.map(keyOf)).toEqual(sorted(orders).slice(0, limit));
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
        seen.push(...rows.map(keyOf));
        const last = rows.at(-1) as Listed;
        before = placeOf(last);
      }
      expect(seen).toEqual(sorted(orders));
    }),
  );
});

/** An order in a market of these scales, with amounts in atoms. */
function amounts(at: number, scale: number, qty: bigint, price: bigint | null): Order {
  const market = { qtyScale: scale, priceScale: scale };
  const owner = { key: `K${at}`, accountName: 'desk-a', session: `S${at % 3}` };
  const terms = { qty, price, side: 'Bid' };
  const instrument = { market, symbol: 'BTC-USDC' };
  const order = { owner, instrument, terms, cumQty: qty, leavesQty: qty, clOrdId: `C${at}` };
  return { ...order, phase: 'live', modTimeMs: 1 } as unknown as Order;
}

/** An order that the bridge refused: its amounts are the text of its client. */
function refused(at: number, qty: string, price: string | null): Listed {
  const names = { account: 'desk-a', session: `S${at % 3}`, symbol: 'BTC-USDC', clOrdId: `C${at}` };
  const amounts = { qty, price, cumQty: '0', leavesQty: '0' };
  const row = { ...names, ...amounts, key: `K${at}`, status: 'rejected', side: 'Sell' };
  return { ...row, changedMs: 1 } as unknown as Listed;
}

test('amounts of different scales compare as amounts, and a market order comes before the lowest price', () => {
  const orders = [
    amounts(1, 2, 150n, 150n),
    amounts(2, 4, 14_999n, null),
    amounts(3, 0, 2n, 1n),
    amounts(4, 1, 15n, 15n),
    refused(5, '1.51', '0.99'),
    refused(6, '-x', ''),
  ];
  const keys = (sort: 'qty' | 'price', isRising: boolean) => {
    const found = new LatestOrders({ limit: 10, sort, isRising });
    for (const order of orders) found.add(order);
    return found.rows.map(keyOf);
  };
  expect(keys('qty', true)).toEqual(['K6', 'K2', 'K1', 'K4', 'K5', 'K3']);
  expect(keys('qty', false)).toEqual(['K3', 'K5', 'K4', 'K1', 'K2', 'K6']);
  expect(keys('price', true)).toEqual(['K2', 'K6', 'K5', 'K3', 'K1', 'K4']);
});

test('by every column and in both directions the pages hold each order once', () => {
  const some = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.bigInt(0n, 9n)), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(
      some,
      fc.constantFrom(...orderSorts),
      fc.boolean(),
      limits,
      (all, sort, isRising, limit) => {
        const orders = all.map(([scale, atoms], at) =>
          at % 3 === 2
            ? refused(at, `${atoms}.${scale}`, atoms === 0n ? null : String(atoms))
            : amounts(at, scale, atoms, atoms || null),
        );
        const seen: string[] = [];
        let before: OrderPlace | undefined;
        do {
          const found = new LatestOrders({ limit, sort, isRising, before });
          for (const order of orders) found.add(order);
          expect([found.count, found.newer]).toEqual([orders.length, seen.length]);
          seen.push(...found.rows.map(keyOf));
          const last = found.rows.at(-1);
          before = last && placeOf(last, sort);
          if (before !== undefined) expect(isPlace(before.value, sort)).toBe(true);
        } while (before !== undefined && seen.length < orders.length);
        expect(seen.toSorted()).toEqual(orders.map(keyOf).toSorted());
      },
    ),
  );
});
