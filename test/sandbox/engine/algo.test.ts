import { expect, test } from 'vitest';
import { maxSlices } from '../../../src/sandbox/engine/algo.ts';
import { coin, defaultCaps, Floor, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

const price = 100 * usd;
const iceberg = { kind: 'iceberg', sliceQty: 0.4 * coin } as const;
const twap = { kind: 'twap', sliceQty: 0.4 * coin, intervalMs: 1000 } as const;
const vwap = { kind: 'vwap', sliceQty: 0.4 * coin, intervalMs: 1000 } as const;

test('an iceberg shows one slice after the other and ends filled', () => {
  const floor = new Floor();
  const opened = floor.algo('ann', iceberg);
  expect(told(opened.events)).toEqual(['accepted o1', 'resting o1/slice0']);
  expect(opened).toMatchObject({ status: 'applied', orderId: 'o1', leavesQty: coin });
  expect(floor.exchange.depth(1, null, 5)?.asks).toEqual([[price, 0.4 * coin]]);
  floor.ask('cid', price, coin);
  const taken = floor.bid('bob', price, 0.4 * coin);
  expect(told(taken.events, 'ann')).toEqual(['fill o1/slice0', 'resting o1/slice1']);
  expect(floor.queue('Ask')).toEqual(['o2', 'o1/slice1']);
  const swept = floor.bid('bob', price, 1.6 * coin);
  expect(told(swept.events, 'ann')).toEqual([
    'fill o1/slice1',
    'accepted o1/slice2',
    'fill o1/slice2',
    'algo_done o1',
  ]);
  expect(floor.exchange.order('o1')).toMatchObject({
    kind: 'algo',
    state: 'filled',
    filledQty: coin,
    leavesQty: 0,
  });
  assertInvariants(floor.exchange);
});

test('R109: a twap sends a slice each interval, and slices name their parent', () => {
  const floor = new Floor();
  floor.algo('ann', twap);
  const first = floor.advance(1000);
  expect(first).toMatchObject([
    { kind: 'resting', orderId: 'o1/slice1', parentOrderId: 'o1', qty: 0.4 * coin },
  ]);
  expect(told(floor.advance(1000))).toEqual(['resting o1/slice2']);
  expect(floor.exchange.order('o1/slice2')?.qty).toBe(0.2 * coin);
  expect(floor.exchange.nextDueMs()).toBeNull();
  floor.bid('bob', price, coin);
  expect(floor.exchange.order('o1')?.state).toBe('filled');
});

test('intervals that pass in one step run each at its own time', () => {
  const floor = new Floor();
  floor.algo('ann', twap);
  const events = floor.advance(5000);
  expect(events.map(({ engineTsMs }) => engineTsMs - floor.nowMs)).toEqual([-4000, -3000]);
});

test('the rest of an ioc slice is not sent again, and the algo ends canceled', () => {
  const floor = new Floor();
  floor.bid('bob', price, 0.1 * coin);
  const opened = floor.algo('ann', twap, { timeInForce: 'ioc' });
  expect(told(opened.events, 'ann')).toEqual([
    'accepted o2',
    'accepted o2/slice0',
    'fill o2/slice0',
    'canceled o2/slice0',
  ]);
  const ended = floor.advance(2000);
  expect(ended.at(-1)).toMatchObject({
    kind: 'algo_done',
    orderId: 'o2',
    status: 'canceled',
    filledQty: 0.1 * coin,
    reason: null,
  });
});

test('a vwap follows what the book traded in the interval, up to its slice', () => {
  const floor = new Floor();
  floor.algo('ann', vwap, { limitPrice: 2 * price });
  floor.ask('cid', price, coin);
  floor.bid('bob', price, 0.1 * coin);
  floor.advance(1000);
  expect(floor.exchange.order('o1/slice1')?.qty).toBe(0.1 * coin);
  expect(floor.advance(1000)).toEqual([]);
  floor.bid('bob', price, 0.9 * coin);
  floor.advance(1000);
  expect(floor.exchange.order('o1/slice2')?.qty).toBe(0.4 * coin);
});

test('an algo that waits for volume ends after a bounded number of intervals', () => {
  const floor = new Floor();
  floor.algo('ann', { ...vwap, intervalMs: 1 }, { timeInForce: 'ioc' });
  const events = floor.advance(maxSlices + 1);
  expect(events).toMatchObject([{ kind: 'algo_done', reason: { code: 'expired' } }]);
  expect(floor.exchange.nextDueMs()).toBeNull();
});

test('in a halt the intervals pass without slices; any other refusal ends the algo and is reported', () => {
  const floor = new Floor();
  floor.algo('ann', twap);
  floor.exchange.changeMarket(1, 'halt', floor.nowMs);
  expect(floor.advance(2000)).toEqual([]);
  floor.exchange.changeMarket(1, 'resume', floor.nowMs);
  expect(told(floor.advance(1000))).toEqual(['resting o1/slice1']);
  floor.exchange.setKillSwitch({ kind: 'account', account: 'ann' }, true);
  expect(floor.advance(1000)).toEqual([]);
  const ended = floor.bid('bob', price, 0.8 * coin);
  expect(ended.events.at(-1)).toMatchObject({
    kind: 'algo_done',
    filledQty: 0.8 * coin,
    status: 'canceled',
    reason: { code: 'KILL_SWITCH' },
  });
});

test('canceling an algo ends its slices and then the algo, all by that action', () => {
  const floor = new Floor();
  floor.algo('ann', twap);
  floor.advance(1000);
  const canceled = floor.do('ann', { kind: 'cancel_algo', orderId: 'o1' });
  expect(told(canceled.events)).toEqual([
    'canceled o1/slice0',
    'canceled o1/slice1',
    'algo_done o1',
  ]);
  expect(canceled.events.at(-1)).toMatchObject({ nonce: 2, status: 'canceled', leavesQty: 0 });
  expect(canceled).toMatchObject({ status: 'canceled', orderId: 'o1' });
  expect(floor.exchange.openOrders('ann')).toEqual([]);
  expect(floor.advance(5000)).toEqual([]);
  const codeOf = (account: string, kind: 'cancel_algo' | 'cancel', orderId: string) =>
    floor.do(account, { kind, orderId }).refusal?.code;
  expect(codeOf('ann', 'cancel_algo', 'o1')).toBe('order_not_open');
  expect(codeOf('ann', 'cancel_algo', 'o9')).toBe('order_not_found');
  expect(codeOf('ann', 'cancel', 'o1')).toBe('order_not_found');
  assertInvariants(floor.exchange);
});

test('an algo whose slice is canceled by itself sends no other', () => {
  const floor = new Floor();
  floor.algo('ann', iceberg);
  const canceled = floor.cancel('ann', 'o1/slice0');
  expect(told(canceled.events)).toEqual(['canceled o1/slice0', 'algo_done o1']);
});

test.each([
  ['qty_must_be_positive', { ...iceberg, sliceQty: 0 }, {}],
  ['qty_not_aligned_to_lot', { ...iceberg, sliceQty: 15 }, {}],
  ['qty_exceeds_max', { ...iceberg, sliceQty: 10 }, { totalQty: 100_010 * 10 }],
  ['schema_violation', iceberg, { timeInForce: 'ioc' }],
  ['schema_violation', { ...twap, intervalMs: 0 }, {}],
  ['price_not_aligned_to_tick', twap, { limitPrice: 101 }],
  ['insufficient_spot_asset', { ...twap, sliceQty: 2000 * coin }, { totalQty: 2000 * coin }],
  ['market_not_found', twap, { market: 99 }],
] as const)('an algo is refused with %s before it starts', (code, strategy, change) => {
  const floor = new Floor();
  const refused = floor.algo('ann', strategy, change);
  expect(refused.refusal?.code).toBe(code);
  expect(told(refused.events)).toEqual(['rejected o1']);
  expect(floor.exchange.openOrders('ann')).toEqual([]);
  assertInvariants(floor.exchange);
});

test('an account has a bounded number of algos and conditionals', () => {
  const floor = new Floor({ caps: { ...defaultCaps, parents: 1 } });
  floor.algo('ann', twap);
  expect(floor.algo('ann', twap).refusal?.code).toBe('account_open_order_cap_exceeded');
  expect(floor.algo('bob', twap).refusal).toBeNull();
  floor.exchange.haltTrading(true, floor.nowMs);
  expect(floor.algo('bob', twap)).toMatchObject({ nonceConsumed: false, events: [] });
});
