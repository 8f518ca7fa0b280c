/** Values of a request over SBE: taken exactly, or refused with the name of the field. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sides, stpModes } from '../../../src/mapping/sbe/codes.ts';
import {
  decimal,
  maxNameBytes,
  orderIdOf,
  RequestValues,
} from '../../../src/mapping/sbe/request-values.ts';
import { anyCharacter } from '../../support/any-character.ts';

function values<T>(read: (by: RequestValues) => T): [T, string | undefined] {
  const by = new RequestValues({ session: 'FIXP:A', seq: 7 });
  const value = read(by);
  const { fault } = by;
  return [value, fault && `${fault.refusal.name}: ${fault.text}`];
}
const outOfRange = (text: string) => `bridge.value_out_of_range: ${text}`;

test('the origin is the session and the number in its flow', () => {
  expect(values((by) => by.origin(1000n, true))).toEqual([
    {
      session: 'FIXP:A',
      seq: 7,
      sendingTimeMs: null,
      transactTimeMs: 1000,
      possDup: false,
      possResend: true,
    },
    undefined,
  ]);
  expect(values((by) => by.origin())[0]).toMatchObject({ transactTimeMs: null, possResend: false });
});

test('a name is taken as it is if it is printable and not too long, and empty is none', () => {
  const long = 'x'.repeat(maxNameBytes);
  expect(values((by) => by.name('', 'F'))).toEqual([null, undefined]);
  expect(values((by) => by.name(long, 'F'))).toEqual([long, undefined]);
  expect(values((by) => by.name(`${long}x`, 'F'))[1]).toBe(
    outOfRange('F: more than 64 characters'),
  );
  const odd = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(odd, (text) => {
      const isPrintable = [...text].every((each) => each >= ' ' && each <= '~');
      const fault = isPrintable ? undefined : outOfRange('F: not printable ASCII');
      if (text.length <= maxNameBytes) expect(values((by) => by.name(text, 'F'))[1]).toBe(fault);
    }),
  );
});

test('a name that must be there is missed, and the name of an existing order may be longer', () => {
  expect(values((by) => by.id('', 'ClOrdID(11)'))).toEqual(['', 'field_missing: ClOrdID(11)']);
  const long = 'x'.repeat(200);
  expect(values((by) => by.existing(long, 'F'))).toEqual([long, undefined]);
  expect(values((by) => by.existing('', 'F'))).toEqual([null, undefined]);
  expect(values((by) => by.existing('a\n', 'F'))[1]).toBe(outOfRange('F: not printable ASCII'));
});

test('a time is one that FIX can express, up to the last millisecond of the year 9999', () => {
  const last = BigInt(Date.parse('9999-12-31T23:59:59.999Z'));
  expect(values((by) => by.utcMs(undefined, 'T'))).toEqual([null, undefined]);
  expect(values((by) => by.utcMs(last, 'T'))).toEqual([Number(last), undefined]);
  expect(values((by) => by.utcMs(last + 1n, 'T'))).toEqual([0, outOfRange(`T=${last + 1n}`)]);
});

test('an exponent is from -18 to 0', () => {
  for (let exponent = -128; exponent < 128; exponent++) {
    const isTaken = exponent <= 0 && exponent >= -18;
    const [scale, fault] = values((by) => by.scale(exponent, 'E'));
    expect(fault).toBe(isTaken ? undefined : outOfRange(`E=${exponent}`));
    if (isTaken) expect(scale + exponent).toBe(0);
  }
});

test('a code without a word is refused as it reads, and one that is absent only where it must be there', () => {
  const letter = (code: number) => values((by) => by.optional(sides, code, 'Side(54)'));
  expect(letter('1'.charCodeAt(0))).toEqual(['Bid', undefined]);
  expect(letter(0)).toEqual([null, undefined]);
  expect(letter('x'.charCodeAt(0))).toEqual([null, 'bridge.unsupported: Side(54)=x']);
  expect(letter(200)[1]).toBe('bridge.unsupported: Side(54)=200');
  expect(values((by) => by.required(sides, 0, 'Side(54)', 'Ask'))).toEqual([
    'Ask',
    'field_missing: Side(54)',
  ]);
  expect(values((by) => by.optional(stpModes, 255, 'S'))).toEqual([null, undefined]);
});

test('the first fault is the one that is reported', () => {
  const [, fault] = values((by) => [by.id('', 'A'), by.scale(1, 'B')]);
  expect(fault).toBe('field_missing: A');
});

test('an instrument is named by its number, its book, its symbol, or several of them', () => {
  const read = (
    instrumentMarketIdBig: bigint | undefined,
    instrumentBook: number,
    symbol: string,
  ) => values((by) => by.instrument({ instrumentMarketIdBig, instrumentBook, symbol }))[0];
  expect(read(2n ** 60n, 0, '')).toEqual({
    symbol: null,
    securityId: String(2n ** 60n),
    book: null,
  });
  expect(read(undefined, 0, 'A-B')).toEqual({ symbol: 'A-B', securityId: null, book: null });
});

test('an absent amount is none, and any other is exact', () => {
  expect(decimal(undefined, 3)).toBeNull();
  expect(decimal(2n ** 63n, 3)).toEqual({ mantissa: 2n ** 63n, scale: 3 });
});

test('an order id is the hex of its bytes, and none where all of them are zero', () => {
  expect(orderIdOf(new Uint8Array(32))).toBeNull();
  const bytes = new Uint8Array(40).fill(0xab, 4, 36);
  expect(orderIdOf(bytes.subarray(4, 36))).toBe(`0x${'ab'.repeat(32)}`);
  const last = new Uint8Array(32);
  last[31] = 1;
  expect(orderIdOf(last)).toBe(`0x${'00'.repeat(31)}01`);
});
