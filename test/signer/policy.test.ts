import { expect, test } from 'vitest';
import type { Account, Price, Qty } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Action, ActionEnvelope } from '../../src/signer/action.ts';
import { mostNotional } from '../../src/signer/digest-ledger.ts';
import {
  type Case,
  type MarketLimit,
  type Policy,
  PolicyGuard,
  stakesOf,
} from '../../src/signer/policy.ts';
import { cancel, envelope, openPolicy, spot } from './signer-samples.ts';

const clock = new ManualClock();
const caseOf = (of: ActionEnvelope, more: Partial<Case> = {}): Case => ({
  envelope: of,
  stakes: stakesOf(of.action),
  nowMs: clock.now().wallMs,
  delegatedUntilMs: null,
  paused: null,
  spent: (market) => ({ market, qty: { Bid: 0n, Ask: 0n }, notional: 0n }),
  highest: 0,
  ...more,
});
const check = (policy: Partial<Policy>, action: Action = spot(), more: Partial<Case> = {}) =>
  new PolicyGuard({ ...openPolicy, ...policy }).check(
    caseOf(envelope(1, action), { delegatedUntilMs: policy.expiresAtMs ?? null, ...more }),
    clock.now(),
  );

const huge = 2n ** 60n;
/** Of market 1. */
const limits = (limit: Partial<MarketLimit>) => ({
  markets: new Map([
    [
      1,
      {
        notional: huge * huge,
        qty: { Bid: huge, Ask: huge },
        price: { Bid: null, Ask: null },
        daily: { qty: { Bid: null, Ask: null }, notional: null },
        ...limit,
      },
    ],
  ]),
});
type Spot = Extract<Action, { kind: 'SpotPlaceOrder' }>;
const placing = (more: Partial<Spot>): Action => ({ ...(spot() as Spot), ...more });

test('an action within the policy passes', () => {
  expect(check({})).toBeUndefined();
});

test('R32: an envelope with a nonce reservation is never signed', () => {
  const guard = new PolicyGuard(openPolicy);
  const reserved = { ...envelope(1), nonce_reservation_id: 'res-1' };
  expect(guard.check(caseOf(reserved), clock.now())?.text).toContain('reservation');
});

