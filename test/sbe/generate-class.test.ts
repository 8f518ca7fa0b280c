import { expect, test } from 'vitest';
import { CompositeClasses, finished, inComment } from '../../src/sbe/generate-class.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

const price = `<composite name="price" description="A price"><type name="mantissa" primitiveType="int32"/>
<type name="exponent" primitiveType="int8" offset="6"/></composite>
<composite name="term"><ref name="px" type="price"/><type name="days" primitiveType="uint8"/></composite>`;
const forms = { littleEndian: true, halves: false };
const both = { reads: true, writes: true };

const fieldsOf = (inside: string, types = price) =>
  readSchema(schemaWith(types, message(inside))).messages[0]!.fields;

/** The names of methods, with what they read of the buffer. */
const gettersOf = (methods: readonly string[]) =>
  methods.flatMap((line) => {
    const [, name, at] = /^ {2}get (\w+)\(.*?view\.get\w+\((.*?)[,)]/.exec(line) ?? [];
    return name === undefined ? [] : [[name, at]];
  });

test('a composite that is not shared is flattened, with the names and offsets of its members added up', () => {
  const classes = new CompositeClasses(forms, new Set());
  const fields = fieldsOf(
    '<field name="a" id="1" type="int8"/><field name="Buy" id="2" type="term"/>',
  );
  const { methods, objects } = classes.ofBlock(fields, 'M', both);
  expect(objects).toEqual([]);
  expect(gettersOf(methods.map((line) => line.replaceAll('this.#block.', '')))).toEqual([
    ['a', 'at'],
    ['buyPxMantissa', 'at + 1'],
    ['buyPxExponent', 'at + 7'],
    ['buyDays', 'at + 8'],
  ]);
  expect(methods.join('\n')).toContain("'M.Buy.px.mantissa'");
  expect(classes.source()).toEqual([]);
});

test('a shared one is an object of one class, however often and however deep it is used', () => {
  const classes = new CompositeClasses(forms, new Set(['price']));
  const fields = fieldsOf(
    '<field name="Px" id="1" type="price"/><field name="Buy" id="2" type="term"/>',
  );
  const { methods, objects } = classes.ofBlock(fields, 'M', both);
  expect(objects).toEqual([
    { member: 'px', type: 'Price', offset: 0 },
    { member: 'buyPx', type: 'Price', offset: 7 },
  ]);
  expect(gettersOf(methods).map(([name]) => name)).toEqual(['buyDays']);
  const source = classes.source().join('\n');
  expect(source.match(/export class/g)).toHaveLength(1);
  expect(source).toContain('/** A price. */\nexport class Price {');
});

test('a class reads and writes what all its users together do', () => {
  const classes = new CompositeClasses(forms, new Set(['price']));
  const fields = fieldsOf('<field name="Px" id="1" type="price"/>');
  const has = () => {
    const source = classes.source().join('\n');
    return ['get mantissa', 'setMantissa'].map((name) => source.includes(name));
  };
  classes.ofBlock(fields, 'M', { reads: true, writes: false });
  expect(has()).toEqual([true, false]);
  classes.ofBlock(fields, 'N', { reads: false, writes: true });
  expect(has()).toEqual([true, true]);
});

test('a shared composite of a later version has a class of its own', () => {
  const classes = new CompositeClasses(forms, new Set(['price']));
  const inside =
    '<field name="A" id="1" type="price"/><field name="B" id="2" type="price" sinceVersion="2"/>';
  const { objects } = classes.ofBlock(fieldsOf(inside), 'M', both);
  expect(objects.map(({ type }) => type)).toEqual(['Price', 'PriceSince2']);
  expect(classes.source().join('\n')).toContain('if (version < 2) return undefined');
});

test('two different composites do not share a class', () => {
  const classes = new CompositeClasses(forms, new Set(['price', 'Price']));
  classes.ofBlock(fieldsOf('<field name="A" id="1" type="price"/>'), 'M', both);
  const other = '<composite name="Price"><type name="mantissa" primitiveType="int64"/></composite>';
  const fields = fieldsOf('<field name="A" id="1" type="Price"/>', other);
  expect(() => classes.ofBlock(fields, 'N', both)).toThrow(
    'two composites would share the class Price',
  );
});

test('two members of one name are refused, be they methods, getters or fields', () => {
  const lines = [
    'class X {',
    '  constructor() {',
    '  get a(): number {',
    '  setA(value): this {',
    '}',
  ];
  expect(finished('X', lines)).toBe(lines);
  for (const line of [
    '  get a(): string {',
    '  readonly a: number;',
    '  a(index: number) {',
    '  a = 5',
  ]) {
    expect(() => finished('X', [...lines, line]), line).toThrow('X would have two members a');
  }
  // A field that is private is another than the one that is not.
  expect(finished('X', [...lines, '  readonly #a: number;'])).toHaveLength(6);
});

test('words of a schema cannot end the comment in which they stand', () => {
  expect(inComment('a */ b */')).toBe('a * / b * /');
});
