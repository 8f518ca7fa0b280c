import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleOf } from '../../src/sbe/example.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

const dictionaries = join(import.meta.dirname, '../../dictionaries');
/** Those that are schemas; the others are dictionaries of FIX. */
const files = [
  join(import.meta.dirname, 'features/features.xml'),
  ...readdirSync(dictionaries)
    .filter((file) => file.endsWith('.xml'))
    .map((file) => join(dictionaries, file)),
].filter((file) => readFileSync(file, 'utf8').includes('messageSchema'));

test.each(files)('every message of %s has an example that its own codec takes', (file) => {
  const schema = readSchema(readFileSync(file, 'utf8'));
  for (const section of schema.messages) {
    const fields = exampleOf(section);
    const decoded = decodeMessage(schema, encodeMessage(schema, { message: section.name, fields }));
    expect(decoded).toMatchObject({ message: section.name, fields, outOfRange: [] });
    expect(exampleOf(section)).toEqual(fields);
  }
});

/** The example of a field of the type `t` at the offset 4. */
function exampleOfType(type: string) {
  const fields = '<field name="a" id="1" type="int32"/><field name="Name" id="2" type="t"/>';
  const { Name } = exampleOf(readSchema(schemaWith(type, message(fields))).messages[0]!);
  return Name;
}

test.each([
  ['a number is distinct by its offset', '<type name="t" primitiveType="int16"/>', 5],
  ['and within its limits', '<type name="t" primitiveType="int16" maxValue="3"/>', 3],
  ['above as below', '<type name="t" primitiveType="int16" minValue="50"/>', 50],
  ['a character is a letter', '<type name="t" primitiveType="char"/>', 'A'],
  ['an array counts', '<type name="t" primitiveType="int16" length="3"/>', [1, 2, 3]],
  [
    'text is the name, as far as it fits',
    '<type name="t" primitiveType="char" length="3"/>',
    'NAM',
  ],
  [
    'text in other letters is as written',
    '<type name="t" primitiveType="uint8" length="9" characterEncoding="UTF-8"/>',
    'Name',
  ],
  ['an enum without values is null', '<enum name="t" encodingType="uint8"/>', null],
  [
    'a set has its first choice',
    '<set name="t" encodingType="uint8"><choice name="x">3</choice><choice name="y">1</choice></set>',
    ['x'],
  ],
  [
    'a constant is not given',
    '<type name="t" primitiveType="int8" presence="constant">7</type>',
    undefined,
  ],
])('%s', (_, type, example) => {
  expect(exampleOfType(type)).toEqual(example);
});
