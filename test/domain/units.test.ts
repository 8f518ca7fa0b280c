/** Exact decimals (contract C.12). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  averageDigits,
  averagePrice,
  formatAtoms,
  maxU64,
  parseDecimal,
  tenTo,
  toAtoms,
} from '../../src/domain/units.ts';

const atoms = fc.bigInt({ min: -maxU64, max: maxU64 });
const scale = fc.integer({ min: 0, max: 18 });

describe('decimals', () => {
  test('R94: what is written out reads back as the same atoms, at any scale', () => {
    fc.assert(
      fc.property(atoms, scale, (value, digits) => {
        const decimal = parseDecimal(formatAtoms(value, digits));
        expect(decimal && toAtoms(decimal, digits)).toBe(value);
      }),
    );
  });

  test('R94: the text is the shortest: no exponent, no zero at the end', () => {
    fc.assert(
      fc.property(atoms, scale, (value, digits) => {
        expect(formatAtoms(value, digits)).toMatch(/^-?(0|[1-9]\d*)(\.\d*[1-9])?$/);
      }),
    );
  });

  test.each([
    ['1.15', 2, 115n],
    ['1.15', 6, 1_150_000n],
    ['00.5', 1, 5n],
    ['.5', 1, 5n],
    ['5.', 0, 5n],
    ['-2.50', 1, -25n],
    ['1.1500', 2, 115n],
    ['0', 6, 0n],
  ])('R94: %s at scale %i is %i atoms', (text, digits, expected) => {
    const decimal = parseDecimal(text);
    expect(decimal && toAtoms(decimal, digits)).toBe(expected);
  });

  test.each([
    ['999999999999999', 999_999_999_999_999n, 0],
    ['9999999999999.99', 999_999_999_999_999n, 2],
    ['9007199254740993', 9_007_199_254_740_993n, 0],
    ['0.0000000000000000000001', 1n, 22],
    ['123456789012345678.901234567890', 123_456_789_012_345_678_901_234_567_890n, 12],
  ])(
    'R94: %s is exactly what it says, with more digits than a float has or fewer',
    (text, mantissa, digits) => {
      expect(parseDecimal(text)).toEqual({ mantissa, scale: digits });
    },
  );

  test('powers of ten are exact, also those that are seldom asked for', () => {
    for (const exponent of [0, 1, 18, 63, 64, 100]) {
      expect(tenTo(exponent)).toBe(BigInt(`1${'0'.repeat(exponent)}`));
    }
  });

  test.each([
    '',
    '.',
    '-',
    '+1',
    '1e3',
    '1E3',
    'NaN',
    'Infinity',
    '1,5',
    ' 1',
    '1 ',
    '0x1',
    '1.2.3',
    '٣',
  ])('R94: "%s" is no decimal', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  test('a decimal longer than any amount is refused unread', () => {
    expect(parseDecimal('9'.repeat(41))).toBeUndefined();
    expect(parseDecimal('9'.repeat(40))).toBeDefined();
  });

  test('R94: digits beyond the scale are never rounded away', () => {
    expect(toAtoms({ mantissa: 1151n, scale: 3 }, 2)).toBeUndefined();
  });
});

describe('average price', () => {
  test('rounds half to even at two digits more than the price', () => {
    expect(averagePrice(5n, 1000n)).toBe(0n);
    expect(averagePrice(15n, 1000n)).toBe(2n);
    expect(averagePrice(25n, 1000n)).toBe(2n);
    expect(averagePrice(35n, 1000n)).toBe(4n);
    expect(averagePrice(0n, 0n)).toBe(0n);
  });

  test('is never off by more than half of its last digit', () => {
    const amount = fc.bigInt({ min: 1n, max: maxU64 });
    fc.assert(
      fc.property(amount, amount, (notional, qty) => {
        const exact = notional * 10n ** BigInt(averageDigits);
        const error = averagePrice(notional, qty) * qty - exact;
        expect(2n * (error < 0n ? -error : error) <= qty).toBe(true);
      }),
    );
  });
});
