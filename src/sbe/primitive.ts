/** The primitive types of SBE 1.0 ("Field encoding"): size, native range, and null value. */

export type PrimitiveName =
  | 'char'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float'
  | 'double';

/** In the model, wire integers of any size are bigint; floating-point values are numbers. */
export type WireNumber = bigint | number;

export interface Primitive {
  readonly name: PrimitiveName;
  readonly size: 1 | 2 | 4 | 8;
  readonly isFloat: boolean;
  readonly min: WireNumber;
  readonly max: WireNumber;
  /** The default, which a schema can override. */
  readonly nullValue: WireNumber;
  /** The name of its methods in a DataView, without get or set. */
  readonly accessor: Accessor;
}

type Accessor = keyof DataView extends infer Name
  ? Name extends `get${infer Rest}`
    ? Rest
    : never
  : never;

function integer(name: PrimitiveName, size: 1 | 2 | 4 | 8, accessor: Accessor): Primitive {
  const bits = BigInt(size * 8);
  const isSigned = !name.startsWith('u') && name !== 'char';
  const min = isSigned ? -(1n << (bits - 1n)) : 0n;
  const max = isSigned ? (1n << (bits - 1n)) - 1n : (1n << bits) - 1n;
  const nullValue = name === 'char' ? 0n : isSigned ? min : max;
  return { name, size, isFloat: false, min, max, nullValue, accessor };
}

function float(name: PrimitiveName, size: 4 | 8, accessor: Accessor): Primitive {
  const max = size === 4 ? (2 - 2 ** -23) * 2 ** 127 : Number.MAX_VALUE;
  return { name, size, isFloat: true, min: -max, max, nullValue: Number.NaN, accessor };
}

export const primitives: Readonly<Record<PrimitiveName, Primitive>> = {
  char: integer('char', 1, 'Uint8'),
  int8: integer('int8', 1, 'Int8'),
  int16: integer('int16', 2, 'Int16'),
  int32: integer('int32', 4, 'Int32'),
  int64: integer('int64', 8, 'BigInt64'),
  uint8: integer('uint8', 1, 'Uint8'),
  uint16: integer('uint16', 2, 'Uint16'),
  uint32: integer('uint32', 4, 'Uint32'),
  uint64: integer('uint64', 8, 'BigUint64'),
  float: float('float', 4, 'Float32'),
  double: float('double', 8, 'Float64'),
};

export function isPrimitiveName(name: string): name is PrimitiveName {
  return Object.hasOwn(primitives, name);
}

export function getNumber(
  view: DataView,
  at: number,
  { accessor, isFloat }: Primitive,
  littleEndian: boolean,
): WireNumber {
  const value = view[`get${accessor}`](at, littleEndian);
  return isFloat ? value : BigInt(value);
}

/** Writes a number whose range has been checked. */
export function putNumber(
  view: DataView,
  at: number,
  { accessor, isFloat, size }: Primitive,
  value: WireNumber,
  littleEndian: boolean,
): void {
  const put = view[`set${accessor}`] as (at: number, value: WireNumber, order: boolean) => void;
  put.call(view, at, size === 8 && !isFloat ? BigInt(value) : Number(value), littleEndian);
}
