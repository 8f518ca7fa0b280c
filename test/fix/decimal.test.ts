import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalAtoms, decimalText } from '../../src/fix/decimal.ts';

const atoms = (text: string, scale: number) => {
  const bytes = Buffer.from(`x${text}x`);
  return decimalAtoms(bytes, 1, bytes.length - 1, scale);
};

test.each([
  ['1', 0, 1n],
  ['1.15', 2, 115n],
  ['1.15', 8, 115_000_000n],
  ['0.1', 1, 1n],
  ['.5', 1, 5n],
  ['5.', 1, 50n],
  ['-0.25', 2, -25n],
  ['-0', 2, 0n],
  ['00023.500', 1, 235n],
  ['1.1500000000', 2, 115n],
  ['9007199254740993', 0, 9_007_199_254_740_993n],
  ['184467440737.09551615', 8, 18_446_744_073_709_551_615n],
  ['0.000000000000000000', 18, 0n],
  ['123', 18, 'range'],
  ['0.000000000000000123', 18, 123n],
  ['18446744073709551616', 0, 'range'],
  ['-18446744073709551616', 0, 'range'],
  ['99999999999999999999999999999999999999999999999999', 0, 'range'],
  ['1', 60, 'range'],
  ['1.151', 2, 'precision'],
  ['0.00000001', 7, 'precision'],
  ['', 2, 'format'],
  ['-', 2, 'format'],
  ['.', 2, 'format'],
  ['-.', 2, 'format'],
  ['1.2.3', 4, 'format'],
  ['1e5', 4, 'format'],
  ['+1', 4, 'format'],
  ['1,000', 4, 'format'],
  ['NaN', 4, 'format'],
  [' 1', 4, 'format'],
  ['--1', 4, 'format'],
])('%s at scale %i is %s', (text, scale, expected) => {
  expect(atoms(text, scale)).toBe(expected);
});

test('R94: text and atoms are inverse at every scale, up to 64 bits', () => {
  const value = fc.bigInt({ min: -(2n ** 64n) + 1n, max: 2n ** 64n - 1n });
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 18 }), (exact, scale) => {
      expect(atoms(decimalText(exact, scale), scale)).toBe(exact);
    }),
    { numRuns: 2000 },
  );
});

test('zeros before and behind change nothing', () => {
  const value = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
  const zeros = fc.integer({ min: 0, max: 30 });
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 12 }), zeros, zeros, (exact, scale, a, b) => {
      const text = decimalText(exact, scale);
      const dotted = text.includes('.') ? text : `${text}.`;
      expect(atoms(`${'0'.repeat(a)}${dotted}${'0'.repeat(b)}`, scale)).toBe(exact);
    }),
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
