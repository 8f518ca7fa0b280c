/** Our order ids against the venue's (contract G02, G28). */
import { expect, test } from 'vitest';
import type { OrderId } from '../../src/domain/units.ts';
import { idMismatches } from '../../src/venue/order-ids.ts';

const id = (digit: string) => `0x${digit.repeat(64)}` as OrderId;
const [a, b, c] = [id('a'), id('b'), id('c')];
const legs = { kind: 'legs', legIds: [null, a, b] } as const;

test('R10: an order id that differs is told with both', () => {
  const order = { kind: 'order', orderId: a } as const;
  expect(idMismatches(order, [a])).toEqual([]);
  expect(idMismatches(order, [c])).toEqual([{ index: 0, ours: a, theirs: c }]);
  expect(idMismatches(order, [])).toEqual([]);
  expect(idMismatches({ kind: 'none' }, [c])).toEqual([]);
});

test('R10: a single submit names the first placing leg, a batch each leg', () => {
  expect(idMismatches(legs, [a])).toEqual([]);
  expect(idMismatches(legs, [b])).toEqual([{ index: 1, ours: a, theirs: b }]);
  expect(idMismatches(legs, [null, a, c])).toEqual([{ index: 2, ours: b, theirs: c }]);
  expect(idMismatches(legs, [null, null, b])).toEqual([]);
});
