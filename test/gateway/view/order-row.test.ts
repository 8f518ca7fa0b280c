/** What a row of the console shows of an order. */
import { expect, test } from 'vitest';
import type { Order } from '../../../src/domain/order.ts';
import type { Qty } from '../../../src/domain/units.ts';
import { orderRow, tradeRows, tradeState } from '../../../src/gateway/view/order-row.ts';
import { Ladder, terms } from '../../domain/ladder.ts';

const { order: live } = Ladder.live(10);
const order: Order = { ...live, clOrdId: 'Client-7', modTimeMs: 5000 };
const ended: Order = { ...order, phase: 'canceled' };

test('a row shows the order as its client sees it', () => {
  const filled = { ...order, cumQty: 4n as Qty, leavesQty: 6n as Qty, notional: 42n };
  expect(orderRow(filled, 'why')).toMatchObject({
    key: 'o1',
    account: 'desk',
    session: 'S',
    clOrdId: 'Client-7',
    orderId: 'v1',
    side: 'Buy',
    qty: '10',
    price: '10',
    cumQty: '4',
    leavesQty: '6',
    avgPx: '10.5',
    status: 'partially_filled',
    pending: null,
    isUnknown: false,
    isOpen: true,
    changedMs: 5000,
    reason: 'why',
  });
});

test('a row without trades has no average price, and one of a market order no price', () => {
  const market = terms({ qty: 10n as Qty, price: null, side: 'Ask' });
  expect(orderRow({ ...order, terms: market })).toMatchObject({
    avgPx: null,
    price: null,
    side: 'Sell',
    reason: '',
  });
});

test('the average price excludes fills from before the bridge knew the order', () => {
  const cumQty = 30n as Qty;
  const adopted = { ...order, cumQty, unseenQty: 20n as Qty, notional: 100n };
  expect(orderRow(adopted).avgPx).toBe('10');
  expect(orderRow({ ...adopted, unseenQty: cumQty, notional: 0n }).avgPx).toBeNull();
});

test('an order whose outcome is unknown is marked as such', () => {
  const row = orderRow({ ...ended, submission: 'unknown' });
  expect(row).toMatchObject({ isUnknown: true, isOpen: false });
});

test('the trades of an order are rows under the ExecID that they had last', () => {
  const ladder = Ladder.live(10);
  ladder.fill(4);
  ladder.fill(3);
  ladder.step({ kind: 'bust', execId: 'T-2-0', nowMs: 9000 });
  expect(tradeRows(ladder.order)).toEqual([
    { execId: 'o1-2', firstExecId: 'T-2-0', price: '10', qty: '0', isBusted: true },
    { execId: 'T-3-0', firstExecId: 'T-3-0', price: '10', qty: '3', isBusted: false },
  ]);
  expect(tradeState(ladder.order, 1)).toEqual({
    ...{ execId: 'T-3-0', firstExecId: 'T-3-0', price: '10', qty: '3', isBusted: false },
    ...{ avgPx: '10', cumQty: '3', leavesQty: '7', status: 'partially_filled' },
  });
});
