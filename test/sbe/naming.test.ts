import fc from 'fast-check';
import { expect, test } from 'vitest';
import { capitalized, className, fileName, memberName } from '../../src/sbe/naming.ts';

test.each([
  ['ClOrdID', 'clOrdId', 'ClOrdId', 'cl-ord-id'],
  ['MDEntryPx', 'mdEntryPx', 'MdEntryPx', 'md-entry-px'],
  ['MONTH_YEAR', 'monthYear', 'MonthYear', 'month-year'],
  ['RetransmitRequest', 'retransmitRequest', 'RetransmitRequest', 'retransmit-request'],
  ['nextSeqNo', 'nextSeqNo', 'NextSeqNo', 'next-seq-no'],
  ['U64', 'u64', 'U64', 'u-64'],
  ['price2Be', 'price2Be', 'Price2Be', 'price-2-be'],
  ['_x', 'x', 'X', 'x'],
  ['ID', 'id', 'Id', 'id'],
])('%s is the member %s, the class %s and the file %s', (name, member, type, file) => {
  expect([memberName(name), className(name), fileName(name)]).toEqual([member, type, file]);
});

test('the names of a message and its groups make one name', () => {
  expect(memberName('Stop', 'PxType')).toBe('stopPxType');
  expect(className('Order', 'Legs', 'MDEntry')).toBe('OrderLegsMdEntry');
});

test('a name in TypeScript style stays as it is, and a file names what its class names', () => {
  const word = fc.stringMatching(/^[a-z]{2,5}$/);
  const names = fc.array(word, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(names, (words) => {
      const camel = [words[0], ...words.slice(1).map(capitalized)].join('');
      expect(memberName(camel)).toBe(camel);
      expect(className(camel)).toBe(capitalized(camel));
      expect(memberName(className(camel))).toBe(camel);
      expect(fileName(className(camel))).toBe(words.join('-'));
    }),
  );
});

test('nothing has no name', () => {
  expect([memberName(''), capitalized('')]).toEqual(['', '']);
});
