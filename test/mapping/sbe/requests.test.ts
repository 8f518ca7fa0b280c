/** Requests over SBE as commands: exact amounts, every word of the schema, and no bytes that do harm. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDenial } from '../../../src/domain/denial.ts';
import { takeRequest } from '../../../src/mapping/sbe/requests.ts';
import { encodeMessage } from '../../../src/sbe/generic-encoder.ts';
import type { JsonObject } from '../../../src/sbe/json.ts';
import { orders, requestOf } from '../../acceptance/parity/fixp-words.ts';
import { defaultTags } from '../../support/default-tags.ts';
import { denied } from '../../support/venue-denial.ts';

const frame = { session: 'FIXP:A', seq: 7 };
const settings = { tags: defaultTags };
const terms = {
  Side: 'Buy',
  OrdType: 'Limit',
  TimeInForce: 'GoodTillCancel',
  StpMode: 0,
  Flags: [],
  TriggerDirection: 0,
  ConditionalKind: 0,
  AlgoKind: 0,
  Currency: '',
  PriceExponent: -6,
  QtyExponent: -8,
  OrderQty: 1,
  Price: 2,
};
const order = {
  ClOrdID: 'a',
  TransactTime: 1,
  Flags: [],
  Instrument: { MarketId: 1, Book: 0 },
};

function read(message: string, fields: JsonObject) {
  const request = takeRequest(encodeMessage(orders, { message, fields }));
  if (typeof request === 'string') throw new Error(request);
  return request.read(frame);
}

const refusedFor = (more: JsonObject, fields: JsonObject = {}) => {
  const told = read('NewOrderSingle', { ...order, ...more, Terms: { ...terms, ...fields } });
  return isDenial(told) ? `${told.refusal.name}: ${told.text}` : told.kind;
};

test('an order says where it came from, and nothing that was not said', () => {
  const told = read('NewOrderSingle', { ...order, Flags: ['PossResend'], Terms: terms });
  expect(told).toMatchObject({
    kind: 'new_order',
    origin: { session: 'FIXP:A', seq: 7, transactTimeMs: 1, possResend: true, possDup: false },
    clOrdId: 'a',
    account: null,
    instrument: { symbol: null, securityId: '1', book: null },
    terms: { lifetime: 'gtc', stp: undefined, algo: null, maxFloor: null, currency: null },
  });
});

test('an option that is left out is zero, Unset, or the null of the standard', () => {
  const options = ['StpMode', 'TriggerDirection', 'ConditionalKind', 'AlgoKind'];
  const told = [0, 'Unset', 255].map((unset) =>
    read('NewOrderSingle', {
      ...order,
      Instrument: { MarketId: 1, Book: unset },
      Terms: { ...terms, ...Object.fromEntries(options.map((name) => [name, unset])) },
    }),
  );
  expect(told[0]).toMatchObject({ kind: 'new_order', instrument: { book: null } });
  expect(told[1]).toEqual(told[0]);
  expect(told[2]).toEqual(told[0]);
});

test('an order with a flag that nobody knows is refused, not taken without it', () => {
  expect(refusedFor({ Flags: [3] })).toBe('bridge.unsupported: RequestFlags=8');
  expect(refusedFor({ Flags: ['PossResend', 7] })).toBe('bridge.unsupported: RequestFlags=129');
  expect(refusedFor({ Flags: ['PossResend'] })).toBe('new_order');
});

test('a cancel of the quotes of listed instruments lists some', () => {
  const [QuoteCancelType, QuoteResponseLevel] = ['Instruments', 0];
  const told = read('QuoteCancel', {
    TransactTime: 1,
    QuoteCancelType,
    QuoteResponseLevel,
    QuoteID: 'q',
  });
  expect(isDenial(told) && `${told.refusal.name}: ${told.text}`).toBe('field_missing: Instruments');
});

test('an order of a later version is refused, whatever was appended to it', () => {
  const fields = { ...order, Terms: terms };
  const known = encodeMessage(orders, { message: 'NewOrderSingle', fields });
  const header = 8;
  const { blockLength } = orders.messages.find(({ id }) => id === 100) ?? { blockLength: 0 };
  const end = header + blockLength;
  const later = Buffer.concat([known.subarray(0, end), Buffer.alloc(4), known.subarray(end)]);
  later.writeUInt16LE(blockLength + 4, 0);
  later.writeUInt16LE(1, 6);
  const request = takeRequest(later);
  if (typeof request === 'string') throw new Error(request);
  const told = request.read(frame);
  expect(isDenial(told) && told.text).toBe(
    'version 1 of schema 4144 is not supported, only 0 to 0',
  );
  expect(takeRequest(known)).not.toHaveProperty('text');
});

describe('what an order cannot say is refused with the field:', () => {
  test.each([
    ['no name', { ClOrdID: '' }, 'field_missing: ClOrdID(11)'],
    [
      'a name that ends a FIX field',
      { ClOrdID: 'a\u0001b' },
      'bridge.value_out_of_range: ClOrdID(11): not printable ASCII',
    ],
    [
      'an account of another alphabet',
      { Account: 'küche' },
      'bridge.value_out_of_range: Account(1): not printable ASCII',
    ],
    [
      'a symbol that is too long',
      { Symbol: 'x'.repeat(65) },
      'bridge.value_out_of_range: Symbol(55): more than 64 characters',
    ],
    [
      'a book that is none',
      { Instrument: { MarketId: 1, Book: 9 } },
      'bridge.unsupported: Book(9103)=9',
    ],
  ])('%s', (_, more, wanted) => {
    expect(refusedFor(more)).toBe(wanted);
  });
});

test('a mass status with a scope that is none is refused like one over FIX, with the reason Other (99)', () => {
  const fields = { MassStatusReqID: 'M1', Scope: 9, Instrument: { MarketId: 1, Book: 0 } };
  const told = read('OrderMassStatusRequest', fields);
  expect(told).toMatchObject({
    refusal: { name: 'bridge.unsupported', order: 99 },
    text: 'MassStatusReqType(585)=9',
  });
});

const denialOfNothing = denied('bridge.unsupported');

test('whatever the bytes, a request is read, refused, or said to be none', () => {
  const lines = [
    'D|11=a|55=BTC-USDC|54=1|38=1|40=2|44=1|59=1|60=now',
    'i|117=q|296=1|302=s|304=1|295=1|299=e|55=X|132=1|134=1',
    'V|262=v|263=0|264=1|55=BTC-USDC',
    'G|11=a|41=b|55=BTC-USDC|54=1|38=1|40=2|44=1|60=now',
  ];
  const whole = lines.map((line) => encodeMessage(orders, requestOf(line)));
  const out = Buffer.alloc(64 * 1024);
  const changes = fc.array(fc.tuple(fc.nat(255), fc.nat(255)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.constantFrom(...whole), changes, fc.nat(400), (message, changed, length) => {
      const bytes = Buffer.from(message.subarray(0, Math.max(8, length)));
      for (const [at, value] of changed) if (at > 7 && at < bytes.length) bytes[at] = value;
      const request = takeRequest(bytes);
      if (typeof request === 'string') return;
      const told = request.read(frame);
      const denial = isDenial(told) ? told : denialOfNothing;
      request.refuse(out, { denial, settings, execId: 'x', nowMs: 1, about: undefined, seq: 1 });
    }),
    { numRuns: 3_000 },
  );
});
