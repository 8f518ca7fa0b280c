import { expect, test } from 'vitest';
import { readSchema } from '../../src/sbe/schema.ts';
import { decodeWith, encodeWith } from '../../src/sbe/schema-set.ts';
import { message, schemaWith } from './schema-text.ts';

const field = '<field name="f" id="1" type="uint8"/>';
const schemaOf = (id: number, ...names: string[]) => {
  const messages = names.map((name, index) => message(field, `name="${name}" id="${index + 1}"`));
  return readSchema(schemaWith('', messages.join(''), `id="${id}" version="0"`));
};
const session = schemaOf(1, 'Logon', 'Both');
const orders = schemaOf(2, 'Order', 'Both');
const schemas = [session, orders];

test('a message is read by the schema that its header names, although others have its template', () => {
  for (const name of ['Logon', 'Order', 'Both']) {
    const bytes = encodeWith(schemas, { message: name, fields: { f: 7 } });
    expect(decodeWith(schemas, bytes)).toMatchObject({ message: name, fields: { f: 7 } });
  }
  const order = encodeWith([orders], { message: 'Both', fields: { f: 7 } });
  expect(decodeWith(schemas, order)).toMatchObject({ message: 'Both', schemaId: 2 });
});

test('of two schemas with the same message the first writes it', () => {
  const bytes = encodeWith(schemas, { message: 'Both', fields: { f: 7 } });
  expect(decodeWith(schemas, bytes)).toMatchObject({ schemaId: 1 });
});

test('a message is read where it stands', () => {
  const bytes = encodeWith(schemas, { message: 'Order', fields: { f: 7 } });
  const behind = Buffer.concat([Buffer.alloc(3, 0xff), bytes]);
  expect(decodeWith(schemas, behind, 3)).toMatchObject({ message: 'Order', fields: { f: 7 } });
});

test('bytes of no schema are refused with what each has seen in them', () => {
  const bytes = encodeWith([schemaOf(3, 'Order')], { message: 'Order', fields: { f: 7 } });
  expect(decodeWith(schemas, bytes)).toBe('the schema 3 is not 1; the schema 3 is not 2');
  expect(decodeWith(schemas, bytes.subarray(0, 3))).toMatch(/^(.+); \1$/);
  // The fault of a message whose schema is known is that schema's alone.
  const cut = encodeWith([orders], { message: 'Order', fields: { f: 7 } }).subarray(0, 8);
  expect(decodeWith(schemas, cut)).not.toContain(';');
});

test('a message that no schema has is refused by its name', () => {
  const write = () => encodeWith(schemas, { message: 'Quote', fields: {} });
  expect(write).toThrow('no schema has a message Quote');
});
