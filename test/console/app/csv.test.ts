import { expect, test } from 'vitest';
import { csvOf } from '../../../src/console/app/csv.ts';

const cell = (text: string) => csvOf([], [[text]]).split('\r\n')[1];

test.each(['=1+1', '+1+1', '-1+1', '@SUM(A1)', ' =1+1', '\t=1', '\uFF1D1', '\r=1'])(
  'a spreadsheet shows %j and does not run it',
  (text) => {
    expect(cell(text)).toMatch(/^"?'/);
  },
);

test('numbers stay numbers, also below zero', () => {
  expect(csvOf(['a', 'b'], [['-1.5', '40000']])).toBe('a,b\r\n-1.5,40000\r\n');
});

test('separators, quotes and line breaks stay inside their cell', () => {
  expect(csvOf(['a'], [['x,"y"\nz']])).toBe('a\r\n"x,""y""\nz"\r\n');
});
