/** What is wrong in a schema is said with line and place, everything at once. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { maxXmlChars } from '../../src/runtime/xml-tree.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { SchemaError } from '../../src/sbe/schema-faults.ts';

const header = `<composite name="messageHeader"><type name="blockLength" primitiveType="uint16"/>
<type name="templateId" primitiveType="uint16"/><type name="schemaId" primitiveType="uint16"/>
<type name="version" primitiveType="uint16"/></composite>`;
const dimension = `<composite name="groupSizeEncoding"><type name="blockLength" primitiveType="uint16"/>
<type name="numInGroup" primitiveType="uint16"/></composite>`;

/** A schema of version 2 whose types and messages are these; they begin in line 8. */
function schemaWith(types: string, messages = '', attributes = 'id="1" version="2"'): string {
  return `<messageSchema ${attributes}><types>${header}\n${dimension}\n\n\n${types}\n</types>${messages}</messageSchema>`;
}

function faultsOf(xml: string): readonly string[] {
  try {
    readSchema(xml);
  } catch (error) {
    if (error instanceof SchemaError) return error.faults;
    throw error;
  }
  return [];
}

const message = (inside: string, attributes = 'name="M" id="1"') =>
  `<message ${attributes}>${inside}</message>`;

test('a schema that is right has no faults', () => {
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

const inTypes: [string, string, string][] = [
  [
    'a primitive that does not exist',
    '<type name="t" primitiveType="int7"/>',
    'no primitive type "int7"',
  ],
  ['no primitive', '<type name="t"/>', 'the attribute primitiveType is missing'],
  [
    'a name that is no name',
    '<type name="a b" primitiveType="int8"/>',
    'the name "a b" is not made',
  ],
  [
    'a type twice',
    '<type name="t" primitiveType="int8"/><type name="t" primitiveType="int8"/>',
    'the type t is there already',
  ],
  [
    'the name of a primitive',
    '<type name="int8" primitiveType="int8"/>',
    'the type int8 is there already',
  ],
  [
    'a length that is no number',
    '<type name="t" primitiveType="char" length="-1"/>',
    'length="-1" is not an integer',
  ],
  [
    'a length without bound',
    '<type name="t" primitiveType="char" length="9999999"/>',
    'is not an integer from 0 to 1000000',
  ],
  [
    'an unknown presence',
    '<type name="t" primitiveType="int8" presence="maybe"/>',
    'presence="maybe"',
  ],
  [
    'a constant without value',
    '<type name="t" primitiveType="int8" presence="constant"/>',
    'a constant without a value',
  ],
  [
    'a constant outside its type',
    '<type name="t" primitiveType="int8" presence="constant">128</type>',
    '128 is outside int8',
  ],
  [
    'a constant that is no number',
    '<type name="t" primitiveType="int8" presence="constant">x</type>',
    '"x" is not a value of int8',
  ],
  [
    'a constant longer than its length',
    '<type name="t" primitiveType="char" length="2" presence="constant">abc</type>',
    '"abc" is longer than 2',
  ],
  [
    'a null outside its type',
    '<type name="t" primitiveType="uint8" nullValue="256"/>',
    '256 is outside uint8',
  ],
  [
    'a minimum above the maximum',
    '<type name="t" primitiveType="uint8" minValue="5" maxValue="4"/>',
    'minValue is above maxValue',
  ],
  [
    'an unknown character encoding',
    '<type name="t" primitiveType="char" length="4" characterEncoding="EBCDIC"/>',
    'characterEncoding="EBCDIC"',
  ],
  [
    'text of wide numbers',
    '<type name="t" primitiveType="int16" length="4" characterEncoding="UTF-8"/>',
    'does not go with int16',
  ],
  [
    'a version above the schema',
    '<type name="t" primitiveType="int8" sinceVersion="3"/>',
    'sinceVersion="3" is above',
  ],
  [
    'an enum over a wide number',
    '<enum name="e" encodingType="uint32"/>',
    'encodingType="uint32" is not one of char, uint8, uint16',
  ],
  [
    'an enum value twice',
    '<enum name="e" encodingType="uint8"><validValue name="a">1</validValue><validValue name="b">1</validValue></enum>',
    'the value 1 is there already',
  ],
  [
    'an enum name twice',
    '<enum name="e" encodingType="uint8"><validValue name="a">1</validValue><validValue name="a">2</validValue></enum>',
    'the name a is there already',
  ],
  [
    'an enum value outside',
    '<enum name="e" encodingType="uint8"><validValue name="a">256</validValue></enum>',
    '256 is outside uint8',
  ],
  [
    'a set over a signed number',
    '<set name="s" encodingType="int8"/>',
    'encodingType="int8" is not one of',
  ],
  [
    'a bit beyond the set',
    '<set name="s" encodingType="uint8"><choice name="a">8</choice></set>',
    '"8" is not a bit of uint8',
  ],
  [
    'a bit twice',
    '<set name="s" encodingType="uint8"><choice name="a">1</choice><choice name="b">1</choice></set>',
    'the bit 1 is there already',
  ],
  ['an empty composite', '<composite name="c"/>', 'a composite without members'],
  [
    'a composite inside itself',
    '<composite name="c"><ref name="x" type="c"/></composite>',
    'c contains itself',
  ],
  [
    'a ref that leads nowhere',
    '<composite name="c"><ref name="x" type="y"/></composite>',
    'there is no type "y"',
  ],
  [
    'an offset inside the member before',
    '<composite name="c"><type name="a" primitiveType="int32"/><type name="b" primitiveType="int8" offset="3"/></composite>',
    'offset="3" is inside the member before',
  ],
  [
    'a valueRef to no enum',
    '<type name="t" primitiveType="int8" presence="constant" valueRef="int8.x"/>',
    'int8 is not an enum',
  ],
  [
    'a valueRef of another form',
    '<type name="t" primitiveType="int8" presence="constant" valueRef="x"/>',
    'does not have the form Enum.Value',
  ],
  ['what is no type', '<field name="x"/>', '<field> has no place in <types>'],
];

test.each(inTypes)('in types: %s', (_, types, fault) => {
  const faults = faultsOf(schemaWith(types));
  expect(
    faults.some((one) => one.includes(fault)),
    faults.join('\n'),
  ).toBe(true);
  expect(faults[0]).toMatch(/^line 8, /);
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
    'data without a length',
    '',
    message('<data name="d" id="1" type="groupSizeEncoding"/>'),
    'the composite groupSizeEncoding has no length',
  ],
  [
    'a group with dimensions that are none',
    data,
    message(
      '<group name="g" id="1" dimensionType="d"><field name="f" id="2" type="int8"/></group>',
    ),
    'the composite d has no blockLength',
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
