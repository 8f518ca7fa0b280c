/** What is wrong in a schema is said with line and place, everything at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxXmlChars } from '../../src/runtime/xml-tree.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { SchemaError } from '../../src/sbe/schema-faults.ts';
import { faultsOf, message, schemaWith } from './schema-text.ts';

test('a schema that is right has no faults, and one that is not is an error of its own', () => {
  expect(() => readSchema('')).toThrow(SchemaError);
  expect(faultsOf(schemaWith('<type name="t" primitiveType="int8"/>'))).toEqual([]);
});

test('faults name the line and the path, and all are told', () => {
  const xml = schemaWith(
    '',
    `<message name="Order" id="1">
    <field name="Qty" id="1" type="qty"/>
    <group name="Legs" id="2"><field name="Px" id="3" type="price"/></group>
  </message>`,
  );
  expect(faultsOf(xml)).toEqual([
    'line 10, message Order / field Qty: there is no type "qty"',
    'line 11, message Order / group Legs / field Px: there is no type "price"',
    'line 11, message Order / group Legs: a group whose entries have no bytes',
  ]);
});

const data =
  '<composite name="d"><type name="length" primitiveType="uint16"/><type name="varData" length="0" primitiveType="uint8"/></composite>';
const inMessages: [string, string, string, string][] = [
  ['no id', '', message('', 'name="M"'), 'the attribute id is missing'],
  ['an id twice', '', `${message('')}${message('', 'name="N" id="1"')}`, 'the id 1 is that of M'],
  [
    'a name twice',
    '',
    `${message('')}${message('', 'name="M" id="2"')}`,
    'the name is there already',
  ],
  [
    'an id that the header cannot tell',
    '',
    message('', 'name="M" id="65536"'),
    'does not fit into the header',
  ],
  [
    'a field behind data',
    data,
    message('<data name="d" id="1" type="d"/><field name="f" id="2" type="int8"/>'),
    'a field cannot follow a data',
  ],
  [
    'a field twice',
    '',
    message('<field name="f" id="1" type="int8"/><field name="f" id="2" type="int8"/>'),
    'the name f is there already',
  ],
  [
    'overlapping fields',
    '',
    message('<field name="f" id="1" type="int32"/><field name="g" id="2" type="int8" offset="2"/>'),
    'offset="2" is inside the field before',
  ],
  [
    'a block shorter than its fields',
    '',
    message('<field name="f" id="1" type="int32"/>', 'name="M" id="1" blockLength="3"'),
    'blockLength="3" is below 4',
  ],
  [
    'variable data as a field',
    data,
    message('<field name="f" id="1" type="d"/>'),
    'it is for <data>',
  ],
  [
    'a constant without value',
    '',
    message('<field name="f" id="1" type="int8" presence="constant"/>'),
    'a constant without a value',
  ],
  [
    'a newer field before an older one',
    '',
    message(
      '<field name="f" id="1" type="int8" sinceVersion="1"/><field name="g" id="2" type="int8"/>',
    ),
    'precedes older parts',
  ],
  [
    'data newer than its group',
    data,
    message(
      '<group name="g" id="1"><field name="f" id="2" type="int8"/><data name="d" id="3" type="d" sinceVersion="1"/></group>',
    ),
    'd is newer than its group',
  ],
  [
    'a newer group before older data',
    data,
    message(
      '<group name="g" id="1" sinceVersion="1"><field name="f" id="2" type="int8"/></group><data name="d" id="3" type="d"/>',
    ),
    'precedes older parts',
  ],
  [
    'groups without end',
    '',
    message(
      `${'<group name="g" id="1"><field name="f" id="2" type="int8"/>'.repeat(10)}${'</group>'.repeat(10)}`,
    ),
    'groups are deeper than 8',
  ],
];

test.each(inMessages)('in messages: %s', (_, types, messages, fault) => {
  const faults = faultsOf(schemaWith(types, messages));
  expect(
    faults.some((one) => one.includes(fault)),
    faults.join('\n'),
  ).toBe(true);
});

describe('the file itself', () => {
  test.each([
    ['nothing', '', 'not XML'],
    ['no XML', 'id: 1', 'not XML'],
    ['an element left open', '<messageSchema id="1">', 'not XML'],
    ['another root', '<schema/>', 'the root <schema> is not <messageSchema>'],
    ['no header', '<messageSchema id="1"/>', 'there is no type "messageHeader"'],
    ['no id', schemaWith('', '', ''), 'the attribute id is missing'],
    [
      'an unknown byte order',
      schemaWith('', '', 'id="1" version="2" byteOrder="pdp"'),
      'byteOrder="pdp"',
    ],
    ['elements without end', '<a>'.repeat(40), 'more than 32 elements inside each other'],
    ['more than is read', ' '.repeat(maxXmlChars + 1), 'characters are more than'],
  ])('%s', (_, xml, fault) => {
    expect(faultsOf(xml).join('\n')).toContain(fault);
  });

  test('no more than fifty faults are told', () => {
    const types = Array.from({ length: 80 }, (_, index) => `<type name="t${index}"/>`);
    expect(faultsOf(schemaWith(types.join('')))).toHaveLength(50);
  });
});

test('offsets, padding, constants and null overrides of the features schema', () => {
  const xml = readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8');
  const schema = readSchema(xml);
  const everything = schema.messages.find(({ name }) => name === 'Everything');
  const field = (name: string) => everything?.fields.find((one) => one.name === name);
  expect(everything?.blockLength).toBe(360);
  expect(field('I64')).toMatchObject({ offset: 8 });
  expect(field('Venue')).toMatchObject({ constant: 'XBSL', presence: 'constant' });
  expect(field('ZeroIsNull')?.encoding).toMatchObject({ nullValue: 0n, min: 1n, max: 65_535n });
  expect(field('AlwaysSell')).toMatchObject({ constant: 50n });
  expect(schema.header).toMatchObject({
    size: 20,
    version: { offset: 0 },
    schemaId: { offset: 12 },
  });
});
