import { expect, test } from 'vitest';
import { readFix } from '../../../src/cli/decode/fix-message.ts';
import { checkSummed, framed, message } from '../../support/fix-text.ts';

const read = (bytes: Uint8Array) => readFix(Buffer.from(bytes));

test('a right message has no faults', () => {
  const { message: shown, faults } = read(message('0', ''));
  expect([shown.info?.name, faults]).toEqual(['Heartbeat', []]);
});

test.each([
  [
    'a wrong value',
    message('D', '11=a|55=B|54=Z|60=20261121-10:00:00|40=2|'),
    'Reject(3) 373=5 371=54',
  ],
  ['an unknown type', message('ZZ', ''), 'Reject(3) 373=11 371=35'],
  ['a type of FIX 4.4 alone', message('R', '131=9|'), '380=3'],
  [
    'a wrong sum',
    Buffer.concat([message('0', '').subarray(0, -4), Buffer.from('999\x01')]),
    'CheckSum(10) is wrong',
  ],
  ['a wrong length', checkSummed('8=FIX.4.4|9=6|35=0|'), 'BodyLength(9) is above what follows'],
  ['an end that is missing', framed('35=0|').subarray(0, -7), 'cut off'],
])('%s is named, and the message is shown all the same', (_, bytes, fault) => {
  const { message: shown, faults } = read(bytes);
  expect(faults.join('\n')).toContain(fault);
  expect(shown.text(35)).toMatch(/^(D|ZZ|R|0)$/);
});

test('a message of another version is reported as such', () => {
  const { faults } = read(checkSummed('8=FIX.4.2|9=5|35=0|'));
  expect(faults).toContain('Logout(5): BeginString(8)=FIX.4.2 is not FIX.4.4');
});
