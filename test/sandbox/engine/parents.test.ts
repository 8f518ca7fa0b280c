import { expect, test } from 'vitest';
import { coin, defaultCaps, Floor, usd } from './floor.ts';

const price = 100 * usd;
const sell = { side: 'Ask', price, qty: coin } as const;
const iceberg = { kind: 'iceberg', sliceQty: coin / 10 } as const;
const stored = (floor: Floor) => floor.conditional('ann', price, 'at_or_above', sell);

test('algos and conditionals count together towards the cap, and those that ended do not', () => {
  const floor = new Floor({ caps: { ...defaultCaps, parents: 2 } });
  expect(floor.algo('ann', iceberg).status).toBe('applied');
  expect(stored(floor)).toMatchObject({ status: 'applied', orderId: 'o3' });
  const refused = floor.algo('ann', iceberg);
  expect(refused.refusal).toEqual({
    code: 'account_open_order_cap_exceeded',
    text: '2 algos and conditionals are open',
  });
  expect(stored(floor).refusal?.code).toBe('account_open_order_cap_exceeded');
  expect(floor.algo('bob', iceberg).status).toBe('applied');
  floor.do('ann', { kind: 'cancel_conditional', orderId: 'o3' });
  expect(floor.algo('ann', iceberg).status).toBe('applied');
});

test('a refusal by the engine is an event with what was asked; one by a gate is none', () => {
  const floor = new Floor();
  const wrong = floor.algo('ann', iceberg, { market: 99 });
  expect(wrong.events).toMatchObject([
    {
      kind: 'rejected',
      orderId: 'o1',
      parentOrderId: null,
      market: 99,
      side: 'Ask',
      price,
      qty: coin,
      reason: { code: 'market_not_found' },
      nonceConsumed: true,
    },
  ]);
  expect(wrong).toMatchObject({ nonceConsumed: true, seq: 1 });
  floor.exchange.setKillSwitch({ kind: 'account', account: 'ann' }, true);
  const gated = floor.algo('ann', iceberg);
  expect(gated).toMatchObject({ nonceConsumed: false, seq: null, events: [] });
  expect(gated.refusal?.code).toBe('KILL_SWITCH');
  expect(floor.exchange.order('o2')).toBeNull();
});

test('a refused parent is not there and takes no place in the order of entry', () => {
  const floor = new Floor();
  floor.algo('ann', iceberg, { totalQty: coin + 1 });
  expect(floor.exchange.order('o1')).toBeNull();
  expect(floor.exchange.state.counters.entryNo).toBe(0);
  floor.algo('ann', iceberg);
  const entered = floor.exchange.ledger().orders.map(({ orderId }) => orderId);
  expect(entered[0]).toBe('o2');
});

test('the id of a parent is not given twice, be the other an order or a parent', () => {
  const floor = new Floor();
  const ids = { orderId: 'same', canonical: 'same' };
  const action = {
    kind: 'place_algo',
    market: 1,
    book: null,
    side: 'Ask',
    totalQty: coin,
    limitPrice: price,
    timeInForce: 'gtc',
    strategy: iceberg,
  } as const;
  expect(floor.do('ann', action, ids).status).toBe('applied');
  expect(floor.do('bob', action, ids).refusal?.code).toBe('duplicate_order_id');
  floor.bid('cid', usd, coin, {});
  expect(floor.do('bob', action, { ...ids, orderId: 'o3' }).refusal?.code).toBe(
    'duplicate_order_id',
  );
});

test('a parent that ended is known to queries, and not open', () => {
  const floor = new Floor();
  stored(floor);
  floor.do('ann', { kind: 'cancel_conditional', orderId: 'o2' });
  expect(floor.exchange.order('o2')).toMatchObject({ state: 'canceled', leavesQty: 0, qty: coin });
  expect(floor.exchange.state.accounts.get('ann')?.parents.size).toBe(0);
});
