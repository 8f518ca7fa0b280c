import { expect, test } from 'vitest';
import type { Account, Price, Qty } from '../../src/domain/units.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Action } from '../../src/signer/action.ts';
import { type Policy, PolicyGuard } from '../../src/signer/policy.ts';
import { cancel, envelope, openPolicy, spot } from './signer-samples.ts';

const clock = new ManualClock();
const check = (policy: Partial<Policy>, action: Action = spot()) =>
  new PolicyGuard({ ...openPolicy, ...policy }, clock.now()).check(
    envelope(1, action),
    clock.now(),
  );

test('an action within the policy passes', () => {
  expect(check({})).toBeUndefined();
});

test('R32: an envelope with a nonce reservation is never signed', () => {
  const guard = new PolicyGuard(openPolicy, clock.now());
  const reserved = { ...envelope(1), nonce_reservation_id: 'res-1' };
  expect(guard.check(reserved, clock.now())?.text).toContain('reservation');
});

test.each([
  ['another account', { accounts: new Set<Account>() }, spot(), 'policy', 'account 0x11'],
  ['another action', { actions: new Set(['Cancel' as const]) }, spot(), 'policy', 'SpotPlaceOrder'],
  ['another market', { markets: new Map([[2, 500n]]) }, spot(), 'policy', 'market 1'],
  ['too large a notional', { markets: new Map([[1, 499n]]) }, spot(), 'policy', '500 is over 499'],
  [
    'no price under a limit',
    { markets: new Map([[1, 499n]]) },
    spot(0n, 9n),
    'policy',
    'no notional',
  ],
  ['an ended delegation', { expiresAtMs: clock.now().wallMs }, cancel, 'expired', 'has ended'],
] as const)('%s is refused', (_what, policy, action, code, text) => {
  const refused = check(policy as Partial<Policy>, action as Action);
  expect(refused?.code).toBe(code);
  expect(refused?.text).toContain(text);
});

test('notional is exact where a float would not be', () => {
  const markets = new Map([[1, (2n ** 53n - 1n) * (2n ** 53n - 1n)]]);
  expect(check({ markets }, spot(2n ** 53n - 1n, 2n ** 53n - 1n))).toBeUndefined();
  const less = new Map([[1, (2n ** 53n - 1n) * (2n ** 53n - 1n) - 1n]]);
  expect(check({ markets: less }, spot(2n ** 53n - 1n, 2n ** 53n - 1n))?.code).toBe('policy');
});

test('each leg of a quote replace is held to the limit, legs that only cancel are not', () => {
  const {
    kind: _kind,
    market: _market,
    ...terms
  } = spot() as Extract<Action, { kind: 'SpotPlaceOrder' }>;
  const legs = (qty: bigint) => [
    { cancel_order_id: null, ...terms },
    { cancel_order_id: null, ...terms, price: 10_000n as Price, qty: qty as Qty },
  ];
  const quote = (qty: bigint) =>
    ({ kind: 'SpotQuoteReplace', market: 1, legs: legs(qty) }) as unknown as Action;
  const markets = new Map([[1, 500n]]);
  expect(check({ markets }, quote(0n))).toBeUndefined();
  expect(check({ markets }, quote(1n))?.code).toBe('policy');
});

test('placements are limited by rate and come back with time, cancels always pass', () => {
  const limited = { ...openPolicy, placementsPerSecond: 2, burst: 2 };
  const guard = new PolicyGuard(limited, clock.now());
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
