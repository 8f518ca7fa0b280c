import { expect, test } from 'vitest';
import { LimitsInForce } from './limits-in-force.ts';

const loose = { maxOpenOrders: 20, maxOrderQty: 250, maxNotional: undefined, collarBps: 100 };
const tight = { maxOpenOrders: 3, maxOrderQty: 15, maxNotional: 900, collarBps: 50 };
const refusal = (text: string, qty = '20') =>
  [
    ['9102', 'bridge.limit'],
    ['58', text],
    ['38', qty],
  ] as const;

test('until all is at rest the looser limits count, then the present ones, and what is open may stay', () => {
  const limits = new LimitsInForce(new Map([['ALPHA', loose]]));
  limits.change('ALPHA', tight);
  expect(limits.of('ALPHA')).toEqual(loose);
  limits.rest(() => 5);
  expect(limits.of('ALPHA')).toEqual({ ...tight, maxOpenOrders: 5 });
  limits.rest(() => 0);
  expect(limits.of('ALPHA')).toEqual(tight);
  expect(limits.of('BRAVO')).toBeUndefined();
});

test('a refusal is true where it names a limit that counts and that the order exceeds', () => {
  const limits = new LimitsInForce(new Map([['desk-a', loose]]));
  const isTrue = (...said: Parameters<typeof refusal>) =>
    limits.untruth(refusal(...said)) === undefined;
  expect(isTrue('account desk-a: OrderQty(38) is above 15')).toBe(false);
  limits.change('desk-a', tight);
  expect(isTrue('account desk-a: OrderQty(38) is above 15')).toBe(true);
  expect(isTrue('account desk-a: OrderQty(38) is above 15', '15')).toBe(false);
  expect(isTrue('account desk-a: notional is above 900')).toBe(true);
  expect(isTrue('account desk-a: notional is above 901')).toBe(false);
  expect(isTrue('account desk-a: Price(44) is more than 50 bps through the market')).toBe(true);
  expect(isTrue('account desk-a: 3 open orders, at most 3')).toBe(true);
  expect(isTrue('account desk-a: 2 open orders, at most 3')).toBe(false);
  expect(isTrue('account desk-a: 2 open orders and 2 more, at most 3')).toBe(true);
  expect(isTrue('another reason')).toBe(true);
});
