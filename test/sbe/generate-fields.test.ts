/** The accessors are run: what they say of a field is that they take its values, and no others. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as flyweight from '../../src/sbe/flyweight.ts';
import { accessorsOf, plus, quoted } from '../../src/sbe/generate-fields.ts';
import { primitives } from '../../src/sbe/primitive.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { message, schemaWith } from './schema-text.ts';

function accessors(type: string, { halves = false, littleEndian = false } = {}) {
  const xml = schemaWith(type, message('<field name="x" id="1" type="t"/>'));
  const field = readSchema(xml).messages[0]!.fields[0]!;
  const leaf = { field, member: 'x', label: 'M.X', at: 'this.#block.at', since: field.since };
  return accessorsOf(leaf, { halves, littleEndian });
}

/** Types are only in the head of a method. */
const withoutTypes = (line: string) =>
  line.replace(/^.*?\) *: [^{]*/, (head) => head.replace(/: [\w |]+/g, ''));

/** An object with the accessors of a field in the middle of other bytes. */
// biome-ignore lint/suspicious/noExplicitAny: the class is known only when it has been made
function made(type: string, forms = {}, version = 2): any {
  const { read, write } = accessors(type, forms);
  const head = 'class T { #block; constructor(block) { this.#block = block; }';
  const source = `${head}\n${[...read, ...write].map(withoutTypes).join('\n')}\n}`;
  const make = new Function(...Object.keys(flyweight), `${source}; return T;`);
  const octets = Buffer.alloc(64, 0xa5);
  const view = new DataView(octets.buffer, octets.byteOffset, octets.length);
  const T = make(...Object.values(flyweight));
  return new T({ octets, view, at: 8, version });
}

const type = (attributes: string, inside = '') => `<type name="t" ${attributes}>${inside}</type>`;

describe('a number takes exactly its values', () => {
  // The limits of a char are characters, and not numbers.
  const small = Object.values(primitives).filter(
    ({ isFloat, name, size }) => !isFloat && size < 8 && name !== 'char',
  );

  /** The value as it is read back, or the error. */
  function tried(set: () => { x: unknown }): unknown {
    try {
      return set().x;
    } catch (error) {
      return (error as Error).message;
    }
  }

  test.each(small)('$name', ({ max, min, name, nullValue }) => {
    const [low, high] = [Number(min), Number(max)];
    for (const presence of ['required', 'optional']) {
      for (const [least, most] of [
        [low, high],
        [low + 1, high - 1],
        [3, 7],
      ] as const) {
        const limits = `minValue="${least}" maxValue="${most}"`;
        const field = made(type(`primitiveType="${name}" presence="${presence}" ${limits}`));
        const edges = [least, most, low, high].flatMap((one) => [one - 1, one, one + 1]);
        const values = [...edges, 5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32 + 5];
        const wanted = values.map((value) => {
          const isNull = presence === 'optional' && value === Number(nullValue);
          const fits = Number.isInteger(value) && value >= least && value <= most && !isNull;
          return fits ? value : `M.X cannot be ${value}`;
        });
        expect(values.map((value) => tried(() => field.setX(value)))).toEqual(wanted);
      }
    }
  });

  test.each(['int64', 'uint64'] as const)('%s, as number, as bigint and in halves', (name) => {
    const { max, min } = primitives[name];
    const values = fc.bigInt({ min: BigInt(min), max: BigInt(max) });
    const [big, little] = [false, true].map((littleEndian) =>
      made(type(`primitiveType="${name}"`), { halves: true, littleEndian }),
    );
    fc.assert(
      fc.property(values, fc.boolean(), (value, isLittle) => {
        const field = isLittle ? little : big;
        expect(field.setXBig(value).xBig).toBe(value);
        expect((BigInt(field.xHigh) << 32n) + BigInt(field.xLow)).toBe(value);
        expect(field.setXHalves(field.xHigh, field.xLow).xBig).toBe(value);
        const number = Number(value);
        if (Number.isSafeInteger(number)) expect(field.setX(number).x).toBe(number);
        else expect(() => field.x).toThrow('beyond 2^53');
      }),
      { numRuns: 40 },
    );
    const field = made(type(`primitiveType="${name}" minValue="1" maxValue="9"`));
    for (const value of [0, 10, 1.5, Number.NaN]) {
      expect(() => field.setX(value)).toThrow(`M.X cannot be ${value}`);
    }
    for (const value of [0n, 10n])
      expect(() => field.setXBig(value)).toThrow(`M.X cannot be ${value}`);
    expect([field.setX(1).x, field.setX(9).xBig]).toEqual([1, 9n]);
  });

  test.each(['uint8', 'int64', 'double'])(
    'an optional %s is nothing when nothing is written',
    (name) => {
      const field = made(type(`primitiveType="${name}" presence="optional"`));
      expect(field.setX(5).setX(undefined).x).toBeUndefined();
      expect(field.setX(5).x).toBe(5);
    },
  );

  test('an optional one may have any null', () => {
    const field = made(type('primitiveType="int64" presence="optional" nullValue="-1"'));
    expect([field.setX(undefined).x, field.setX(0).x, field.setX(-2).x]).toEqual([
      undefined,
      0,
      -2,
    ]);
  });
});

