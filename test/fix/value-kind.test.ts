import { expect, test } from 'vitest';
import { isOfKind, valueKinds } from '../../src/fix/value-kind.ts';

const isA = (type: string, text: string) => {
  const bytes = Buffer.from(`9${text}9`);
  return isOfKind(valueKinds[type] ?? -1, bytes, 1, bytes.length - 1);
};

/** A type of the dictionary format, values of it, values that are not. */
const cases: [string, string[], string[]][] = [
  ['STRING', ['x', ' ', '='], []],
  ['CURRENCY', ['USD', 'USDC'], []],
  ['COUNTRY', ['CH'], []],
  ['EXCHANGE', ['XNYS', 'N'], []],
  ['MULTIPLEVALUESTRING', ['1', '1 5 G'], []],
  ['DATA', ['\x01\x02'], []],
  ['INT', ['0', '-5', '00023', '99999999999'], ['-', '+5', '1.0', '5-', 'x', '1 ']],
  ['LENGTH', ['0', '12'], ['-1', '1.5', 'x']],
  ['SEQNUM', ['1'], ['-1', '']],
  ['NUMINGROUP', ['0', '2'], ['-2', '2.0']],
  ['DAYOFMONTH', ['31'], ['x']],
  ...['PRICE', 'PRICEOFFSET', 'QTY', 'AMT', 'PERCENTAGE', 'FLOAT'].map(
    (type): [string, string[], string[]] => [
      type,
      ['1', '-1', '1.50', '.5', '5.', '-.5', '00.1'],
      ['.', '-', '-.', '1.2.3', '1e5', '+1', '1,5', 'x', '1-'],
    ],
  ),
  ['CHAR', ['A', '1'], ['AB']],
  ['BOOLEAN', ['Y', 'N'], ['y', 'T', 'YN', '1']],
  ['UTCTIMESTAMP', ['20261121-10:38:16', '20261121-10:38:16.123456'], ['20261121', '10:38:16']],
  ['UTCDATEONLY', ['20261121'], ['20261131', '2026112', '202611211']],
  ['LOCALMKTDATE', ['20240229'], ['20230229']],
  ['UTCTIMEONLY', ['10:38:16', '10:38:16.123'], ['10:38', '25:00:00']],
  ['MONTHYEAR', ['202611', '20261121', '202611w5'], ['202613', '2026', '202611w6', '202600w1']],
];

test.each(cases)('%s takes its values and no others', (type, good, bad) => {
  for (const text of good) expect(isA(type, text), text).toBe(true);
  for (const text of bad) expect(isA(type, text), text).toBe(false);
});

test('every type has been tried', () => {
  expect(cases.map(([type]) => type).sort()).toEqual(Object.keys(valueKinds).sort());
});

test('an unknown kind is our mistake', () => {
  expect(() => isOfKind(99, Buffer.from('1'), 0, 1)).toThrow('no check for kind 99');
});
