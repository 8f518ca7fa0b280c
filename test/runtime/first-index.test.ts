import fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstIndex } from '../../src/runtime/first-index.ts';

test('the first index that is reached is found in an ordered list, or else its length', () => {
  const list = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 20 });
  fc.assert(
    fc.property(list, fc.integer({ min: -1, max: 31 }), (numbers, wanted) => {
      const ordered = numbers.toSorted((a, b) => a - b);
      const expected = ordered.filter((number) => number < wanted).length;
      const found = firstIndex(ordered.length, (index) => (ordered[index] ?? 0) >= wanted);
      expect(found).toBe(expected);
    }),
  );
});
