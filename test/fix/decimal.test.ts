import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal, toAtoms } from '../../src/domain/units.ts';
import { decimalText } from '../../src/fix/decimal.ts';

test('R94: what is written is read as the same atoms at every scale', () => {
  const value = fc.bigInt({ min: -(2n ** 64n) + 1n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 18 }), (exact, scale) => {
      const read = parseDecimal(decimalText(exact, scale));
      expect(read && toAtoms(read, scale)).toBe(exact);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  [115n, 2, '1.15'],
  [100n, 2, '1'],
  [0n, 8, '0'],
  [5n, 3, '0.005'],
  [-25n, 2, '-0.25'],
  [120n, 0, '120'],
])('%s atoms of scale %i are written %s', (exact, scale, text) => {
  expect(decimalText(exact, scale)).toBe(text);
});
