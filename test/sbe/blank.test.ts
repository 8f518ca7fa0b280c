import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blankBlock, blankDimension, blankMessage } from '../../src/sbe/blank.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

const features = readSchema(
  readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8'),
);

/** The bytes of a block with one field of the type `t`, behind a byte of another. */
function bytesOf(type: string, little = false): string {
  const fields = '<field name="a" id="1" type="int8"/><field name="f" id="2" type="t"/>';
  const [only] = readSchema(schemaWith(type, message(fields))).messages;
  return blankBlock(only!, little).toString('hex').slice(2);
}

const optional = (attributes: string) => `<type name="t" presence="optional" ${attributes}/>`;

test.each([
  ['an optional number is null', optional('primitiveType="int16"'), '8000'],
  ['a null of its own', optional('primitiveType="uint16" nullValue="5"'), '0005'],
  ['an optional float is not a number', optional('primitiveType="float"'), '7fc00000'],
  ['every element of an optional array', optional('primitiveType="uint16" length="2"'), 'ffffffff'],
  ['an optional character is zero', optional('primitiveType="char"'), '00'],
  ['optional text is empty', optional('primitiveType="char" length="3"'), '000000'],
  ['a required number is zero', '<type name="t" primitiveType="uint16"/>', '0000'],
  [
    'an optional member of a composite',
    `<composite name="t"><type name="x" primitiveType="int8"/>${optional('primitiveType="uint8" offset="2"')}</composite>`,
    '0000ff',
  ],
  [
    'an enum over an optional number',
    '<type name="u" primitiveType="uint8" presence="optional"/><enum name="t" encodingType="u"/>',
    'ff',
  ],
  ['a set has no choice', '<set name="t" encodingType="uint16"/>', '0000'],
])('%s', (_, type, hex) => {
  expect(bytesOf(type)).toBe(hex);
});

test('null has the byte order of the schema', () => {
  expect(bytesOf(optional('primitiveType="int16"'), true)).toBe('0080');
});

describe('what precedes a block', () => {
  const parts = features.messages.find(({ name }) => name === 'Parts')!;

  test('a header names message, schema and version, and counts groups and data', () => {
    const bytes = blankMessage(features, parts);
    const { blockLength, numGroups, numVarDataFields, schemaId, size, templateId, version } =
      features.header;
    expect(bytes).toHaveLength(size + parts.blockLength);
    expect(bytes.readUInt8(version.offset)).toBe(2);
    expect(bytes.readUInt16BE(templateId.offset)).toBe(2);
    expect(bytes.readUInt32BE(schemaId.offset)).toBe(77);
    expect(bytes.readUInt32BE(blockLength.offset)).toBe(parts.blockLength);
    expect(bytes.readUInt16BE(numGroups!.offset)).toBe(2);
    expect(bytes.readUInt16BE(numVarDataFields!.offset)).toBe(2);
  });

  test('a dimension has no entries yet, and counts what an entry has', () => {
    const middle = parts.groups[1]!.groups[0]!;
    const { blockLength, numGroups, numInGroup, numVarDataFields } = middle.dimension;
    const bytes = blankDimension(middle, false);
    expect(bytes.readUInt32BE(blockLength.offset)).toBe(middle.blockLength);
    expect(bytes.readUInt32BE(numInGroup.offset)).toBe(0);
    expect(bytes.readUInt16BE(numGroups!.offset)).toBe(1);
    expect(bytes.readUInt16BE(numVarDataFields!.offset)).toBe(1);
    expect(blankDimension(parts.groups[0]!, true).toString('hex')).toBe('000b');
  });
});
