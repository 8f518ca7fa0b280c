import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Snapshot } from '../../../src/sandbox/engine/snapshot.ts';
import { coin, Floor, type LegTerms, told, usd } from './floor.ts';
import { assertInvariants } from './invariants.ts';

const price = 100 * usd;
const bid = (at: number, qty: number, change: Partial<LegTerms> = {}): LegTerms => ({
  side: 'Bid',
  price: at,
  qty,
  ...change,
});

/** With a tier, so that trades also count as volume. */
const fees = { takerBps: 5, makerBps: 0, tiers: [{ minVolumeMicro: 0, rebateBps: 1 }] };

/** The state without what tells of it: streams and receipts grow by a refusal. */
function untold(snapshot: Snapshot) {
  const accounts = snapshot.accounts.map(({ lastSeq, events, receipts, ...rest }) => rest);
  return { ...snapshot, accounts };
}

test('R97: a replaced order gets a new id, ends the old one and loses its place', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.bid('bob', price, coin);
  const replaced = floor.replace('ann', [bid(price, coin, { cancelOrderId: 'o1' })]);
  expect(replaced).toMatchObject({ status: 'resting', orderId: 'o3/leg0', leavesQty: coin });
  expect(replaced.events).toMatchObject([
    { kind: 'replaced', orderId: 'o3/leg0', parentOrderId: 'o1', legIndex: 0, status: 'resting' },
  ]);
  expect(floor.queue('Bid')).toEqual(['o2', 'o3/leg0']);
  expect(floor.exchange.order('o1')?.state).toBe('canceled');
  assertInvariants(floor.exchange);
});

test('R104: a leg with quantity 0 cancels only, one without an order places only, others keep their place', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.bid('ann', price, coin);
  floor.bid('bob', price, coin);
  const done = floor.replace('ann', [
    bid(price, 0, { cancelOrderId: 'o1' }),
    { side: 'Ask', price: 2 * price, qty: coin },
  ]);
  expect(told(done.events)).toEqual(['canceled o1', 'resting o4/leg1']);
  expect(done).toMatchObject({ orderId: 'o4/leg1' });
  expect(floor.queue('Bid')).toEqual(['o2', 'o3']);
});

test('a quote moves up through its own old prices', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.ask('ann', price + 100, coin);
  const moved = floor.replace('ann', [
    bid(price + 200, coin, { cancelOrderId: 'o1', timeInForce: 'post_only' }),
    { side: 'Ask', price: price + 300, qty: coin, cancelOrderId: 'o2', timeInForce: 'post_only' },
  ]);
  expect(moved.refusal).toBeNull();
  expect(floor.exchange.depth(1, null, 2)).toMatchObject({
    bids: [[price + 200, coin]],
    asks: [[price + 300, coin]],
  });
});

test('R98: a refused leg leaves the old orders, their places and all funds as they were', () => {
  const floor = new Floor({ fees });
  floor.ask('bob', price + 100, coin);
  floor.bid('ann', price, coin);
  floor.bid('bob', price, coin);
  const before = untold(floor.exchange.snapshot());
  const refused = floor.replace('ann', [
    bid(price + 100, 5 * coin, { cancelOrderId: 'o2' }),
    bid(price - 100, 0.5),
  ]);
  expect(refused.refusal).toEqual({
    code: 'qty_not_aligned_to_lot',
    text: 'leg 1: qty 0.5 is off the lot 10',
  });
  expect(untold(floor.exchange.snapshot())).toEqual(before);
  expect(refused.events).toMatchObject([
    { kind: 'rejected', orderId: 'o4/leg0', parentOrderId: 'o2', legIndex: 0 },
    { kind: 'rejected', orderId: 'o4/leg1', parentOrderId: null, legIndex: 1 },
  ]);
  expect(floor.exchange.lastSeq('bob')).toBe(2);
  assertInvariants(floor.exchange);
});

