/** What `<types>` may say, and what is read from it. */
import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/sbe/model.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { faultsOf, message, schemaWith } from './schema-text.ts';

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

test.each(inTypes)('refused: %s', (_, types, fault) => {
  const faults = faultsOf(schemaWith(types));
  expect(
    faults.some((one) => one.includes(fault)),
    faults.join('\n'),
  ).toBe(true);
  expect(faults[0]).toMatch(/^line 8, /);
});

test('an element that belongs elsewhere is refused where it stands', () => {
  expect(faultsOf(schemaWith('<ref name="x" type="int8"/>')).join()).toContain(
    '<ref> has no place in <types>',
  );
  const composite = '<composite name="c"><choice name="x">1</choice></composite>';
  expect(faultsOf(schemaWith(composite)).join()).toContain('<choice> has no place in a composite');
  const list = '<enum name="e" encodingType="uint8"><choice name="x">1</choice></enum>';
  expect(faultsOf(schemaWith(list)).join()).toContain('<choice> has no place in <enum>');
});

/** The field `f` of the type `t` that these types define. */
function read(types: string, attributes = ''): Field {
  const field = `<field name="f" id="1" type="t"${attributes}/>`;
  const schema = readSchema(schemaWith(types, message(field)));
  return schema.messages[0]!.fields[0]!;
}

const type = (attributes: string, inside = '') => `<type name="t" ${attributes}>${inside}</type>`;

describe('a type is', () => {
  test.each([
    ['a number', 'primitiveType="int16"', { kind: 'scalar' }],
    ['a number, of the length 1', 'primitiveType="int16" length="1"', { kind: 'scalar' }],
    ['an array', 'primitiveType="int16" length="2"', { kind: 'array', length: 2 }],
    ['a character', 'primitiveType="char"', { kind: 'scalar' }],
    [
      'a character, of any encoding',
      'primitiveType="char" length="1" characterEncoding="UTF-8"',
      { kind: 'scalar' },
    ],
    ['text', 'primitiveType="char" length="2"', { kind: 'text', characters: 'ascii' }],
    [
      'text in Latin letters',
      'primitiveType="char" length="2" characterEncoding="ISO_8859_1"',
      { kind: 'text', characters: 'latin1' },
    ],
    ['octets', 'primitiveType="uint8" length="2"', { kind: 'array' }],
    [
      'text in octets',
      'primitiveType="uint8" length="2" characterEncoding="utf8"',
      { kind: 'text', characters: 'utf8', length: 2 },
    ],
    [
      'text in one octet',
      'primitiveType="uint8" characterEncoding="US-ASCII"',
      { kind: 'text', characters: 'ascii', length: 1 },
    ],
  ])('%s', (_, attributes, expected) => {
    expect(read(type(attributes)).encoding).toMatchObject(expected);
  });
});

describe('the null value of an optional number', () => {
  const bounds = (attributes: string) => {
    const { encoding } = read(type(`presence="optional" ${attributes}`));
    return encoding.kind === 'scalar' ? [encoding.min, encoding.max, encoding.nullValue] : [];
  };

  test('is not one of its values, at either end of its range', () => {
    expect(bounds('primitiveType="int8"')).toEqual([-127n, 127n, -128n]);
    expect(bounds('primitiveType="uint8"')).toEqual([0n, 254n, 255n]);
    expect(bounds('primitiveType="uint8" nullValue="0"')).toEqual([1n, 255n, 0n]);
    expect(bounds('primitiveType="uint8" maxValue="9" nullValue="9"')).toEqual([0n, 8n, 9n]);
  });

  test('takes nothing away where it is outside the range, or is no number', () => {
    expect(bounds('primitiveType="uint8" minValue="1" maxValue="9"')).toEqual([1n, 9n, 255n]);
    const [min, max, nullValue] = bounds('primitiveType="double"');
    expect([min, max, nullValue]).toEqual([-Number.MAX_VALUE, Number.MAX_VALUE, Number.NaN]);
  });

  test('is one of the values where the number is required', () => {
    const { encoding } = read(type('primitiveType="uint8"'));
    expect(encoding).toMatchObject({ min: 0n, max: 255n });
  });
});

