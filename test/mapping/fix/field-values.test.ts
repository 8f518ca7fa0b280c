import { expect, test } from 'vitest';
import { ordTypes, sides } from '../../../src/mapping/fix/codes.ts';
import { FieldValues } from '../../../src/mapping/fix/field-values.ts';
import { received } from './wire.ts';

const order = received('D', '11=A|55=BTC-USDC|54=5|60=20260105-12:00:00|38=10|44=1.50|40=2');
/** An order that the dictionary would refuse earlier: field values do not rely on that. */
const bare = received('V', '262=V|263=0|264=1|267=1|269=0|146=1|55=BTC-USDC');

function faultOf(values: FieldValues): string | undefined {
  return values.fault && `${values.fault.refusal.name}: ${values.fault.text}`;
}

test('a decimal keeps every digit that the client wrote', () => {
  const values = new FieldValues();
  expect(values.decimal(order, 44, 'Price')).toEqual({ mantissa: 150n, scale: 2 });
  expect(values.decimal(order, 99, 'StopPx')).toBeNull();
  expect(values.fault).toBeUndefined();
});

test('a decimal that no amount can be is refused by the name of its field', () => {
  const values = new FieldValues();
  expect(values.decimal(order, 55, 'Symbol')).toBeNull();
  expect(faultOf(values)).toBe('bridge.value_out_of_range: Symbol(55)');
});

test('a code is the word that the table has for it', () => {
  const values = new FieldValues();
  expect(values.required(order, 40, 'OrdType', ordTypes, 'market')).toBe('limit');
  expect(values.optional(order, 40, 'OrdType', ordTypes)).toBe('limit');
  expect(values.optional(bare, 40, 'OrdType', ordTypes)).toBeUndefined();
  expect(values.fault).toBeUndefined();
});

test('a code that the table does not have is refused with the code, and replaced where a value is needed', () => {
  for (const read of ['required', 'optional'] as const) {
    const values = new FieldValues();
    const word = values[read](order, 54, 'Side', sides, 'Ask');
    expect(word).toBe(read === 'required' ? 'Ask' : undefined);
    expect(faultOf(values)).toBe('bridge.unsupported: Side(54)=5');
  }
});

test('a code that must be there and is not is a missing field', () => {
  const values = new FieldValues();
  expect(values.required(bare, 54, 'Side', sides, 'Ask')).toBe('Ask');
  expect(faultOf(values)).toBe('field_missing: Side(54)');
});

test('the first field that cannot be read is the one that is named', () => {
  const values = new FieldValues();
  values.required(order, 54, 'Side', sides, 'Bid');
  values.decimal(order, 55, 'Symbol');
  values.required(bare, 40, 'OrdType', ordTypes, 'limit');
  expect(faultOf(values)).toBe('bridge.unsupported: Side(54)=5');
});
