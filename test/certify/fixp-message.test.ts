import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame, namesOf } from '../../src/certify/fixp-message.ts';
import { LineError } from '../../src/certify/line.ts';
import { isFramed } from '../../src/fixp/framing.ts';

const sessionId = '0123456789abcdef0123456789abcdef';

function fieldsOf(frame: Uint8Array): Readonly<Record<string, string>> {
  const decoded = decodeFrame(frame);
  if (typeof decoded === 'string') throw new Error(decoded);
  return Object.fromEntries(decoded.fields);
}

test('a session message is written and read by its names', () => {
  const given = new Map([
    ['SessionId', sessionId],
    ['RequestTimestamp', '1767614400000000001'],
    ['Code', 'DuplicateId'],
    ['Reason', 'used before'],
  ]);
  const frame = encodeFrame('NegotiationReject', given);
  expect(isFramed(frame)).toBe(true);
  expect(fieldsOf(frame)).toEqual(Object.fromEntries(given));
});

test('an order is written by the shortest names, and amounts are decimals', () => {
  const frame = encodeFrame(
    'NewOrderSingle',
    new Map([
      ['ClOrdID', 'a'],
      ['Symbol', 'BTC-USDC'],
      ['Side', 'Buy'],
      ['OrderQty', '0.01'],
      ['Price', '50000.03'],
      ['TransactTime', '1767614400000'],
      ['Terms.Flags', 'PostOnly'],
    ]),
  );
  expect(fieldsOf(frame)).toMatchObject({
    'Terms.Side': 'Buy',
    'Terms.OrderQty': '0.01',
    'Terms.Price': '50000.03',
    'Terms.Flags': 'PostOnly',
  });
});

test('a wrong header is written on purpose, and a longer block is read as far as it is known', () => {
  const sequence = (more: readonly [string, string][]) =>
    encodeFrame('Sequence', new Map([['NextSeqNo', '7'], ...more]));
  expect(
    fieldsOf(
      sequence([
        ['@version', '9'],
        ['@extra', '4'],
      ]),
    ),
  ).toEqual({ NextSeqNo: '7' });
  expect(decodeFrame(sequence([['@schema', '4999']]))).toMatch(/4999/);
  expect(decodeFrame(sequence([['@template', '999']]))).toMatch(/no template 999/);
});

test.each([
  ['Bogus', [], 'no message is called Bogus'],
  ['Sequence', [['Next', '1']], 'Sequence has no field Next'],
  ['Sequence', [['NextSeqNo', 'one']], /Sequence.NextSeqNo/],
  ['Negotiate', [['SessionId', 'abc']], /Negotiate.SessionId is a list of 16/],
] as const)('what cannot be written is named: %s %j', (msgType, fields, message) => {
  const write = () => encodeFrame(msgType, new Map(fields));
  expect(write).toThrow(LineError);
  expect(write).toThrow(message);
});

test('what is no frame, or no message, is told as such', () => {
  expect(isFramed(Buffer.from('8=FIX.4.4\x019=5\x01'))).toBe(false);
  expect(typeof decodeFrame(Buffer.from('0000000eeb500000000000000000', 'hex'))).toBe('string');
  expect(namesOf('Establish')).toContain('Credentials');
});

test('what is left of an order has the exponent of CumQty, whatever that of its terms', () => {
  const report = encodeFrame(
    'ExecutionReportNew',
    new Map([
      ['Terms.QtyExponent', '-2'],
      ['LeavesQty', '0.5'],
      ['CumQty', '0.25'],
    ]),
  );
  expect(fieldsOf(report)).toMatchObject({ 'State.LeavesQty': '0.5', 'State.CumQty': '0.25' });
});
