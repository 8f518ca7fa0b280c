import { expect, test } from 'vitest';
import { entryOf } from '../../src/runtime/entry-of.ts';

test('a missing value is made once and kept, and one that is there stays', () => {
  const map = new Map([['here', [1]]]);
  let count = 0;
  const make = () => {
    count += 1;
    return [];
  };
  const made = entryOf(map, 'missing', make);
  expect(entryOf(map, 'missing', make)).toBe(made);
  expect(entryOf(map, 'here', make)).toEqual([1]);
  expect(count).toBe(1);
});
