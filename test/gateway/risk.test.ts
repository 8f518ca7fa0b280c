import { describe, expect, test } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { Terms } from '../../src/domain/terms.ts';
import type { MarketId, Price, Qty, Side } from '../../src/domain/units.ts';
import type { RiskLimits } from '../../src/gateway/config.ts';
import { RiskGuard } from '../../src/gateway/risk.ts';

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
  return { terms, instrument, reference: reference as Price | null, openOrders, nowMs };
}

const check = (limits: RiskLimits, asked: ReturnType<typeof question>) =>
  new RiskGuard('session ALPHA', limits).check(asked)?.text;

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
    expect(check({ maxOpenOrders: 3 }, question({ openOrders: 3 }))).toContain('3 open orders');
  });
});

test('a price collar without a market price refuses', () => {
  const guard = new RiskGuard('session ALPHA', { priceCollarBps: 100 });
  const denial = guard.check(question({ reference: null }));
  expect(denial?.refusal.code).toBe('bridge.no_reference_price');
});

test('orders beyond the rate are throttled with 101 until a second has passed', () => {
  const guard = new RiskGuard('account desk-a', { ordersPerSecond: 2 });
  expect(guard.check(question({ nowMs: 0 }))).toBeUndefined();
  expect(guard.check(question({ nowMs: 10 }))).toBeUndefined();
  expect(guard.check(question({ nowMs: 999 }))?.refusal.number).toBe(101);
  expect(guard.check(question({ nowMs: 1000 }))).toBeUndefined();
});

test('each order makes room again when it is a second old, one by one', () => {
  const guard = new RiskGuard('account desk-a', { ordersPerSecond: 3, maxDuplicatesPerSecond: 3 });
  const passes = (nowMs: number) => guard.check(question({ nowMs })) === undefined;
  expect([0, 400, 800, 900, 1000, 1001, 1400, 1401, 1799, 1800, 5000].map(passes)).toEqual([
    ...[true, true, true, false, true, false, true, false, false, true, true],
  ]);
});

test('a runaway client that repeats one order is stopped, another order passes', () => {
  const guard = new RiskGuard('session ALPHA', { maxDuplicatesPerSecond: 1 });
  expect(guard.check(question())).toBeUndefined();
  expect(guard.check(question({ nowMs: 5 }))?.text).toContain('alike');
  expect(guard.check(question({ nowMs: 5, qty: 1n }))).toBeUndefined();
  expect(guard.check(question({ nowMs: 1005 }))).toBeUndefined();
});
