/** How many orders may be at the venue: by hand, and for random lives of orders against a plain count. */
import { describe, expect, test } from 'vitest';
import { hasEnded } from '../../src/domain/order.ts';
import { Exposure, type Holder } from '../../src/engine/exposure.ts';
import { entry, TradingCore } from '../support/trading-core.ts';
import { denied } from '../support/venue-denial.ts';

function holder(key: string): Holder {
  return { order: { owner: { key, session: 'S' } }, seat: undefined };
}

test('an order that takes the place of another shares its seat, whichever of them ends first', () => {
  for (const endsFirst of ['old', 'new']) {
    const exposure = new Exposure();
    const [before, after] = [holder('old'), holder('new')];
    exposure.take(before);
    exposure.take(after, before);
    expect([exposure.of('S'), exposure.shared()]).toEqual([1, [['old', 'new']]]);
    const [first, second] = endsFirst === 'old' ? [before, after] : [after, before];
    exposure.release(first);
    expect([exposure.of('S'), exposure.total]).toEqual([1, 1]);
    exposure.release(second);
    expect([exposure.of('S'), exposure.total]).toEqual([0, 0]);
  }
});

test("the place of an order that has ended is nobody's", () => {
  const exposure = new Exposure();
  const ended = holder('ended');
  exposure.take(ended);
  exposure.release(ended);
  exposure.take(holder('new'), ended);
  expect([exposure.of('S'), exposure.shared()]).toEqual([1, []]);
});

test('an order that takes two seats, or gives one up twice, stops the transaction', () => {
  const exposure = new Exposure();
  const order = holder('a');
  exposure.take(order);
  expect(() => exposure.take(order)).toThrow('bug in the bridge');
  exposure.release(order);
  expect(() => exposure.release(order)).toThrow('bug in the bridge');
});

describe('one MassQuote and the limit of open orders:', () => {
  const entries = (count: number, symbol = 'BTC-USDC') =>
    Array.from({ length: count }, (_, index) => entry(`e${index}`, symbol, '10x1', '20x1'));

  test('a group that does not fit goes out not at all', () => {
    const core = new TradingCore({ session: { maxOpenOrders: 5 } });
    core.quote('Q', { s: entries(20) });
    expect([core.sent.length, core.orders.openCount]).toEqual([0, 0]);
    expect(core.answers).toMatchObject([
      { status: 'rejected', denial: { refusal: { name: 'bridge.limit' } } },
    ]);
  });

  test('groups take what is left, one after the other', () => {
    const core = new TradingCore({ account: { maxOpenOrders: 5 } });
    core.quote('Q', { s: [...entries(2), ...entries(1, 'ETH-USDC')] });
    expect([core.sent.length, core.orders.openCount]).toEqual([1, 4]);
  });

  test('quotes at the limit are requoted, and the limit holds while old and new are under way', () => {
    const core = new TradingCore({ session: { maxOpenOrders: 2 } });
    core.quote('Q1', { s: entries(1) });
    core.settle();
    for (const side of ['B', 'S']) core.show(`Q1.s.e0.${side}`);
    core.quote('Q2', { s: [entry('e0', 'BTC-USDC', '11x1', '21x1')] });
    expect([core.sent.length, core.orders.openOf('S')]).toEqual([1, 2]);
    expect(core.order('D', 'Bid', '10x1')?.denial.refusal.name).toBe('bridge.limit');
    core.settle(denied('post_only_would_cross'));
    expect(core.orders.openOf('S')).toBe(2);
    expect(core.answers.at(-1)).toMatchObject({ quoteId: 'Q2', status: 'rejected' });
  });
});

test('a refusal by the account leaves the rate of the session as it was', () => {
  const core = new TradingCore({ session: { ordersPerSecond: 1 }, account: { maxOrderQty: '5' } });
  expect(core.order('A', 'Bid', '10x6')?.denial.refusal.name).toBe('bridge.limit');
  expect(core.order('B', 'Bid', '10x5')).toBeUndefined();
});

/** A small generator, so that a seed is all that a run needs. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Orders, quotes, answers and events in any order. What the venue may have is never more than the limit. */
test.each([1, 2, 3, 4, 5, 6, 7, 8])('seed %i: no order of events exceeds the limit', (seed) => {
  const limit = 4;
  const core = new TradingCore({ session: { maxOpenOrders: limit } });
  const random = randomFrom(seed);
  const price = () => `${5 + random(10)}x1`;
  for (let n = 0; n < 400; n += 1) {
    const dice = random(10);
    if (dice < 2) core.order(`o${n}`, 'Bid', price());
    else if (dice < 5) {
      const sides = () => (random(3) === 0 ? null : price());
      core.quote(`q${n}`, { s: [entry(`e${random(3)}`, 'BTC-USDC', sides(), sides())] });
    } else if (dice < 8)
      core.settleOne(random, random(4) === 0 ? denied('order_not_open') : 'accepted');
    else core.happen(random);
    expect(core.atVenue.size).toBeLessThanOrEqual(limit);
    expect(core.orders.openOf('S')).toBeLessThanOrEqual(limit);
    const seats = new Map([...core.orders.open()].map(({ owner }) => [owner.key, owner.key]));
    for (const [first = '', ...rest] of core.orders.state().sharedSeats ?? []) {
      for (const key of rest) seats.set(key, first);
    }
    expect(core.orders.openOf('S')).toBe(new Set(seats.values()).size);
  }
  expect([...core.orders.all()].some(hasEnded)).toBe(true);
});