test('halves are there only where they were asked for', () => {
  const names = (halves: boolean) =>
    accessors(type('primitiveType="int64"'), { halves }).read.map(
      (line) => /get (\w+)/.exec(line)?.[1],
    );
  expect(names(false)).toEqual(['x', 'xBig']);
  expect(names(true)).toEqual(['x', 'xBig', 'xHigh', 'xLow']);
});

test('an array is read and written by its index', () => {
  const field = made(type('primitiveType="int16" length="3"'));
  field.setX(0, 1).setX(1, -2).setX(2, 3);
  expect([0, 1, 2].map((index) => field.x(index))).toEqual([1, -2, 3]);
  for (const index of [-1, 3, 0.5]) expect(() => field.x(index)).toThrow('the index of M.X');
});

test('octets are whole, and an optional one of nulls alone is nothing', () => {
  const field = made(type('primitiveType="uint8" length="3" presence="optional"'));
  expect(Buffer.from(field.setX(Uint8Array.of(255, 1, 255)).x)).toEqual(Buffer.of(255, 1, 255));
  expect(field.setX(undefined).x).toBeUndefined();
  expect(() => field.setX(Uint8Array.of(1, 2))).toThrow('M.X cannot be 2 bytes');
});

test.each([2, 3, 16, 17])(
  'text of %i bytes is read as written, in letters or in bytes',
  (length) => {
    const text = 'abcdefghijklmnopqr'.slice(0, length);
    const field = made(type(`primitiveType="char" length="${length}"`));
    expect(field.setX(text).x).toBe(text);
    expect(field.setX('a').x).toBe('a');
    expect(field.setXBytes(Buffer.from(text)).x).toBe(text);
    expect(() => field.setX(`${text}x`)).toThrow(`M.X cannot be text of ${length + 1} bytes`);
  },
);

test('a field of a later version is absent in an earlier one, and is not written in it', () => {
  const later = type('primitiveType="int16" sinceVersion="2"');
  expect(made(later, {}, 2).setX(5).x).toBe(5);
  expect(made(later, {}, 1).x).toBeUndefined();
  expect(() => made(later, {}, 1).setX(5)).toThrow('M.X is not in version 1');
});

test('a constant has a value and no setter', () => {
  const constant = (primitive: string, value: string) => {
    const field = `presence="constant" primitiveType="${primitive}"`;
    expect(accessors(type(field, value)).write).toEqual([]);
    return made(type(field, value)).x;
  };
  expect(constant('int8', '-5')).toBe(-5);
  expect(constant('uint64', '18446744073709551614')).toBe(18_446_744_073_709_551_614n);
  expect(constant('char', "it's \\ all")).toBe("it's \\ all");
});

test('a literal is the text that it was made of', () => {
  const characters = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code));
  const literals = ['', "'\\'", '\\"', '\ud800', ...characters];
  expect(new Function(`return [${literals.map(quoted).join()}];`)()).toEqual(literals);
});

test('offsets are added where they are known', () => {
  expect([plus('at', 0), plus('at', 4), plus('at + 4', 8), plus('at + this.#offset', 8)]).toEqual([
    'at',
    'at + 4',
    'at + 12',
    'at + this.#offset + 8',
  ]);
});
