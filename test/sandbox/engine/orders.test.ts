import { expect, test } from 'vitest';
import { coin, Floor, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

const price = 100 * usd;

test('R95: an amend downward keeps the id and the place in the queue, and frees what it no longer needs', () => {
  const floor = new Floor();
  floor.bid('ann', price, 3 * coin);
  floor.bid('bob', price, coin);
  const amended = floor.amend('ann', 'o1', 2 * coin);
  expect(amended).toMatchObject({ status: 'applied', orderId: 'o1', leavesQty: 2 * coin });
  expect(amended.events).toMatchObject([{ kind: 'amended', qty: 2 * coin, status: 'applied' }]);
  expect(floor.queue('Bid')).toEqual(['o1', 'o2']);
  expect(floor.held('ann', 'USDC')).toBe(200 * usd);
  assertInvariants(floor.exchange);
});

test('R96: an amend upward, to the filled quantity or off the lot is refused', () => {
  const floor = new Floor();
  floor.bid('ann', price, 3 * coin);
  floor.ask('bob', price, coin);
  const codeOf = (newQty: number) => floor.amend('ann', 'o1', newQty).refusal?.code;
  expect([codeOf(4 * coin), codeOf(3 * coin), codeOf(coin), codeOf(0)]).toEqual(
    Array(4).fill('invalid_amend'),
  );
  expect(codeOf(2 * coin + 1)).toBe('qty_not_aligned_to_lot');
  expect(codeOf(2 * coin)).toBeUndefined();
  expect(floor.exchange.order('o1')).toMatchObject({ qty: 2 * coin, leavesQty: coin });
});

test('R134: new_qty reads as the total or as what remains, as the profile says', () => {
  const floor = new Floor({ amendQty: 'remaining' });
  floor.bid('ann', price, 4 * coin);
  floor.ask('bob', price, coin);
  expect(floor.amend('ann', 'o1', 3 * coin).refusal?.code).toBe('invalid_amend');
  floor.amend('ann', 'o1', 2 * coin);
  expect(floor.exchange.order('o1')).toMatchObject({ qty: 3 * coin, leavesQty: 2 * coin });
});

test('targets are distinguished: own ended, own unknown, foreign open, foreign ended', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.bid('ann', price, coin);
  floor.cancel('ann', 'o1');
  const codeOf = (account: string, id: string) => floor.cancel(account, id).refusal?.code;
  expect(codeOf('ann', 'o1')).toBe('order_not_open');
  expect(codeOf('ann', 'o77')).toBe('order_not_found');
  expect(codeOf('bob', 'o2')).toBe('unauthorized_cancel');
  expect(codeOf('bob', 'o1')).toBe('order_not_found');
});

test('a refused cancel is reported without an order id, so that it cannot be taken for the order itself', () => {
  const floor = new Floor();
  const refused = floor.cancel('ann', 'o77');
  expect(refused.events).toMatchObject([
    { kind: 'rejected', orderId: null, parentOrderId: 'o77', actionHash: 'hash1', nonce: 1 },
  ]);
  expect(refused).toMatchObject({ orderId: null, nonceConsumed: true, seq: 1 });
});

test('a filled order cannot be canceled', () => {
  const floor = new Floor();
  floor.ask('ann', price, coin);
  floor.bid('bob', price, coin);
  expect(floor.cancel('ann', 'o1').refusal).toEqual({
    code: 'order_not_open',
    text: 'order o1 has ended: filled',
  });
});

test('events name the action of their own account and of nobody else', () => {
  const floor = new Floor();
  floor.ask('ann', price, coin);
  const { events } = floor.bid('bob', price, coin);
  const [accepted, taken, made] = events;
  expect(accepted).toMatchObject({ clientOrderId: 'client2', nonce: 2, nonceConsumed: true });
  expect(taken).toMatchObject({ account: 'bob', actionHash: 'hash2', nonce: 2 });
  expect(made).toMatchObject({
    account: 'ann',
    clientOrderId: null,
    nonce: null,
    actionHash: null,
    nonceConsumed: null,
  });
  expect(told(events)).toEqual(['accepted o2', 'fill o2', 'fill o1']);
});

test('an action that places without its derived id is a fault of the caller', () => {
  const floor = new Floor();
  expect(() => floor.place('ann', { side: 'Bid', price, qty: coin }, { orderId: null })).toThrow(
    'needs its derived order id',
  );
});
