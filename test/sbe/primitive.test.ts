import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  getNumber,
  isPrimitiveName,
  type Primitive,
  primitives,
  putNumber,
} from '../../src/sbe/primitive.ts';

test.each([
  ['char', 1, 0n, 255n, 0n],
  ['int8', 1, -128n, 127n, -128n],
  ['int16', 2, -32_768n, 32_767n, -32_768n],
  ['int32', 4, -2_147_483_648n, 2_147_483_647n, -2_147_483_648n],
  ['int64', 8, -(2n ** 63n), 2n ** 63n - 1n, -(2n ** 63n)],
  ['uint8', 1, 0n, 255n, 255n],
  ['uint16', 2, 0n, 65_535n, 65_535n],
  ['uint32', 4, 0n, 4_294_967_295n, 4_294_967_295n],
  ['uint64', 8, 0n, 2n ** 64n - 1n, 2n ** 64n - 1n],
  ['float', 4, -3.4028234663852886e38, 3.4028234663852886e38, Number.NaN],
  ['double', 8, -Number.MAX_VALUE, Number.MAX_VALUE, Number.NaN],
] as const)(
  '%s has %i bytes, a range and the null of SBE 1.0',
  (name, size, min, max, nullValue) => {
    expect(primitives[name]).toMatchObject({ name, size, min, max, nullValue });
    expect(primitives[name].isFloat).toBe(Number.isNaN(nullValue));
  },
);

const anyOf = ({ isFloat, max, min, size }: Primitive) =>
  isFloat
    ? size === 4
      ? fc.float({ noNaN: true })
      : fc.double({ noNaN: true })
    : fc.bigInt({ min: BigInt(min), max: BigInt(max) });

test.each(Object.values(primitives))(
  '$name is read as it was written, and touches no other byte',
  (primitive) => {
    const property = fc.property(anyOf(primitive), fc.boolean(), fc.nat(5), (value, little, at) => {
      const bytes = Buffer.alloc(16, 0xa5);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      putNumber(view, at, primitive, value, little);
      expect(getNumber(view, at, primitive, little)).toBe(value);
      const around = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + primitive.size)]);
      expect(around.every((byte) => byte === 0xa5)).toBe(true);
      // The other order has the same bytes backward.
      const other = Buffer.alloc(primitive.size);
      putNumber(new DataView(other.buffer, other.byteOffset), 0, primitive, value, !little);
      expect(other.reverse()).toEqual(bytes.subarray(at, at + primitive.size));
    });
    fc.assert(property, { numRuns: 30 });
  },
);

test('numbers are two’s complement, with the first byte the greatest unless little-endian', () => {
  const written = (name: keyof typeof primitives, value: bigint | number, little = false) => {
    const bytes = Buffer.alloc(primitives[name].size);
    putNumber(new DataView(bytes.buffer, bytes.byteOffset), 0, primitives[name], value, little);
    return bytes.toString('hex');
  };
  expect(written('int16', -2n)).toBe('fffe');
  expect(written('uint32', 1n, true)).toBe('01000000');
  expect(written('int64', -2n, true)).toBe('feffffffffffffff');
  // A structural number may be given as such.
  expect(written('uint64', 258)).toBe('0000000000000102');
  expect(written('float', 1)).toBe('3f800000');
});

test('only the names of the standard are primitives', () => {
  expect(isPrimitiveName('uint16')).toBe(true);
  expect(['Uint16', 'int7', '', 'constructor', 'toString'].some(isPrimitiveName)).toBe(false);
});
