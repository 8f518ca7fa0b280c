/** The composites that a schema uses for its own purposes: header, dimensions, and lengths of data. */
import { describe, expect, test } from 'vitest';
import { readSchema } from '../../src/sbe/schema.ts';
import { faultsOf, message, schemaWith } from './schema-text.ts';

const number = (name: string, more = 'primitiveType="uint16"') => `<type name="${name}" ${more}/>`;
const composite = (name: string, ...members: string[]) =>
  `<composite name="${name}">${members.join('')}</composite>`;
const varData = '<type name="varData" length="0" primitiveType="uint8"/>';
const data = composite('d', number('length'), varData);

const inMessages: [string, string, string, string][] = [
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
];

test.each(inMessages)('refused: %s', (_, types, messages, fault) => {
  expect(faultsOf(schemaWith(types, messages)).join('\n')).toContain(fault);
});

describe('the header', () => {
  const names = ['blockLength', 'templateId', 'schemaId', 'version'];
  const withHeader = (...members: string[]) =>
    schemaWith(composite('h', ...members), '', 'id="1" version="2" headerType="h"');

  test.each(names)('has a %s', (missing) => {
    const members = names.filter((name) => name !== missing).map((name) => number(name));
    expect(faultsOf(withHeader(...members)).join()).toContain(`the composite h has no ${missing}`);
  });

  test.each([
    ['a signed number', 'primitiveType="int16"'],
    ['a number of 64 bits', 'primitiveType="uint64"'],
    ['an array', 'primitiveType="uint8" length="2"'],
  ])('has no member that is %s', (_, more) => {
    const members = names.map((name) => number(name, name === 'version' ? more : undefined));
    expect(faultsOf(withHeader(...members)).join()).toContain(
      'h.version is not one of uint8, uint16, uint32',
    );
  });

  test('has no constant, which would not be on the wire', () => {
    const constant = '<type name="version" primitiveType="uint8" presence="constant">2</type>';
    const members = [...names.slice(0, 3).map((name) => number(name)), constant];
    expect(faultsOf(withHeader(...members)).join()).toContain('h.version is not one of');
  });

  test('is a composite', () => {
    const xml = schemaWith(number('h'), '', 'id="1" version="2" headerType="h"');
    expect(faultsOf(xml).join()).toContain('h is not a composite');
  });

  test('has its members in any order and size, with counts and others of its own', () => {
    const members = [
      number('version', 'primitiveType="uint8"'),
      number('mine', 'primitiveType="int64"'),
      number('blockLength', 'primitiveType="uint32" maxValue="1000"'),
      number('schemaId'),
      number('templateId'),
      number('numGroups'),
    ];
    const { header } = readSchema(withHeader(...members));
    expect(header).toMatchObject({
      typeName: 'h',
      size: 19,
      version: { offset: 0, max: 255 },
      blockLength: { offset: 9, max: 1000 },
      templateId: { offset: 15, max: 65_535 },
      numGroups: { offset: 17 },
      numVarDataFields: undefined,
    });
    expect(header.members.map(({ name }) => name)).toContain('mine');
  });
});

describe('a group', () => {
  const group = (types: string) =>
    schemaWith(
      types,
      message(
        '<group name="g" id="1" dimensionType="n"><field name="f" id="2" type="int8"/></group>',
      ),
    );

  test('counts its entries', () => {
    expect(faultsOf(group(composite('n', number('blockLength')))).join()).toContain(
      'the composite n has no numInGroup',
    );
  });

  test('has as many entries as its number, or its schema, allows', () => {
    const count = number('numInGroup', 'primitiveType="uint8" maxValue="5"');
    const { messages } = readSchema(group(composite('n', number('blockLength'), count)));
    expect(messages[0]!.groups[0]!.dimension).toMatchObject({
      size: 3,
      blockLength: { offset: 0, max: 65_535 },
      numInGroup: { offset: 2, max: 5 },
    });
  });
});

describe('data', () => {
  const withData = (...members: string[]) =>
    schemaWith(composite('v', ...members), message('<data name="x" id="1" type="v"/>'));

  test.each([
    ['is missing', [number('length')]],
    ['has a length', [number('length'), number('varData', 'primitiveType="uint8" length="4"')]],
    ['is one number', [number('length'), number('varData', 'primitiveType="uint8"')]],
    ['is not the last', [number('length'), varData, number('more')]],
  ])('is refused whose varData %s', (_, members) => {
    expect(faultsOf(withData(...members)).join()).toContain(
      'v does not end with varData of length 0',
    );
  });

  test('begins after the length, where its composite says, and is text if it has characters', () => {
    const of = (...members: string[]) => readSchema(withData(...members)).messages[0]!.data[0]!;
    const octets = of(number('length'), varData);
    expect(octets).toMatchObject({ name: 'x', typeName: 'v', offset: 2, length: { offset: 0 } });
    expect(octets.characters).toBeUndefined();
    const text = '<type name="varData" length="0" primitiveType="char" offset="6"/>';
    const short = number('length', 'primitiveType="uint8" maxValue="200"');
    expect(of(short, text)).toMatchObject({ offset: 6, characters: 'ascii', length: { max: 200 } });
  });
});
