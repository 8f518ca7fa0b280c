import { expect, test } from 'vitest';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { toText } from '../support/fix-text.ts';

const written = (write: (writer: FieldWriter) => void) => {
  const writer = new FieldWriter(1);
  write(writer);
  return toText(writer.bytes);
};

test.each([
  [0n, 0, '0'],
  [0n, 8, '0'],
  [5n, 0, '5'],
  [5n, 3, '0.005'],
  [50n, 1, '5'],
  [115n, 2, '1.15'],
  [1_150_000n, 6, '1.15'],
  [10n ** 15n - 1n, 15, '0.999999999999999'],
  [10n ** 15n, 15, '1'],
  [7n, 17, '0.00000000000000007'],
  [2_147_483_648n, 0, '2147483648'],
  [123_456_789_012_345n, 12, '123.456789012345'],
  [-115n, 2, '-1.15'],
  [2n ** 64n, 8, '184467440737.09551616'],
])('%s atoms of scale %i are written %s', (atoms, scale, text) => {
  expect(written((to) => to.decimal(44, atoms, scale))).toBe(`44=${text}|`);
});

test.each([0, 9, 10, 12_345, -7, Number.MAX_SAFE_INTEGER])('the integer %d is written', (value) => {
  expect(written((to) => to.int(9101, value))).toBe(`9101=${value}|`);
});

test.each([1.5, Number.NaN, 2 ** 53])('%d is no integer, which is our mistake', (value) => {
  expect(() => new FieldWriter().int(34, value)).toThrow('not an integer');
});

test('a text cannot break out of its field', () => {
  expect(written((to) => to.text(58, 'a\x01448=evil\n\x00'))).toBe('58=a 448=evil  |');
  expect(written((to) => to.text(58, 'é\x01b'))).toBe('58=Ã© b|');
});

test('control characters beyond ASCII become spaces, too, because they are not text of FIX', () => {
  expect(written((to) => to.text(58, 'a\x7fb'))).toBe('58=a b|');
  expect(written((to) => to.text(58, 'a\x9b2J'))).toBe('58=a 2J|');
});

test('an empty text is left out', () => {
  expect(written((to) => to.text(58, '').text(1, 'a'))).toBe('1=a|');
});

test('what was written after a place can be taken back', () => {
  const writer = new FieldWriter().text(1, 'a');
  const { length } = writer;
  writer.text(2, 'b').clear(length).text(3, 'c');
  expect(toText(writer.bytes)).toBe('1=a|3=c|');
});

test('data stands behind its length', () => {
  const data = Uint8Array.from([1, 2, 61]);
  expect(written((to) => to.data(95, 96, data))).toBe('95=3|96=|\x02=|');
});