describe('a constant', () => {
  const constant = (attributes: string, inside: string, before = '') =>
    read(before + type(`presence="constant" ${attributes}`, inside)).constant;

  test('is a number, a character or text, and takes no bytes', () => {
    expect(constant('primitiveType="int32"', '-5')).toBe(-5n);
    expect(constant('primitiveType="char"', 'C')).toBe(67n);
    expect(constant('primitiveType="char" length="1"', 'C')).toBe(67n);
    expect(constant('primitiveType="char" length="4"', 'AB')).toBe('AB');
    const schema = schemaWith(type('presence="constant" primitiveType="int32"', '5'));
    const field = '<field name="f" id="1" type="t"/><field name="g" id="2" type="int8"/>';
    const { messages } = readSchema(schema.replace('</types>', `</types>${message(field)}`));
    expect(messages[0]).toMatchObject({ blockLength: 1, fields: [{}, { offset: 0 }] });
  });

  test('is the value of an enum that is defined before or after it', () => {
    const values = '<validValue name="a">7</validValue>';
    const list = `<enum name="e" encodingType="uint8">${values}</enum>`;
    expect(constant('primitiveType="uint8" valueRef="e.a"', '', list)).toBe(7n);
    const reversed = type('presence="constant" primitiveType="uint8" valueRef="e.a"') + list;
    expect(read(reversed).constant).toBe(7n);
    const wrong = type('presence="constant" primitiveType="uint8" valueRef="e.b"') + list;
    expect(faultsOf(schemaWith(wrong)).join()).toContain('the enum e has no value b');
  });
});

describe('a composite', () => {
  test('places its members behind each other, or where they say', () => {
    const { encoding } = read(
      `<composite name="t"><type name="a" primitiveType="int8"/>
      <type name="b" primitiveType="int16" offset="4"/><type name="c" primitiveType="int8"/></composite>`,
    );
    expect(encoding).toMatchObject({
      size: 7,
      members: [{ offset: 0 }, { offset: 4 }, { offset: 6 }],
    });
  });

  test('has a member of another type, under its own name and since the later of both versions', () => {
    const inner = '<type name="u" primitiveType="int16" sinceVersion="1" description="Of u"/>';
    const { encoding } = read(
      `${inner}<composite name="t"><ref name="x" type="u"/><ref name="y" type="u" sinceVersion="2" description="Of y"/></composite>`,
    );
    expect(encoding).toMatchObject({
      members: [
        { name: 'x', since: 1, description: 'Of u', offset: 0 },
        { name: 'y', since: 2, description: 'Of y', offset: 2 },
      ],
    });
  });
});

test('an enum takes null value and presence of the type under it, unless it has a null of its own', () => {
  const under = '<type name="u" primitiveType="uint8" presence="optional" nullValue="9"/>';
  const list = (more: string) =>
    read(
      `${under}<enum name="t" encodingType="u"${more}><validValue name="a">1</validValue></enum>`,
    );
  expect(list('')).toMatchObject({ presence: 'optional', encoding: { nullValue: 9 } });
  expect(list(' nullValue="8"').encoding).toMatchObject({ nullValue: 8, values: [{ value: 1 }] });
});

test('the bits of a set end with those of its number', () => {
  const set = (bit: string) =>
    schemaWith(`<set name="s" encodingType="uint64"><choice name="a">${bit}</choice></set>`);
  expect(faultsOf(set('63'))).toEqual([]);
  for (const bit of ['64', '-1', '1.0', '', '007']) {
    expect(faultsOf(set(bit)).join()).toContain(`"${bit}" is not a bit of uint64`);
  }
});
