/** The reason fields of a refusal: beside a number of the venue the reason is always "other". */
import { expect, test } from 'vitest';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import {
  numberOf,
  reasonOf,
  writeNonceConsumed,
  writeText,
  writeVenueCode,
} from '../../../src/mapping/fix/denial-fields.ts';
import { denied } from '../../support/venue-denial.ts';
import { settings } from './wire.ts';

const written = (write: (out: FieldWriter) => void) => {
  const out = new FieldWriter();
  write(out);
  return Buffer.from(out.bytes).toString().replaceAll('\x01', '|');
};

test('a refusal of the bridge has its own reason, and none of the numbers of the venue', () => {
  const denial = denied('bridge.unknown_account');
  expect([numberOf(denial, settings), reasonOf(denial, settings, 'order')]).toEqual([null, 15]);
  expect(written((out) => writeVenueCode(out, denial, settings))).toBe(
    '9102=bridge.unknown_account|',
  );
});

test('beside a number the reason is other, also where the row has a reason', () => {
  const denial = { ...denied('bridge.unknown_account'), number: 103 };
  expect([numberOf(denial, settings), reasonOf(denial, settings, 'order')]).toEqual([103, 99]);
  expect(written((out) => writeVenueCode(out, denial, settings))).toMatch(/^9101=103\|9102=/);
});

test('a refusal that cannot answer a kind of request says other there', () => {
  expect(reasonOf(denied('bridge.unknown_order'), settings, 'order')).toBe(99);
  expect(reasonOf(denied('bridge.unknown_order'), settings, 'cancel')).toBe(1);
});

test('the nonce is mentioned only if the venue spoke of it, and a text only if there is one', () => {
  const denial = denied('bridge.limit', 'why');
  const { tags } = settings;
  expect(written((out) => writeNonceConsumed(out, { ...denial, isSpent: null }, tags))).toBe('');
  expect(written((out) => writeNonceConsumed(out, { ...denial, isSpent: false }, tags))).toBe(
    '9111=N|',
  );
  expect(written((out) => writeText(out, denial))).toBe('58=bridge.limit: why|');
  expect(written((out) => writeText(out, denied('message_not_offered')))).toBe('');
});
