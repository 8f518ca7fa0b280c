import { expect, test } from 'vitest';
import { standingFaults } from '../../src/certify/standing-rules.ts';
import { heard, names, numbersAt } from './messages.ts';

test('a leap second is a time of sending, as FIX 4.4 has it', () => {
  const message = { ...heard('1|112=a|52=20161231-23:59:60'), atMs: Date.UTC(2017, 0, 1) };
  expect(standingFaults(message, names, numbersAt(1, 1))).toEqual([]);
});

test.each([
  ['1|112=a', []],
  ['1|112=a|49=NOBODY', [49]],
  ['1|112=a|8=FIX.4.2', [8]],
  ['1|112=a|52=20200101-00:00:00', [52]],
  ['1|112=a|52=yesterday', [52, 52]],
  ['1', [112]],
  ['1|112=a|34=9', [34]],
  ['D|43=Y|11=a|55=X|54=1|38=1|40=1|60=now|34=1', [122]],
])('%s breaks the rules of tags %j', (line, tags) => {
  const faults = standingFaults(heard(line), names, numbersAt(1, 1));
  expect(faults.map(({ tag }) => tag)).toEqual(tags);
});
