/** The source of a message's class is in the words of its schema; what it does is tried in generated.test.ts. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CompositeClasses } from '../../src/sbe/generate-class.ts';
import { messageSource } from '../../src/sbe/generate-section.ts';
import { fieldsEnd, writtenBlockLength } from '../../src/sbe/model.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

const features = readSchema(
  readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8'),
);
const both = { reads: true, writes: true };

function sourceOf(schema: typeof features, name: string, use = both): string {
  const composites = new CompositeClasses({ littleEndian: false, halves: false }, new Set());
  const found = schema.messages.find((one) => one.name === name)!;
  return messageSource({ schema, composites, use }, found).join('\n');
}

const has = (source: string, ...words: readonly string[]) =>
  words.map((word) => source.includes(word));

test('who only reads has nothing to write with, and the other way round', () => {
  const reading = [
    ' wrap(',
    'get actingVersion',
    'function walkParts(',
    'next(): boolean',
    'get small()',
  ];
  const writing = [' encode(', 'add(): this', 'writeSmall()', 'setText(', 'setTextBytes('];
  const yes = (list: readonly string[]) => list.map(() => true);
  const no = (list: readonly string[]) => list.map(() => false);
  const whole = sourceOf(features, 'Parts');
  expect(has(whole, ...reading, ...writing)).toEqual(yes([...reading, ...writing]));
  const reader = sourceOf(features, 'Parts', { reads: true, writes: false });
  expect(has(reader, ...reading, ...writing)).toEqual([...yes(reading), ...no(writing)]);
  const writer = sourceOf(features, 'Parts', { reads: false, writes: true });
  expect(has(writer, ...reading, ...writing)).toEqual([...no(reading), ...yes(writing)]);
});

test('a class of an entry stands before the class that uses it', () => {
  const source = sourceOf(features, 'Parts');
  const classes = [...source.matchAll(/export class (\w+)/g)].map(([, name]) => name);
  expect(classes.at(-1)).toBe('Parts');
  const at = (name: string) => classes.indexOf(name);
  expect(at('PartsOuterMiddleInner')).toBeLessThan(at('PartsOuterMiddle'));
  expect(at('PartsOuterMiddle')).toBeLessThan(at('PartsOuter'));
});

test('the lengths of a block are those of the version that was written, or is asked for', () => {
  const grown = features.messages.find(({ name }) => name === 'Grown')!;
  const source = sourceOf(features, 'Grown');
  const lengthsIn = (pattern: RegExp) => {
    const [, expression = ''] = pattern.exec(source) ?? [];
    const run = new Function('version', `return ${expression};`);
    return [0, 1, 2, 3].map((version) => run(version));
  };
  const latest = [0, 1, 2, 2];
  expect(lengthsIn(/block\.wrap\(.*?\), (version.*?), version, limit\)/)).toEqual(
    latest.map((version) => fieldsEnd(grown.fields, version)),
  );
  expect(lengthsIn(/start \+ \d+, (version <=.*?), version/)).toEqual(
    latest.map((version) => writtenBlockLength(grown, version, 2)),
  );
});

test('what has nothing after its block is walked over by nobody', () => {
  const source = sourceOf(features, 'Everything');
  expect(has(source, 'walk', 'finish()')).toEqual([false, false]);
  expect(source).toContain('/** Everything (1). Every kind of field. */');
});

test('data of a later version is absent in an earlier one, and octets have no text', () => {
  const data =
    '<composite name="d"><type name="length" primitiveType="uint16" maxValue="9"/><type name="varData" length="0" primitiveType="uint8"/></composite>';
  const inside =
    '<data name="Raw" id="1" type="d"/><data name="More" id="2" type="d" sinceVersion="1"/>';
  const source = sourceOf(readSchema(schemaWith(data, message(inside))), 'M');
  expect(source).toContain('get raw(): Uint8Array {');
  expect(source).toContain('get more(): Uint8Array | undefined { if (this.#block.version < 1)');
  expect(source).toContain('  if (block.version >= 1) {\n');
  expect(has(source, 'get rawBytes', 'setRaw(value: string)')).toEqual([false, false]);
  // A length that fits its number may still be more than the schema allows.
  expect(source.match(/ > 9\) return block\.refuseData/g)).toHaveLength(2);
});

test('names that would be the same member are refused', () => {
  const inside = '<field name="Px" id="1" type="int8"/><field name="PX" id="2" type="int8"/>';
  const schema = readSchema(schemaWith('', message(inside)));
  expect(() => sourceOf(schema, 'M')).toThrow('M would have two members px');
});
