import { expect, test } from 'vitest';
import { coin, Floor, placeOf, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

const price = 100 * usd;
const sell = { side: 'Ask', price: price - usd, qty: coin } as const;

/** Makes the last trade of the spot market stand at `at`. */
function trade(floor: Floor, at: number) {
  floor.ask('bob', at, 10_000_000);
  return floor.bid('cid', at, 10_000_000);
}

test('R110: a stored order waits and goes in when the last trade reaches its trigger', () => {
  const floor = new Floor();
  const stored = floor.conditional('ann', price, 'at_or_above', sell);
  expect(stored).toMatchObject({ status: 'applied', orderId: 'o2', leavesQty: coin });
  expect(stored.events).toMatchObject([{ kind: 'accepted', orderId: 'o2', status: 'applied' }]);
  expect(told(trade(floor, price - 100).events, 'ann')).toEqual([]);
  const fired = trade(floor, price);
  expect(told(fired.events, 'ann')).toEqual(['triggered o1']);
  expect(fired.events.at(-1)).toMatchObject({
    orderId: 'o1',
    parentOrderId: 'o2',
    nonce: 1,
    actionHash: 'hash1',
    nonceConsumed: true,
  });
  expect(floor.queue('Ask')).toEqual(['o1']);
  expect(floor.exchange.order('o2')).toMatchObject({ kind: 'conditional', state: 'filled' });
  assertInvariants(floor.exchange);
});

test('a trigger downward fires at or below, once', () => {
  const floor = new Floor();
  floor.conditional('ann', price, 'at_or_below', { ...sell, isMarket: true });
  floor.bid('cid', price - usd, coin);
  const fired = floor.ask('bob', price - usd, 10_000_000);
  expect(told(fired.events, 'ann')).toEqual(['triggered o1', 'fill o1', 'canceled o1']);
  expect(told(trade(floor, price - usd).events, 'ann')).toEqual([]);
});

test('a trigger that the last trade already meets fires at once', () => {
  const floor = new Floor();
  trade(floor, price);
  const stored = floor.conditional('ann', price, 'at_or_above', sell);
  expect(told(stored.events)).toEqual(['accepted o4', 'triggered o3']);
});

test('conditionals that fire each other do so oldest first and come to an end', () => {
  const floor = new Floor();
  floor.bid('bob', price + 2 * usd, coin);
  floor.bid('bob', price + usd, coin);
  const at = (limit: number) => ({ side: 'Ask', price: limit, qty: coin }) as const;
  floor.conditional('ann', price + usd, 'at_or_below', at(price));
  floor.conditional('ann', price + 2 * usd, 'at_or_below', at(price + usd));
  const started = floor.ask('cid', price + 2 * usd, 10_000_000);
  expect(told(started.events, 'ann')).toEqual([
    'triggered o5',
    'fill o5',
    'fill o5',
    'triggered o3',
    'fill o3',
  ]);
  assertInvariants(floor.exchange);
});

test('the requirements of a triggered order are checked when it triggers, and its refusal is reported', () => {
  const floor = new Floor();
  floor.conditional('ann', price, 'at_or_above', sell);
  floor.exchange.deposit('ann', 'BTC', -1000 * coin);
  const fired = trade(floor, price);
  expect(told(fired.events, 'ann')).toEqual(['triggered o1', 'rejected o1']);
  expect(fired.events.at(-1)).toMatchObject({
    parentOrderId: 'o2',
    reason: { code: 'insufficient_spot_asset' },
  });
  expect(floor.exchange.openOrders('ann')).toEqual([]);
});

test('a gate that is closed when the order triggers is reported as well', () => {
  const floor = new Floor();
  floor.conditional('ann', price, 'at_or_above', { ...sell, expiresAt: floor.nowMs + 5 });
  floor.conditional('ann', price, 'at_or_above', sell);
  floor.exchange.setKillSwitch({ kind: 'account', account: 'ann' }, true);
  const fired = trade(floor, price);
  expect(fired.events.filter(({ account }) => account === 'ann')).toMatchObject([
    { kind: 'triggered' },
    { kind: 'rejected', reason: { code: 'KILL_SWITCH' } },
    { kind: 'triggered' },
    { kind: 'rejected', reason: { code: 'KILL_SWITCH' } },
  ]);
});

test('an order that expired while it waited is refused with expired', () => {
  const floor = new Floor();
  floor.conditional('ann', price, 'at_or_above', { ...sell, expiresAt: floor.nowMs + 5 });
  floor.advance(10);
  expect(trade(floor, price).events.at(-1)?.reason?.code).toBe('expired');
});

test('a stored order can be canceled by its owner, and only as what it is', () => {
  const floor = new Floor();
  floor.conditional('ann', price, 'at_or_above', sell);
  const cancelAs = (account: string, kind: 'cancel_conditional' | 'cancel_algo' | 'cancel') =>
    floor.do(account, { kind, orderId: 'o2' });
  expect(cancelAs('bob', 'cancel_conditional').refusal?.code).toBe('unauthorized_cancel');
  expect(cancelAs('ann', 'cancel_algo').refusal?.code).toBe('order_not_found');
  expect(cancelAs('ann', 'cancel').refusal?.code).toBe('order_not_found');
  const canceled = cancelAs('ann', 'cancel_conditional');
  expect(canceled).toMatchObject({ status: 'canceled', orderId: 'o2' });
  expect(told(canceled.events)).toEqual(['canceled o2']);
  expect(cancelAs('ann', 'cancel_conditional').refusal?.code).toBe('order_not_open');
  expect(told(trade(floor, price).events, 'ann')).toEqual([]);
});

test('the nested order must agree with the outer one', () => {
  const floor = new Floor();
  const nested = { action: placeOf(sell), ids: floor.ids(placeOf(sell)) };
  const outer = {
    kind: 'place_conditional',
    market: 1,
    book: null,
    side: 'Ask',
    qty: coin,
    limitPrice: price,
    triggerPrice: price,
    triggerDirection: 'at_or_above',
    reduceOnly: false,
    nested,
  } as const;
  const codeOf = (change: object) => floor.do('ann', { ...outer, ...change }).refusal?.code;
  expect(codeOf({ triggerPrice: price + 1 })).toBe('price_not_aligned_to_tick');
  expect(codeOf({ market: 99 })).toBe('market_not_found');
  expect(codeOf({})).toBeUndefined();
  floor.exchange.haltTrading(true, floor.nowMs);
  expect(floor.do('ann', outer)).toMatchObject({ nonceConsumed: false, events: [] });
});
