import { expect, test } from 'vitest';
import { coin, Floor, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

test('R114: the best price trades first, at one price the oldest order, at the resting price', () => {
  const floor = new Floor();
  floor.ask('ann', 102 * usd, coin);
  floor.ask('bob', 101 * usd, coin);
  floor.ask('ann', 101 * usd, coin);
  const taken = floor.bid('cid', 102 * usd, 2.5 * coin);
  expect(taken.fills.map(({ price, qty }) => [price, qty])).toEqual([
    [101 * usd, coin],
    [101 * usd, coin],
    [102 * usd, coin / 2],
  ]);
  expect(told(taken.events)).toEqual([
    'accepted o4',
    'fill o4',
    'fill o2',
    'fill o4',
    'fill o3',
    'fill o4',
    'fill o1',
  ]);
  expect(taken.status).toBe('filled');
  expect(floor.exchange.order('o1')).toMatchObject({ filledQty: coin / 2, leavesQty: coin / 2 });
  assertInvariants(floor.exchange);
});

test('an untouched order opens with resting, one that trades with accepted, and each opens once', () => {
  const floor = new Floor();
  expect(told(floor.ask('ann', 100 * usd, coin).events)).toEqual(['resting o1']);
  const partly = floor.bid('bob', 100 * usd, 3 * coin);
  expect(told(partly.events, 'bob')).toEqual(['accepted o2', 'fill o2']);
  expect(partly).toMatchObject({ status: 'partially_filled', leavesQty: 2 * coin });
  expect(floor.queue('Bid')).toEqual(['o2']);
});

test('R89: the rest of an ioc order is canceled, and its fills are still reported', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  const taken = floor.bid('bob', 100 * usd, 3 * coin, { timeInForce: 'ioc' });
  expect(taken).toMatchObject({ status: 'canceled', filledQty: coin, leavesQty: 0 });
  expect(told(taken.events, 'bob')).toEqual(['accepted o2', 'fill o2', 'canceled o2']);
  expect(floor.held('bob', 'USDC')).toBe(0);
});

test('R90: a market order stops at its protective price and never rests', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  floor.ask('ann', 101 * usd, coin);
  const taken = floor.bid('bob', 100 * usd, 5 * coin, { isMarket: true });
  expect(taken).toMatchObject({ status: 'canceled', filledQty: coin });
  expect(floor.queue('Bid')).toEqual([]);
  assertInvariants(floor.exchange);
});

test('R89: fill-or-kill takes the whole quantity over several levels or nothing', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  floor.ask('cid', 101 * usd, coin);
  const before = floor.exchange.depth(1, null, 10);
  const none = floor.bid('bob', 101 * usd, 2 * coin + 10, { timeInForce: 'fok' });
  expect(none.refusal?.code).toBe('fok_not_filled');
  expect(floor.exchange.depth(1, null, 10)).toEqual(before);
  const all = floor.bid('bob', 101 * usd, 2 * coin, { timeInForce: 'fok' });
  expect(all).toMatchObject({ status: 'filled', filledQty: 2 * coin });
});

test('R93: YES and NO of a market are separate books', () => {
  const floor = new Floor();
  floor.ask('ann', 400_000, usd, { market: 7, book: 'YES' });
  floor.bid('bob', 600_000, usd, { market: 7, book: 'NO' });
  expect(floor.queue('Ask', 7, 'YES')).toEqual(['o1']);
  expect(floor.queue('Bid', 7, 'NO')).toEqual(['o2']);
  floor.bid('cid', 400_000, usd, { market: 7, book: 'YES' });
  expect(floor.queue('Ask', 7, 'YES')).toEqual([]);
  expect(floor.free('cid', '7:YES')).toBe(100_001 * usd);
});

test('R92: cancel_maker takes the own resting order away and trades on', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  floor.ask('bob', 100 * usd, coin);
  const taken = floor.bid('ann', 100 * usd, coin, { stpMode: 'cancel_maker' });
  expect(told(taken.events, 'ann')).toEqual(['accepted o3', 'canceled o1', 'fill o3']);
  expect(taken.events[1]?.reason?.code).toBe('self_trade_prevented');
});

test('R92: cancel_taker, also when no mode is named, cancels the rest of the incoming order', () => {
  for (const stpMode of ['cancel_taker', null]) {
    const floor = new Floor();
    floor.ask('bob', 99 * usd, coin);
    floor.ask('ann', 100 * usd, coin);
    const taken = floor.bid('ann', 100 * usd, 2 * coin, { stpMode });
    expect(told(taken.events, 'ann')).toEqual(['accepted o3', 'fill o3', 'canceled o3']);
    expect(taken.events.at(-1)?.reason?.code).toBe('self_trade_prevented');
    expect(floor.queue('Ask')).toEqual(['o2']);
  }
});

test('R92: reject refuses an order that would meet its own, and passes one that fills before', () => {
  const floor = new Floor();
  floor.ask('bob', 99 * usd, coin);
  floor.ask('ann', 100 * usd, coin);
  const refused = floor.bid('ann', 100 * usd, 2 * coin, { stpMode: 'reject' });
  expect(refused.refusal?.code).toBe('self_trade_prevented');
  expect(floor.bid('ann', 100 * usd, coin, { stpMode: 'reject' }).status).toBe('filled');
});

test('R92: skip_self passes over own orders; a rest that would stand across them is canceled', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  floor.ask('bob', 100 * usd, coin);
  floor.ask('cid', 101 * usd, coin);
  const taken = floor.bid('ann', 101 * usd, 3 * coin, { stpMode: 'skip_self' });
  expect(told(taken.events, 'ann')).toEqual(['accepted o4', 'fill o4', 'fill o4', 'canceled o4']);
  expect(taken.events.at(-1)?.reason?.code).toBe('self_trade_prevented');
  expect(floor.queue('Ask')).toEqual(['o1']);
  assertInvariants(floor.exchange);
});

test('own orders are no liquidity for fill-or-kill, and cancel_taker would stop at the first', () => {
  const floor = new Floor();
  floor.ask('ann', 100 * usd, coin);
  floor.ask('bob', 101 * usd, coin);
  for (const stpMode of ['cancel_maker', 'skip_self'] as const) {
    const refused = floor.bid('ann', 101 * usd, 2 * coin, { timeInForce: 'fok', stpMode });
    expect(refused.refusal?.code).toBe('fok_not_filled');
  }
  const stopped = floor.bid('ann', 101 * usd, coin, { timeInForce: 'fok' });
  expect(stopped.refusal?.code).toBe('fok_not_filled');
  const passed = floor.bid('ann', 101 * usd, coin, { timeInForce: 'fok', stpMode: 'skip_self' });
  expect(passed.status).toBe('filled');
});
