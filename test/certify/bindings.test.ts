import { expect, test } from 'vitest';
import { Bindings, calculate, isSameDecimal } from '../../src/certify/bindings.ts';
import { LineError, parseLine } from '../../src/certify/line.ts';

function bindings(): Bindings {
  return new Bindings(
    (name) => (name === 'next' ? '5' : undefined),
    (name) => `fresh-${name}`,
    { qty: '0.01' },
  );
}

test('a name that is sent is made up once and kept', () => {
  const own = bindings();
  expect(own.fill('11=$a|41=$a|34=$next+2|38=$qty*3')).toBe('11=fresh-a|41=fresh-a|34=7|38=0.03');
});

test('a name that is expected first is learnt', () => {
  const own = bindings();
  expect(own.wanted('$a')).toEqual({ unbound: 'a' });
  own.set('a', 'theirs');
  expect(own.wanted('$a')).toEqual({ value: 'theirs' });
  expect(own.copy().fill('$a')).toBe('theirs');
});

test('a value that was learnt stays one value in a line, and itself elsewhere', () => {
  const own = bindings();
  own.set('a', 'x|41=now');
  expect(parseLine(own.fill('F|11=$a|41=$a')).fields).toEqual([
    [11, 'x|41=now'],
    [41, 'x|41=now'],
  ]);
  expect(own.value('of $a')).toBe('of x|41=now');
  expect(own.wanted('$a')).toEqual({ value: 'x|41=now' });
});

test('arithmetic is exact, and refused where there are no decimals', () => {
  expect(calculate('0.1', '+', '0.2')).toBe('0.3');
  expect(calculate('1', '-', '1.5')).toBe('-0.5');
  expect(() => calculate('abc', '+', '1')).toThrow(LineError);
  expect(isSameDecimal('50000', '50000.00')).toBe(true);
  expect(isSameDecimal('.5', '0.51')).toBe(false);
});
