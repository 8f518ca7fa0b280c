/** Checked reading of the venue's JSON values. */
import { describe, expect, test } from 'vitest';
import {
  account,
  amount,
  flag,
  integer,
  isObject,
  list,
  membersOf,
  natural,
  object,
  oneOf,
  optional,
  orderId,
  signedAmount,
  text,
  time,
  WireError,
} from '../../src/venue/wire-value.ts';

test('amounts are exact to 2^53-1 and refused beyond it', () => {
  expect(amount(9_007_199_254_740_991, 'a')).toBe(9_007_199_254_740_991n);
  expect(signedAmount(-9_007_199_254_740_991, 'a')).toBe(-9_007_199_254_740_991n);
  expect(() => amount(JSON.parse('9007199254740993'), 'a')).toThrow(WireError);
});

describe('what has another form is refused with its place', () => {
  const refusals: [string, () => unknown, RegExp][] = [
    [
      'a fraction',
      () => integer(0.5, 'x.y'),
      /^x\.y: must be an integer within 2\^53-1, not 0\.5$/,
    ],
    ['digits in a string', () => integer('5', 'x'), /not "5"$/],
    ['a missing member', () => natural(undefined, 'x'), /not missing$/],
    ['a time in microseconds', () => time(1.8e15, 'x'), /before the year 10000 in ms/],
    ['a negative count', () => natural(-1, 'x'), /must not be negative, but is -1$/],
    ['a number for a text', () => text(5, 'x'), /must be a string/],
    ['a text without end', () => text('x'.repeat(4097), 'x'), /at most 4096/],
    ['a number for a flag', () => flag(1, 'x'), /must be true or false, not 1$/],
    ['a short order id', () => orderId(`0x${'a'.repeat(63)}`, 'x'), /64 lowercase hex/],
    ['an account in capitals', () => account(`0x${'A'.repeat(40)}`, 'x'), /40 lowercase hex/],
    ['another word', () => oneOf(['a', 'b'])('c', 'x'), /must be one of a, b, not "c"$/],
    ['an object for a list', () => list({}, 'x', 5), /at most 5, not an object$/],
    ['a list that is too long', () => list([1, 2, 3], 'x', 2), /at most 2, not a list of 3$/],
    ['a list for an object', () => object([], 'x'), /must be an object, not a list of 0$/],
    ['a member, under its own name', () => membersOf({ a: 1 }, 'outer')('a', flag), /^outer\.a: /],
  ];
  test.each(refusals)('%s', (_, read, message) => {
    expect(read).toThrow(message);
  });
});

test('null and missing are null where a value is optional, and nothing else is', () => {
  const maybe = optional(natural);
  expect([maybe(null, 'x'), maybe(undefined, 'x'), maybe(0, 'x')]).toEqual([null, null, 0]);
  expect(() => maybe('', 'x')).toThrow(WireError);
  expect([isObject(null), isObject([]), isObject({})]).toEqual([false, false, true]);
});
