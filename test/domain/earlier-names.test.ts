import { expect, test } from 'vitest';
import { underTodaysNames } from '../../src/domain/earlier-names.ts';

test('an order, a request in flight and what was sent name the venue request as they do today', () => {
  const earlier = { actionHash: '0x1', pending: { actionHash: null, qty: 3n }, fills: [] };
  expect(underTodaysNames([earlier])).toEqual([
    { venueRef: '0x1', pending: { venueRef: null, qty: 3n }, fills: [] },
  ]);
});

test('a denial says whether its request is spent, and nothing else is renamed', () => {
  const refusal = { name: 'fok_not_filled' };
  expect(underTodaysNames({ denial: { refusal, nonceConsumed: false }, nonceConsumed: 1 })).toEqual(
    { denial: { refusal, isSpent: false }, nonceConsumed: 1 },
  );
});

test('what was not an object stays as it is', () => {
  for (const value of [null, 7n, 'actionHash', true]) expect(underTodaysNames(value)).toBe(value);
});
