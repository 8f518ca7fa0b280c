/** The console's order search: what matches, and where the next page begins. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import { LatestOrders } from '../../../src/gateway/view/latest-orders.ts';
import { orderRow } from '../../../src/gateway/view/order-row.ts';
import {
  foundOrders,
  matcherOf,
  type OrderSearch,
} from '../../../src/gateway/view/order-search.ts';
import { Ladder } from '../../domain/ladder.ts';

const { order: live } = Ladder.live(10);
const order: Order = {
  ...live,
  clOrdId: 'Client-7',
  owner: { ...live.owner, quoteId: 'Quote-3' },
  modTimeMs: 5000,
};
const ended: Order = { ...order, phase: 'canceled' };
const matches = (search: Partial<OrderSearch>, one = order) =>
  matcherOf({ limit: 10, ...search })(one);

test('a search for nothing finds every order', () => {
  expect(matches({})).toBe(true);
});

test.each(['client-7', 'ENT-7', 'o1', 'V1', 'quote-3', 'DESK', 'btc-u'])(
  'the text %s is found in any name of the order, in any case',
  (text) => expect(matches({ text })).toBe(true),
);

test('a text that is in no name of the order does not find it', () => {
  expect(matches({ text: 'client-8' })).toBe(false);
  expect(matches({ text: 'null' }, { ...order, orderId: null })).toBe(false);
});

test.each<[keyof OrderSearch, string, string]>([
  ['account', 'desk', 'des'],
  ['session', 'S', 's'],
  ['symbol', 'BTC-USDC', 'BTC'],
])('%s must be the same, not a part', (member, same, part) => {
  expect(matches({ [member]: same })).toBe(true);
  expect(matches({ [member]: part })).toBe(false);
});

test('open and ended orders are distinguished', () => {
  expect([matches({ state: 'open' }), matches({ state: 'ended' })]).toEqual([true, false]);
  expect([matches({ state: 'open' }, ended), matches({ state: 'ended' }, ended)]).toEqual([
    false,
    true,
  ]);
});

test('rejected orders are found by themselves and among the ended ones', () => {
  const rejected: Order = { ...order, phase: 'rejected' };
  expect(matches({ state: 'rejected' }, rejected)).toBe(true);
  expect(matches({ state: 'ended' }, rejected)).toBe(true);
  expect(matches({ state: 'rejected' }, ended)).toBe(false);
});

test('an order that the bridge refused is found as any other, and its row is shown as it is', () => {
  const refused = { ...orderRow(ended, 'bridge.limit'), key: 'X-r1', status: 'rejected' };
  const search = { session: 'S', account: 'desk', symbol: 'BTC-USDC', fromMs: 5000, toMs: 5000 };
  const finds = (wanted: Partial<OrderSearch>) => matcherOf({ limit: 10, ...wanted })(refused);
  expect(finds({ ...search, text: 'CLIENT-7', state: 'rejected' })).toBe(true);
  expect(finds({ text: 'x-R1' })).toBe(true);
  for (const other of [{ session: 's' }, { account: 'd' }, { symbol: 'BTC' }, { fromMs: 5001 }]) {
    expect([other, finds({ ...search, ...other })]).toEqual([other, false]);
  }
  expect(finds({ state: 'open' })).toBe(false);
  const found = new LatestOrders({ limit: 10 });
  found.add(refused);
  expect(foundOrders(found, 'changed', () => 'not asked').rows).toEqual([refused]);
});

test('a range of time contains both its ends', () => {
  expect(matches({ fromMs: 5000, toMs: 5000 })).toBe(true);
  expect(matches({ fromMs: 5001 })).toBe(false);
  expect(matches({ toMs: 4999 })).toBe(false);
});

test('every condition must hold', () => {
  expect(matches({ text: 'client', account: 'desk', state: 'ended' })).toBe(false);
});

function found(count: number, limit: number) {
  const latest = new LatestOrders({ limit });
  for (let at = 0; at < count; at++) {
    latest.add({ ...order, modTimeMs: at, owner: { ...order.owner, key: `K${at}` } });
  }
  return foundOrders(latest, undefined, (key) => (key === 'K1' ? 'refused' : undefined));
}

test('the next page begins at the last row, and the last page has no next one', () => {
  expect(found(3, 2)).toMatchObject({ count: 3, newer: 0, next: { key: 'K1' } });
  expect(found(2, 2).next).toBeNull();
  expect(found(0, 2)).toEqual({ count: 0, newer: 0, rows: [], next: null });
});

test('each row has the reason of its own order', () => {
  expect(found(2, 2).rows.map(({ reason }) => reason)).toEqual(['refused', '']);
});
