import { describe, expect, test } from 'vitest';
import type { Denial } from '../../../src/domain/denial.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import type { Terms } from '../../../src/domain/terms.ts';
import type { MarketId, Price, Qty, Side } from '../../../src/domain/units.ts';
import type { Config, RiskLimits } from '../../../src/gateway/config/config.ts';
import { limitsOf, RiskGuard } from '../../../src/gateway/gate/risk.ts';

const market = {
  marketId: 1 as MarketId,
  kind: 'spot',
  symbol: 'BTC-USDC',
  base: 'BTC',
  quote: 'USDC',
  status: 'open',
  priceScale: 6,
  qtyScale: 8,
  tick: 10_000n as Price,
  lot: 1_000n as Qty,
  minNotional: 1_000_000n as Price,
  maxQty: (10n ** 12n) as Qty,
  expiryMs: null,
} as const;
const instrument: Instrument = { market, book: null, symbol: 'BTC-USDC', securityId: '1' };

/** 1 BTC at 50,000 USDC unless said otherwise. */
function question({
  side = 'Bid' as Side,
  price = 50_000_000_000n,
  qty = 100_000_000n,
  reference = 50_000_000_000n as bigint | null,
  openOrders = 0,
  nowMs = 0,
} = {}) {
  const terms: Terms = {
    side,
    ordType: 'limit',
    lifetime: 'gtc',
    qty: qty as Qty,
    price: price as Price,
    limitPrice: price as Price,
    timeInForce: 'gtc',
    expiresAtMs: null,
    cancelAtMs: null,
    isMarket: false,
    reduceOnly: false,
    stp: null,
    strategy: null,
    trigger: null,
  };
  const places = [{ terms, instrument, reference: reference as Price | null }];
  return { places, seats: 1, open: () => openOrders, nowMs };
}

/** An order that is let through goes out, and counts. */
function checkBy(guard: RiskGuard, asked: ReturnType<typeof question>): Denial | undefined {
  const denial = guard.refusal(asked);
  if (denial === undefined) for (const place of asked.places) guard.count(place, asked.nowMs);
  return denial;
}

const check = (limits: RiskLimits, asked: ReturnType<typeof question>) =>
  checkBy(new RiskGuard('session ALPHA', limits), asked)?.text;

describe('an order is let through up to its limit and refused beyond it:', () => {
  test('quantity', () => {
    expect(check({ maxOrderQty: '1' }, question())).toBeUndefined();
    expect(check({ maxOrderQty: '1' }, question({ qty: 100_000_001n }))).toBe(
      'session ALPHA: OrderQty(38) is above 1',
    );
  });

  test('notional, exactly', () => {
    expect(check({ maxNotional: '50000' }, question())).toBeUndefined();
    expect(check({ maxNotional: '49999.999999' }, question())).toContain('notional');
  });

  test('price against the market, on the side that hurts only', () => {
    const limits = { priceCollarBps: 100 };
    expect(check(limits, question({ price: 50_500_000_000n }))).toBeUndefined();
    expect(check(limits, question({ price: 50_500_000_001n }))).toContain('100 bps');
    expect(check(limits, question({ price: 1n }))).toBeUndefined();
    expect(check(limits, question({ side: 'Ask', price: 49_500_000_000n }))).toBeUndefined();
    expect(check(limits, question({ side: 'Ask', price: 49_499_999_999n }))).toContain('100 bps');
  });

  test('open orders', () => {
    expect(check({ maxOpenOrders: 3 }, question({ openOrders: 2 }))).toBeUndefined();
    expect(check({ maxOpenOrders: 3 }, question({ openOrders: 3 }))).toContain(
      '3 open orders, at most 3',
    );
  });
});

test('a price collar without a market price refuses', () => {
  const guard = new RiskGuard('session ALPHA', { priceCollarBps: 100 });
  const denial = checkBy(guard, question({ reference: null }));
  expect(denial?.refusal.code).toBe('bridge.no_reference_price');
});

test('orders beyond the rate are throttled with 101 until a second has passed', () => {
  const guard = new RiskGuard('account desk-a', { ordersPerSecond: 2 });
  expect(checkBy(guard, question({ nowMs: 0 }))).toBeUndefined();
  expect(checkBy(guard, question({ nowMs: 10 }))).toBeUndefined();
  expect(checkBy(guard, question({ nowMs: 999 }))?.refusal.number).toBe(101);
  expect(checkBy(guard, question({ nowMs: 1000 }))).toBeUndefined();
});

test('each order makes room again when it is a second old, one by one', () => {
  const guard = new RiskGuard('account desk-a', { ordersPerSecond: 3, maxDuplicatesPerSecond: 3 });
  const passes = (nowMs: number) => checkBy(guard, question({ nowMs })) === undefined;
  expect([0, 400, 800, 900, 1000, 1001, 1400, 1401, 1799, 1800, 5000].map(passes)).toEqual([
    ...[true, true, true, false, true, false, true, false, false, true, true],
  ]);
});

test('a runaway client that repeats one order is stopped, another order passes', () => {
  const guard = new RiskGuard('session ALPHA', { maxDuplicatesPerSecond: 1 });
  expect(checkBy(guard, question())).toBeUndefined();
  expect(checkBy(guard, question({ nowMs: 5 }))?.text).toContain('alike');
  expect(checkBy(guard, question({ nowMs: 5, qty: 1n }))).toBeUndefined();
  expect(checkBy(guard, question({ nowMs: 1005 }))).toBeUndefined();
});

describe('orders that go out together', () => {
  const two = (second: Partial<Parameters<typeof question>[0]> = {}, seats = 2) => {
    const first = question();
    return { ...first, places: [...first.places, ...question(second).places], seats };
  };

  test('are refused where not all of them fit', () => {
    const open = (limits: RiskLimits, seats: number) =>
      new RiskGuard('session ALPHA', limits).refusal(two({ qty: 1n }, seats))?.text;
    expect(open({ maxOpenOrders: 2 }, 2)).toBeUndefined();
    expect(open({ maxOpenOrders: 1 }, 2)).toContain('0 open orders and 2 more, at most 1');
    expect(open({ ordersPerSecond: 2 }, 2)).toBeUndefined();
    expect(open({ ordersPerSecond: 1 }, 2)).toContain('more than 1 orders a second');
    expect(open({ maxDuplicatesPerSecond: 1 }, 2)).toBeUndefined();
  });

  test('may not be alike more often than one after the other', () => {
    const guard = new RiskGuard('session ALPHA', { maxDuplicatesPerSecond: 1 });
    expect(guard.refusal(two())?.text).toContain('alike');
  });

  test('add nothing where they take the place of others, even above a limit that was lowered', () => {
    const guard = new RiskGuard('session ALPHA', { maxOpenOrders: 1 });
    const open = () => 5;
    expect(guard.refusal({ ...question(), seats: 0, open })).toBeUndefined();
    expect(guard.refusal({ ...question(), seats: 1, open })?.refusal.name).toBe('bridge.limit');
  });
});

test('every session has the limits of all, except those that it states itself', () => {
  const config = { limits: { maxOpenOrders: 5, maxOrdersPerSecond: 9 } } as unknown as Config;
  expect(limitsOf(config, { maxOpenOrders: 2 } as RiskLimits)).toEqual({
    maxOpenOrders: 2,
    maxOrdersPerSecond: 9,
  });
});
