import { expect, test } from 'vitest';
import type { Account, Price, Qty } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Action } from '../../src/signer/action.ts';
import { type MarketLimit, type Policy, PolicyGuard } from '../../src/signer/policy.ts';
import { cancel, envelope, openPolicy, spot } from './signer-samples.ts';

const clock = new ManualClock();
const check = (policy: Partial<Policy>, action: Action = spot()) =>
  new PolicyGuard({ ...openPolicy, ...policy }).check(envelope(1, action), clock.now());

const huge = 2n ** 60n;
/** Of market 1. */
const limits = (limit: Partial<MarketLimit>) => ({
  markets: new Map([[1, { notional: huge * huge, qty: { Bid: huge, Ask: huge }, ...limit }]]),
});
type Spot = Extract<Action, { kind: 'SpotPlaceOrder' }>;
const placing = (more: Partial<Spot>): Action => ({ ...(spot() as Spot), ...more });

test('an action within the policy passes', () => {
  expect(check({})).toBeUndefined();
});

test('R32: an envelope with a nonce reservation is never signed', () => {
  const guard = new PolicyGuard(openPolicy);
  const reserved = { ...envelope(1), nonce_reservation_id: 'res-1' };
  expect(guard.check(reserved, clock.now())?.text).toContain('reservation');
});

test.each([
  ['another account', { accounts: new Set<Account>() }, spot(), 'policy', 'account 0x11'],
  ['another action', { actions: new Set(['Cancel' as const]) }, spot(), 'policy', 'SpotPlaceOrder'],
  ['another market', { markets: new Map() }, spot(), 'policy', 'market 1'],
  ['too large a notional', limits({ notional: 499n }), spot(), 'policy', '500 is over 499'],
  ['no price under a limit', limits({ notional: 499n }), spot(0n, 9n), 'policy', 'no notional'],
  ['an ended delegation', { expiresAtMs: clock.now().wallMs }, cancel, 'expired', 'has ended'],
] as const)('%s is refused', (_what, policy, action, code, text) => {
  const refused = check(policy as Partial<Policy>, action as Action);
  expect(refused?.code).toBe(code);
  expect(refused?.text).toContain(text);
});

test('notional is exact where a float would not be', () => {
  const exact = limits({ notional: (2n ** 53n - 1n) * (2n ** 53n - 1n) });
  expect(check(exact, spot(2n ** 53n - 1n, 2n ** 53n - 1n))).toBeUndefined();
  const less = limits({ notional: (2n ** 53n - 1n) * (2n ** 53n - 1n) - 1n });
  expect(check(less, spot(2n ** 53n - 1n, 2n ** 53n - 1n))?.code).toBe('policy');
});

const quoteOf = (...legs: readonly Partial<Spot>[]) => {
  const { kind: _kind, market: _market, ...terms } = spot() as Spot;
  const whole = legs.map((leg) => ({ cancel_order_id: null, ...terms, ...leg }));
  return { kind: 'SpotQuoteReplace', market: 1, legs: whole } as unknown as Action;
};

test('each leg of a quote replace is held to the limit, legs that only cancel are not', () => {
  const quote = (qty: bigint) => quoteOf({}, { price: 10_000n as Price, qty: qty as Qty });
  expect(check(limits({ notional: 500n }), quote(0n))).toBeUndefined();
  expect(check(limits({ notional: 500n }), quote(1n))?.code).toBe('policy');
});

test.each([
  ['a sell at a price of one atom', placing({ side: 'Ask' })],
  ['a market order to sell', placing({ side: 'Ask', is_market: true })],
  ['a market order to buy at a price of one atom', placing({ side: 'Bid', is_market: true })],
  ['a leg that sells', quoteOf({ side: 'Ask' })],
  [
    'an algo order that sells',
    {
      ...{ kind: 'PlaceAlgoOrder', market: 1, book: null, side: 'Ask', time_in_force: 'gtc' },
      strategy: { kind: 'twap' },
    } as unknown as Action,
  ],
  [
    'a stop that sells',
    {
      ...{ kind: 'PlaceConditionalOrder', market: 1, side: 'Ask' },
      signed_trigger_order: { payload: envelope(1) },
    } as unknown as Action,
  ],
])('%s is held to the quantity of its side, whatever its price says', (_what, action) => {
  const sized = (size: bigint): Action => {
    const [price, qty] = [1n as Price, size as Qty];
    const legs = 'legs' in action && action.legs.map((leg) => ({ ...leg, price, qty }));
    const own = { price, qty, total_qty: qty, limit_price: price };
    return { ...action, ...own, ...(legs && { legs }) } as Action;
  };
  const [side] = 'legs' in action ? action.legs.map((leg) => leg.side) : [(action as Spot).side];
  const bounds = limits({ qty: { Bid: 0n, Ask: 0n, [side ?? 'Bid']: 1000n } });
  expect(check(bounds, sized(1000n))).toBeUndefined();
  const refused = check(bounds, sized(1001n));
  expect(refused).toEqual({
    code: 'policy',
    text: `${side} quantity 1001 is over 1000 in market 1`,
  });
});

test('each leg that places counts against the rate, and a quote larger than the burst is never signed', () => {
  const limited = { ...openPolicy, placementsPerSecond: 4, burst: 4 };
  const guard = new PolicyGuard(limited);
  const ask = (action: Action) => guard.check(envelope(1, action), clock.now());
  const cancelOnly = { qty: 0n as Qty };
  expect(ask(quoteOf({}, {}, {}, cancelOnly))).toBeUndefined();
  expect(ask(quoteOf({}, {}))?.code).toBe('rate');
  expect(ask(quoteOf({}))).toBeUndefined();
  expect(ask(quoteOf(cancelOnly))).toBeUndefined();
  clock.advance(1_000);
  expect(ask(quoteOf({}, {}, {}, {}))).toBeUndefined();
  clock.advance(10_000);
  expect(ask(quoteOf({}, {}, {}, {}, {}))).toEqual({
    code: 'policy',
    text: '5 placements in one action are more than the burst of 4',
  });
});

test('placements are limited by rate and come back with time, cancels always pass', () => {
  const limited = { ...openPolicy, placementsPerSecond: 2, burst: 2 };
  const guard = new PolicyGuard(limited);
  const place = () => guard.check(envelope(1), clock.now());
  expect([place(), place()]).toEqual([undefined, undefined]);
  expect(place()?.code).toBe('rate');
  expect(guard.check(envelope(1, cancel), clock.now())).toBeUndefined();
  clock.advance(500);
  expect(place()).toBeUndefined();
  expect(place()?.code).toBe('rate');
});

test('a nested trigger order of another account is refused', () => {
  const nested = { ...envelope(1), account: `0x${'2'.repeat(40)}` };
  const outer = {
    kind: 'PlaceConditionalOrder',
    market: 1,
    qty: 1n,
    limit_price: 1n,
    signed_trigger_order: { payload: nested },
  } as unknown as Action;
  expect(check({}, outer)?.text).toContain('nested order is for 0x22');
});
