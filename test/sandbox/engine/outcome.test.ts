import { expect, test } from 'vitest';
import { applied, outcomeOf, progressOf, refused } from '../../../src/sandbox/engine/outcome.ts';
import { coin, Floor, usd } from './floor.ts';

const price = 100 * usd;

test('the word for an order follows from its state and from what was filled', () => {
  const floor = new Floor();
  expect(floor.bid('ann', price, 2 * coin)).toMatchObject({
    status: 'resting',
    leavesQty: 2 * coin,
  });
  const half = floor.ask('bob', price, 3 * coin);
  expect(half).toMatchObject({ status: 'partially_filled', filledQty: 2 * coin, leavesQty: coin });
  expect(floor.bid('cid', price, coin)).toMatchObject({ status: 'filled', leavesQty: 0 });
  // What an ended order had filled does not make it partially filled again.
  const rest = floor.bid('ann', price, coin, { timeInForce: 'ioc' });
  expect(rest).toMatchObject({ status: 'canceled', filledQty: 0, leavesQty: 0 });
});

test('the receipt of an expired order says canceled', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin, { expiresAt: floor.nowMs + 5 });
  floor.advance(5);
  const [receipt] = floor.exchange.receipts('ann', { limit: 1 });
  expect(receipt).toMatchObject({ status: 'canceled', leavesQty: 0, rejectCode: null });
});

test('an outcome keeps the fills of its own time', () => {
  const floor = new Floor();
  floor.bid('ann', price, 2 * coin);
  floor.ask('bob', price, coin);
  const order = floor.exchange.state.orders.get('o1');
  const before = progressOf(order);
  floor.ask('bob', price, coin);
  expect(before.fills).toHaveLength(1);
  expect(progressOf(order)).toMatchObject({ filledQty: 2 * coin, leavesQty: 0 });
  expect(progressOf(order).fills).toHaveLength(2);
  expect(outcomeOf(order!, 'applied')).toMatchObject({ status: 'applied', orderId: 'o1' });
});

test('what was refused, or has no order, has no progress', () => {
  const none = { filledQty: 0, feeMicro: 0, fills: [] };
  const refusal = { code: 'expired', text: 'late' } as const;
  expect(progressOf(undefined)).toEqual({ ...none, leavesQty: 0 });
  expect(refused(refusal, 'o1')).toEqual({
    ...none,
    leavesQty: 0,
    status: 'rejected',
    refusal,
    orderId: 'o1',
  });
  expect(applied(null, 5)).toEqual({
    ...none,
    leavesQty: 5,
    status: 'applied',
    refusal: null,
    orderId: null,
  });
});
