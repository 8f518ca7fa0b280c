import { expect, test } from 'vitest';
import { deny } from '../../src/domain/denial.ts';
import type { FieldReader } from '../../src/fix/message.ts';
import { sides } from '../../src/mapping/fix/codes.ts';
import { FieldValues } from '../../src/mapping/fix/field-values.ts';
import { RequestFault } from '../../src/mapping/request-fault.ts';

function fields(values: Readonly<Record<number, string>>): FieldReader {
  const reader = { text: (tag: number) => values[tag], has: (tag: number) => tag in values };
  return reader as unknown as FieldReader;
}

test('the first fault of a request is the one that is answered', () => {
  const request = new RequestFault();
  expect(request.fault).toBeUndefined();
  const first = deny('mass_cancel_not_offered');
  request.deny(first);
  request.refuse('bridge.unsupported', 'Side(54)=9');
  expect(request.fault).toBe(first);
});

test('a value that cannot be read is refused, and replaced by another one', () => {
  const order = fields({ 44: '1.5', 38: 'x', 54: '9' });
  const values = new FieldValues();
  expect(values.decimal(order, 44, 'Price')).toEqual({ mantissa: 15n, scale: 1 });
  expect(values.decimal(order, 99, 'StopPx')).toBeNull();
  expect(values.fault).toBeUndefined();
  expect(values.decimal(order, 38, 'OrderQty')).toBeNull();
  expect(values.required(order, 54, 'Side', sides, 'Bid')).toBe('Bid');
  expect(values.fault).toMatchObject({ text: 'OrderQty(38)' });
});

test('a value that must be there and is not is a missing field', () => {
  const values = new FieldValues();
  expect(values.required(fields({}), 54, 'Side', sides, 'Ask')).toBe('Ask');
  expect(values.fault).toMatchObject({ refusal: { name: 'field_missing' }, text: 'Side(54)' });
});
