import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blankMessage } from '../../src/sbe/blank.ts';
import * as block from '../../src/sbe/block.ts';
import { messageLayout, putBlank, structuralTypes } from '../../src/sbe/generate-layout.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

const features = readSchema(
  readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8'),
);
const named = (name: string) => features.messages.find((one) => one.name === name)!;
const both = { reads: true, writes: true };

describe('the initial bytes of a message', () => {
  test.each([1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 88])(
    'of %i bytes are written over any others',
    (length) => {
      const fields = '<field name="a" id="1" type="t"/>';
      const type = `<type name="t" primitiveType="uint8" presence="optional" length="${length}"/>`;
      const schema = readSchema(schemaWith(type, message(fields)));
      const [only] = schema.messages;
      const wanted = blankMessage(schema, only!);
      const bytes = Buffer.alloc(wanted.length + 20, 0xa5);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const statements = putBlank(schema, only!).join('\n');
      new Function('view', 'start', statements)(view, 10);
      expect(bytes.subarray(10, -10)).toEqual(wanted);
      for (const around of [bytes.subarray(0, 10), bytes.subarray(-10)]) {
        expect(around).toEqual(Buffer.alloc(10, 0xa5));
      }
    },
  );

  test('are copied where they are many, from an image that only a writer needs', () => {
    const everything = named('Everything');
    expect(putBlank(features, everything)).toEqual(['this.#block.octets.set(blank, start);']);
    const [first = '', ...rest] = messageLayout(features, everything, both);
    const source = first.replace('const blank = ', 'return ');
    const bytes = new Function('sbe', source)(block);
    expect(Buffer.from(bytes)).toEqual(blankMessage(features, everything));
    expect(messageLayout(features, everything, { reads: true, writes: false })).toEqual(rest);
  });
});

describe('the layout of what follows a block', () => {
  const walks = {
    walkPartsOuter: () => undefined,
    walkPartsOuterMiddle: () => undefined,
    walkPartsOuterMiddleInner: () => undefined,
    walkPartsOuterOnlyData: () => undefined,
    walkGrownLegs: () => undefined,
  };
  /** The layout as an object; the structural types are their names. */
  function layoutOf(name: string, use = both): block.Layout {
    const names = new Proxy({}, { get: (_, key) => key });
    const types = { data: names, dimensions: names };
    const source = messageLayout(features, named(name), use).join('\n').replace(': sbe.Layout', '');
    const make = new Function('sbe', 'types', ...Object.keys(walks), `${source}\nreturn layout;`);
    return make(block, types, ...Object.values(walks));
  }

  test('names every group and its entries by their path', () => {
    const { data, groups } = layoutOf('Parts');
    expect(groups.map(({ entry }) => entry.name)).toEqual(['Parts.Small', 'Parts.Outer']);
    expect(groups[1]!.entry.groups[0]!.entry.groups[0]!.entry.name).toBe(
      'Parts.Outer.Middle.Inner',
    );
    expect(data).toEqual([
      { name: 'Text', since: 0, type: 'latinText' },
      { name: 'Blob', since: 0, type: 'octets' },
    ]);
  });

  test('walks over the parts of entries that have some, where they are read', () => {
    const walksOf = (use: typeof both) => layoutOf('Parts', use).groups.map(({ walk }) => walk);
    expect(walksOf(both)).toEqual([undefined, walks.walkPartsOuter]);
    expect(walksOf({ reads: false, writes: true })).toEqual([undefined, undefined]);
  });

  test('has the lengths of each version, of which a reader needs no more than it knows', () => {
    const [legs] = layoutOf('Grown').groups;
    const { groups } = named('Grown');
    expect(legs!.needed).toHaveLength(3);
    expect(legs!.needed.slice(0, 2)).toEqual([1, 9]);
    expect(legs!.written.at(-1)).toBe(groups[0]!.blockLength);
    expect(layoutOf('Parts').groups[0]!.needed).toEqual([8]);
  });
});

test('a structural type is there once, and two of one name are refused', () => {
  const { data, dimensions } = structuralTypes([named('Parts'), named('Parts')], false);
  const nameOf = (line: string) => /\w+/.exec(line)?.[0] ?? '';
  expect(data.map(nameOf).sort()).toEqual(['latinText', 'longText', 'octets', 'shortText']);
  expect(dimensions.map(nameOf).sort()).toEqual(['groupSizeEncoding', 'largeGroup', 'smallGroup']);
  const types = ['shortText', 'short_text'].map(
    (name, index) =>
      `<composite name="${name}"><type name="length" primitiveType="uint${8 * (index + 1)}"/><type name="varData" length="0" primitiveType="uint8"/></composite>`,
  );
  const fields =
    '<data name="a" id="1" type="shortText"/><data name="b" id="2" type="short_text"/>';
  const clash = readSchema(schemaWith(types.join(''), message(fields)));
  expect(() => structuralTypes(clash.messages, false)).toThrow(
    'two types would be called shortText',
  );
});