test.each([
  ['another account', { accounts: new Set<Account>() }, spot(), 'policy', 'account 0x11'],
  ['another action', { actions: new Set(['Cancel' as const]) }, spot(), 'policy', 'SpotPlaceOrder'],
  ['another market', { markets: new Map() }, spot(), 'policy', 'market 1'],
  ['too large a notional', limits({ notional: 499n }), spot(), 'policy', '500 is over 499'],
  ['no price under a limit', limits({ notional: 499n }), spot(0n, 9n), 'policy', 'no notional'],
  ['an ended delegation', { expiresAtMs: clock.now().wallMs }, spot(), 'expired', 'has ended'],
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
  const ask = (action: Action) => guard.check(caseOf(envelope(1, action)), clock.now());
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
  const place = () => guard.check(caseOf(envelope(1)), clock.now());
  expect([place(), place()]).toEqual([undefined, undefined]);
  expect(place()?.code).toBe('rate');
  expect(guard.check(caseOf(envelope(1, cancel)), clock.now())).toBeUndefined();
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

const sideOf = (side: 'Bid' | 'Ask', price: bigint, more: Partial<Spot> = {}) =>
  placing({ side, price: price as Price, ...more });

test('a buy above the band and a sell below it are refused, better prices are not', () => {
  const band = limits({ price: { Bid: 60n, Ask: 40n } });
  expect(check(band, sideOf('Bid', 60n))).toBeUndefined();
  expect(check(band, sideOf('Bid', 61n))?.text).toBe('buy price 61 is over 60 in market 1');
  expect(check(band, sideOf('Bid', 1n))).toBeUndefined();
  expect(check(band, sideOf('Ask', 40n))).toBeUndefined();
  expect(check(band, sideOf('Ask', 39n))?.text).toBe('sell price 39 is under 40 in market 1');
  expect(check(band, sideOf('Ask', 1000n))).toBeUndefined();
});

test('a market order is not held to a price, so a band refuses it', () => {
  const band = limits({ price: { Bid: 60n, Ask: null } });
  const market = { is_market: true };
  expect(check(band, sideOf('Bid', 50n, market))?.text).toContain('keeps to no price');
  expect(check(band, sideOf('Ask', 50n, market))).toBeUndefined();
});

test('a day has a total by side and a notional, legs counted one by one', () => {
  const daily = { qty: { Bid: 30n, Ask: null }, notional: 2000n };
  const before = (Bid: bigint, notional: bigint) => ({
    spent: (market: number) => ({ market, qty: { Bid, Ask: 10n ** 30n }, notional }),
  });
  const bounds = limits({ daily });
  expect(check(bounds, spot(50n, 10n), before(20n, 1500n))).toBeUndefined();
  expect(check(bounds, spot(50n, 10n), before(21n, 0n))?.text).toBe(
    'Bid quantity 31 is over 30 in market 1 today',
  );
  expect(check(bounds, spot(50n, 10n), before(0n, 1501n))?.text).toBe(
    'notional 2001 is over 2000 in market 1 today',
  );
  const quote = quoteOf({}, {}, { side: 'Ask' });
  expect(check(bounds, quote, before(10n, 500n))).toBeUndefined();
  expect(check(bounds, quote, before(11n, 500n))?.code).toBe('policy');
  expect(check(bounds, quote, before(10n, 501n))?.code).toBe('policy');
});

test('a sell counts with the price that the signer holds, so a low price does not hide it', () => {
  const bounds = limits({
    price: { Bid: null, Ask: 40n },
    daily: { qty: { Bid: null, Ask: null }, notional: 399n },
  });
  expect(check(bounds, sideOf('Ask', 40n))?.text).toContain('notional 400 is over 399');
});

test('a nonce far above all others is refused, whatever it places', () => {
  const check = (nonce: number, highest: number | null, knownNonce: number | null = null) =>
    new PolicyGuard({ ...openPolicy, maxNonceJump: 100, knownNonce }).check(
      caseOf(envelope(nonce), { highest }),
      clock.now(),
    )?.text;
  expect(check(1100, 1000)).toBeUndefined();
  expect(check(1101, 1000)).toBe('nonce 1101 is 101 above all others, more than 100');
  // The first nonce of an account is bounded by the nonce that a person has looked up.
  expect(check(1101, -1)).toBeUndefined();
  expect(check(1101, -1, 1000)).toBe('nonce 1101 is 101 above all others, more than 100');
  expect(check(1100, -1, 1000)).toBeUndefined();
  expect(check(1200, 1100, 1000)).toBeUndefined();
  // It also moves the bound where another writer has used many nonces.
  expect(check(1200, 500, 1100)).toBeUndefined();
  expect(check(1101, null, 1000)).toBeUndefined();
});

test('cancels are signed while placements are paused, after the delegation, and where no action is allowed', () => {
  const closed = { actions: new Set<never>(), expiresAtMs: 0, markets: new Map() };
  expect(check(closed, cancel, { paused: 'why' })).toBeUndefined();
  const paused = check({}, spot(), { paused: 'unexplained fills' });
  expect(paused).toEqual({ code: 'paused', text: 'placements are paused: unexplained fills' });
});

test('what was signed before is signed again without a rate or a limit, but not while paused', () => {
  const guard = new PolicyGuard({ ...openPolicy, markets: new Map(), burst: 1 });
  expect(guard.checkAgain(caseOf(envelope(1)))).toBeUndefined();
  expect(guard.checkAgain(caseOf(envelope(1), { paused: 'why' }))?.code).toBe('paused');
});

test('every rule of the policy is explained, with its problem where it has one', () => {
  const rows = new PolicyGuard({ ...openPolicy, ...limits({ notional: 499n }) }).explain(
    caseOf(envelope(1)),
  );
  expect(rows.filter(({ problem }) => problem !== undefined)).toEqual([
    { rule: 'notional', problem: 'notional 500 is over 499 in market 1' },
  ]);
  expect(rows.length).toBeGreaterThan(10);
});

test.each([
  ['no limit for a market', {}],
  ['no limit for a day', limits({})],
  ['a limit beyond it', limits({ daily: { qty: { Bid: null, Ask: null }, notional: 2n ** 200n } })],
])('with %s, a total that the ledger cannot count is refused, and a cancel passes', (_, policy) => {
  const before = (notional: bigint) => ({
    spent: (market: number) => ({ market, qty: { Bid: 0n, Ask: 0n }, notional }),
  });
  expect(check(policy, spot(), before(mostNotional - 500n))).toBeUndefined();
  expect(check(policy, spot(), before(mostNotional - 499n))).toEqual({
    code: 'policy',
    text: `notional ${2n ** 128n} is more than the ledger can count in market 1 today`,
  });
  expect(check(policy, cancel, before(2n * mostNotional))).toBeUndefined();
});
