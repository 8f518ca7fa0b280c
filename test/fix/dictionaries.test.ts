import { expect, test } from 'vitest';
import { causeway44, fix44 } from '../../src/fix/dictionaries.ts';

test('each dictionary is compiled once', () => {
  expect(fix44()).toBe(fix44());
  expect(causeway44()).toBe(causeway44());
  expect(fix44()).not.toBe(causeway44());
});
