import { expect, test } from 'vitest';
import { exactJson, parseExactJson } from '../../src/domain/exact-json.ts';

test('amounts beyond what a float holds come back exact, at any depth', () => {
  const value = { qty: 2n ** 64n - 1n, legs: [{ price: -3n }], text: 'a', none: null, count: 7 };
  expect(parseExactJson(exactJson(value))).toEqual(value);
});
