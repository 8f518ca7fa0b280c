import { expect, test } from 'vitest';
import { loadSchemas, sbeFields } from '../../../src/cli/sbe/schemas.ts';
import { decodeWith } from '../../../src/sbe/schema-set.ts';

const schemas = loadSchemas(undefined).map(({ schema }) => schema);

test('a message of the shipped schemas has its name and fields', () => {
  const decoded = decodeWith(schemas, Buffer.from('08000800bc0a01000700000000000000', 'hex'));
  expect(decoded).toMatchObject({ message: 'Sequence', templateId: 8 });
  expect(typeof decoded === 'string' ? [] : sbeFields(decoded.fields)).toEqual([
    ['NextSeqNo', '7'],
  ]);
});

test.each(['', '0800', '08000800ffff01000700000000000000', '0800080fbc0a0100'])(
  'bytes %j are a fault in words',
  (hex) => {
    expect(decodeWith(schemas, Buffer.from(hex, 'hex'))).toEqual(expect.any(String));
  },
);

test('absent values are left out, and groups are shown as JSON', () => {
  expect(sbeFields({ A: null, B: 'x', C: [{ D: 1 }] })).toEqual([
    ['B', 'x'],
    ['C', '[{"D":1}]'],
  ]);
});
