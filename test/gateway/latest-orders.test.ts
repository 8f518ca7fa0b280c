/** The latest of many. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Order } from '../../src/domain/order.ts';
import { LatestOrders } from '../../src/gateway/latest-orders.ts';

const times = fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 200 });

test('the same are kept as if all had been sorted, whatever order they come in', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 20 }), (all, limit) => {
      const latest = new LatestOrders(limit);
      for (const modTimeMs of all) latest.add({ modTimeMs } as Order);
      const wanted = all.toSorted((a, b) => b - a).slice(0, limit);
      expect(latest.rows.map(({ modTimeMs }) => modTimeMs)).toEqual(wanted);
      expect(latest.count).toBe(all.length);
    }),
  );
});
