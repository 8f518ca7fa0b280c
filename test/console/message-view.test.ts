import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { factsOf } from '../../src/console/message-fields.ts';
import { fieldRows, messageRow, typeName } from '../../src/console/message-view.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { readSchema } from '../../src/sbe/schema.ts';

const fix = (text: string) => Buffer.from(text.replaceAll('|', '\x01'));
const row = (bytes: Uint8Array) => {
  return messageRow({ id: 1, kind: 'in', atUs: 5, name: 'S', type: '8', seq: 3, bytes });
};

test('fields have names and meanings, of ours and of plain FIX 4.4', () => {
  const rows = fieldRows(fix('8=FIX.4.4|35=8|150=4|9101=106|30=x|99999=y|'));
  expect(rows.map(({ name, meaning }) => [name, meaning])).toEqual([
    ['BeginString', ''],
    ['MsgType', 'EXECUTION_REPORT'],
    ['ExecType', 'CANCELED'],
    ['VenueRejectNumber', ''],
    ['LastMkt', ''],
    ['', ''],
  ]);
  expect(typeName('D')).toBe('NewOrderSingle');
  expect(typeName('zz')).toBe('');
});

test('control characters and marks of direction steer nobody', () => {
  const bytes = fix('8=FIX.4.4|58=a\x1b[2J\u202eb\nc|');
  expect(row(bytes).text).toBe('8=FIX.4.4|58=a·[2J·b·c|');
  expect(fieldRows(bytes)[1]?.value).toBe('a·[2J·b·c');
});

test('what is no message at all is shown as it lies on the wire', () => {
  expect(row(Buffer.from([1, 2, 255])).text).toBe('0102ff');
  expect(fieldRows(Buffer.from('no fields'))).toEqual([]);
});

test('a message of the second lane is read by its schema, and found by its names', () => {
  const file = join(import.meta.dirname, '../../dictionaries/orders.xml');
  const message = encodeMessage(readSchema(readFileSync(file, 'utf8')), {
    message: 'OrderStatusRequest',
    fields: {
      OrderID: new Array<number>(32).fill(7),
      Instrument: { MarketId: 1, Book: 0 },
      Side: null,
      ClOrdID: 'abc',
      Symbol: 'BTC-USDC',
    },
  });
  const frame = Buffer.concat([Buffer.from([0, 0, 0, message.length + 6, 0xeb, 0x50]), message]);
  const orderId = `0x${'07'.repeat(32)}`;
  expect(factsOf(frame)).toMatchObject({ type: '4144/104', names: ['abc'], orderId });
  expect(typeName('4144/104')).toBe('OrderStatusRequest');
  expect(row(frame).text).toContain('ClOrdID=abc');
  const cut = frame.subarray(0, frame.length - 4);
  expect(fieldRows(cut).at(-1)?.name).toBe('body');
});