test('a group is refused as a whole when its target has ended, is foreign, or is in another book', () => {
  const floor = new Floor();
  floor.bid('bob', price, coin);
  floor.bid('ann', 500_000, usd, { market: 7 });
  const codeOf = (cancelOrderId: string) =>
    floor.replace('ann', [bid(price, 0, { cancelOrderId })]).refusal?.code;
  expect([codeOf('o1'), codeOf('o2'), codeOf('o9')]).toEqual([
    'unauthorized_cancel',
    'order_not_found',
    'order_not_found',
  ]);
  const twice = [bid(price, 0, { cancelOrderId: 'o2', market: 7 })];
  const both = floor.replace('ann', [...twice, ...twice], 7);
  expect(both.refusal).toMatchObject({ code: 'order_not_open' });
  expect(both.events).toMatchObject([{ kind: 'rejected', orderId: null, market: 7 }]);
  expect(floor.exchange.order('o2')?.state).toBe('open');
});

test('a placing leg without quantity or id is refused or a fault', () => {
  const floor = new Floor();
  expect(floor.replace('ann', [bid(price, 0)]).refusal?.code).toBe('qty_must_be_positive');
  const leg = {
    ...bid(price, coin),
    cancelOrderId: null,
    stpMode: null,
    timeInForce: 'gtc',
  } as const;
  const rest = { book: null, isMarket: false, reduceOnly: false, expiresAt: null };
  const action = { kind: 'replace', market: 1, legs: [{ ...leg, ...rest }] } as const;
  expect(() => floor.do('ann', action, { legIds: [] })).toThrow('leg 0 places and needs its id');
  expect(floor.replace('ann', [bid(price, coin)]).status).toBe('resting');
});

test('a gate refuses a group that places and leaves no trace', () => {
  const floor = new Floor();
  floor.bid('ann', price, coin);
  floor.exchange.haltTrading(true, floor.nowMs);
  const hash = floor.exchange.hash();
  const refused = floor.replace('ann', [bid(price, coin, { cancelOrderId: 'o1' })]);
  expect(refused).toMatchObject({ nonceConsumed: false, seq: null, events: [] });
  expect(floor.exchange.hash()).toBe(hash);
});

test('R103: whatever a group did before its refused leg, the state is that of before it', () => {
  const leg = fc.record({
    side: fc.constantFrom('Bid' as const, 'Ask' as const),
    price: fc.integer({ min: 995, max: 1005 }).map((step) => step * 100_000),
    qty: fc.integer({ min: 1, max: 4 }).map((step) => step * coin),
    target: fc.option(fc.nat(20), { nil: null }),
    timeInForce: fc.constantFrom('gtc' as const, 'ioc' as const, 'post_only' as const),
    stpMode: fc.constantFrom('cancel_maker' as const, 'skip_self' as const, null),
    expires: fc.boolean(),
  });
  const property = fc.property(
    fc.array(leg, { minLength: 5, maxLength: 25 }),
    fc.array(leg, { minLength: 1, maxLength: 6 }),
    (book, group) => {
      const floor = new Floor({ fees });
      const ids = book.map((terms, index) => {
        const expiresAt = terms.expires ? floor.nowMs + 1000 + index : null;
        return floor.place(index % 2 === 0 ? 'ann' : 'bob', { ...terms, expiresAt }).orderId;
      });
      const own = ids.filter((id) => floor.exchange.order(id ?? '')?.account === 'ann');
      const legs = group.map(({ target, expires, ...terms }) => ({
        ...terms,
        expiresAt: expires ? floor.nowMs + 5000 : null,
        cancelOrderId: target === null ? null : (own[target % own.length] ?? null),
      }));
      const before = floor.exchange.snapshot();
      const refused = floor.replace('ann', [...legs, { side: 'Bid', price: 1, qty: coin }]);
      expect(refused.refusal).not.toBeNull();
      assertInvariants(floor.exchange);
      const after = floor.exchange.snapshot();
      expect(untold(after)).toEqual(untold(before));
      expect(floor.exchange.lastSeq('bob')).toBe(before.accounts[1]?.lastSeq);
      floor.advance(10_000);
      assertInvariants(floor.exchange);
    },
  );
  fc.assert(property, { numRuns: 100 });
});
