import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { QuoteStatusReport } from '../../../src/mapping/sbe/generated/messages.ts';
import {
  named,
  writeRefusalFields,
  writeRefusalWords,
} from '../../../src/mapping/sbe/refusal-fields.ts';
import { decodeMessage } from '../../../src/sbe/generic-decoder.ts';
import { orders } from '../../acceptance/parity/fixp-words.ts';
import { denied } from '../../support/venue-denial.ts';
import { settings } from '../fix/wire.ts';

const message = new QuoteStatusReport();
const none = { Reason: null, VenueRejectNumber: null, NonceConsumed: 'Unset' };

function decoded(bytes: Uint8Array) {
  const told = decodeMessage(orders, bytes);
  if (typeof told === 'string') throw new Error(told);
  return told.fields;
}

function refusalOf(denial: ReturnType<typeof denied>, reason: number | null, from = settings) {
  message.encode(Buffer.alloc(512));
  writeRefusalFields(message, denial, reason, from);
  message.setQuoteId('').setAccount('').setSymbol('').setVenueCode('');
  return decoded(message.setText('').bytes)['Refusal'];
}

const wordsOf = (name: string, text: string | null) => {
  message.encode(Buffer.alloc(512)).setQuoteId('').setAccount('').setSymbol('');
  const { VenueCode, Text } = decoded(writeRefusalWords(message, denied(name, text)));
  return { VenueCode, Text };
};

describe('the numbers of a refusal', () => {
  const denial = denied('bridge.unsupported');

  test('a reason, a number and a nonce that nobody stated are null', () => {
    expect(refusalOf(denial, null)).toEqual(none);
    expect(refusalOf(denial, 0)).toEqual({ ...none, Reason: 0 });
  });

  test('whether the nonce is used up is said exactly if the venue said it', () => {
    expect(refusalOf({ ...denial, isSpent: true }, null)).toEqual({
      ...none,
      NonceConsumed: 'Yes',
    });
    expect(refusalOf({ ...denial, isSpent: false }, null)).toEqual({
      ...none,
      NonceConsumed: 'No',
    });
  });

  test("the number is the venue's own, then that of the profile", () => {
    expect(refusalOf({ ...denial, number: 4 }, 99)).toMatchObject({ VenueRejectNumber: 4 });
    const enabled = { ...settings, numberMap: { KILL_SWITCH: 103 } };
    const killed = denied('KILL_SWITCH');
    expect(refusalOf(killed, 99)).toMatchObject({ VenueRejectNumber: null });
    expect(refusalOf(killed, 99, enabled)).toMatchObject({ VenueRejectNumber: 103 });
  });
});

test('the words of a refusal are its code, if it has one, and its text for people', () => {
  expect(wordsOf('bridge.unknown_account', 'desk')).toEqual({
    VenueCode: 'bridge.unknown_account',
    Text: 'bridge.unknown_account: desk',
  });
  expect(wordsOf('field_missing', 'Price(44)')).toEqual({
    VenueCode: '',
    Text: 'Conditionally required field missing: Price(44)',
  });
});

describe('a name that is too long for its field', () => {
  test('is cut at 255 bytes', () => {
    expect(named('x'.repeat(255))).toBe('x'.repeat(255));
    expect(named('x'.repeat(256))).toBe('x'.repeat(255));
    expect(named('€'.repeat(85))).toBe('€'.repeat(85));
    expect(named('€'.repeat(86))).toBe('€'.repeat(85));
  });

  test('is cut between characters', () => {
    expect(named(`${'x'.repeat(254)}é`)).toBe('x'.repeat(254));
    expect(named(`${'x'.repeat(253)}🙂`)).toBe('x'.repeat(253));
  });

  test('is a beginning of the name that fits, and one that fits is unchanged, whatever the characters', () => {
    const unit = fc.constantFrom('a', 'é', '€', '🙂');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 300 }), (name) => {
        const cut = named(name);
        const bytes = Buffer.byteLength(cut);
        expect(bytes).toBeLessThanOrEqual(255);
        expect(name.startsWith(cut)).toBe(true);
        if (Buffer.byteLength(name) <= 255) expect(cut).toBe(name);
        else expect(bytes).toBeGreaterThan(255 - 4);
      }),
    );
  });
});
