/** Generated classes read and written by the names of their schema, so that tests can set them beside the generic codec. */
import type { Json, JsonObject } from '../../src/sbe/json.ts';
import { floatJson, floatOf, integerJson, integerOf } from '../../src/sbe/json.ts';
import type {
  ArrayEncoding,
  Data,
  EnumEncoding,
  Field,
  Group,
  ScalarEncoding,
  Section,
  SetEncoding,
} from '../../src/sbe/model.ts';
import { className, memberName } from '../../src/sbe/naming.ts';
import type { Primitive } from '../../src/sbe/primitive.ts';

/** An object of a generated class: its accessors are reached by name. */
// biome-ignore lint/suspicious/noExplicitAny: the names come from the schema
export type Generated = any;

export function readAll(object: Generated, section: Section, version: number): JsonObject {
  const read: Record<string, Json> = readFields(object, section.fields, [], version);
  for (const group of section.groups) {
    if (group.since <= version) read[group.name] = readGroup(object, group, version);
  }
  for (const data of section.data) {
    if (data.since <= version) read[data.name] = readData(object, data);
  }
  return read;
}

function readFields(
  object: Generated,
  fields: readonly Field[],
  around: readonly string[],
  version: number,
): Record<string, Json> {
  const read: Record<string, Json> = {};
  for (const field of fields) {
    if (field.since > version) continue;
    const names = [...around, field.name];
    const { encoding } = field;
    const member = memberName(...names);
    if (encoding.kind !== 'composite') {
      read[field.name] = readField(object, field, member);
    } else if (isShared(object, member)) {
      read[field.name] = readFields(object[member], encoding.members, [], version);
    } else read[field.name] = readFields(object, encoding.members, names, version);
  }
  return read;
}

/** Whether a composite has a class of its own. */
function isShared(object: Generated, member: string): boolean {
  return typeof object[member] === 'object';
}

function readField(object: Generated, field: Field, member: string): Json {
  const { encoding } = field;
  if (field.constant !== undefined && encoding.kind === 'scalar') {
    return numberJson(encoding.primitive, object[member]);
  }
  switch (encoding.kind) {
    case 'scalar':
      return isLong(encoding.primitive)
        ? readLong(
            object[member + big],
            () => object[member],
            object[`${member}High`],
            object[`${member}Low`],
          )
        : numberJson(encoding.primitive, object[member]);
    case 'enum':
      return object[member] === undefined ? null : nameOf(encoding, object[member]);
    case 'set':
      return choicesOf(
        encoding,
        BigInt(isLong(encoding.primitive) ? object[member + big] : object[member]),
      );
    case 'text':
      return object[member] ?? null;
    case 'array': {
      const { element, length } = encoding;
      if (element.primitive.name === 'uint8') return octetsJson(field, element, object[member]);
      const items = Array.from({ length }, (_, index) => readItem(object, element, member, index));
      return items.every((item) => item === null) ? null : items;
    }
    case 'composite':
      throw new Error('a composite has members');
  }
}

const big = 'Big';

function octetsJson(field: Field, { nullValue }: ScalarEncoding, octets?: Uint8Array): Json {
  if (octets === undefined) return null;
  const isNull = (octet: number) => field.presence === 'optional' && BigInt(octet) === nullValue;
  return [...octets].map((octet) => (isNull(octet) ? null : octet));
}

function readItem(
  object: Generated,
  { primitive }: ScalarEncoding,
  member: string,
  index: number,
): Json {
  if (!isLong(primitive)) return numberJson(primitive, object[member](index));
  return readLong(
    object[member + big](index),
    () => object[member](index),
    object[`${member}High`]?.(index),
    object[`${member}Low`]?.(index),
  );
}

/** All forms of a 64-bit integer say the same. */
function readLong(
  value: bigint | undefined,
  number: () => number | undefined,
  high: number | undefined,
  low: number,
): Json {
  if (value === undefined) {
    if (number() !== undefined) throw new Error('a number where the bigint is null');
    return null;
  }
  // Halves are there where the generator was asked for them.
  if (high !== undefined && (BigInt(high) << 32n) + BigInt(low) !== value)
    throw new Error(`halves ${high} ${low} of ${value}`);
  if (value <= 2n ** 53n - 1n && value >= -(2n ** 53n)) {
    if (number() !== Number(value)) throw new Error(`the number of ${value}`);
  } else {
    try {
      number();
    } catch (error) {
      if (error instanceof RangeError) return integerJson(value);
    }
    throw new Error(`${value} is no exact number`);
  }
  return integerJson(value);
}

function numberJson(primitive: Primitive, value: number | bigint | undefined): Json {
  if (value === undefined) return null;
  if (primitive.name === 'char') return String.fromCharCode(Number(value));
  return primitive.isFloat ? floatJson(Number(value)) : integerJson(BigInt(value));
}

function nameOf({ values }: EnumEncoding, value: number): Json {
  return values.find((one) => one.value === value)?.name ?? value;
}

function choicesOf({ primitive, choices }: SetEncoding, bits: bigint): Json {
  const all = Array.from({ length: primitive.size * 8 }, (_, bit) => bit);
  return all
    .filter((bit) => bits & (1n << BigInt(bit)))
    .map((bit) => choices.find((choice) => choice.bit === bit)?.name ?? bit);
}

function isLong({ size, isFloat }: Primitive): boolean {
  return size === 8 && !isFloat;
}

function readGroup(object: Generated, group: Group, version: number): Json {
  const entries: Json[] = [];
  const reader = object[memberName(group.name)];
  while (reader.next()) entries.push(readAll(reader, group, version));
  if (entries.length !== reader.count)
    throw new Error(`${entries.length} of ${reader.count} entries`);
  return entries;
}

function readData(object: Generated, { name, characters }: Data): Json {
  const value = object[memberName(name)];
  if (characters === undefined) return Buffer.from(value).toString('hex');
  const bytes = object[`${memberName(name)}Bytes`];
  const text = Buffer.from(bytes).toString(characters === 'utf8' ? 'utf8' : 'latin1');
  if (text !== value) throw new Error(`${name} as bytes is not ${name} as text`);
  return value;
}

export function writeAll(
  object: Generated,
  section: Section,
  json: JsonObject,
  version: number,
): void {
  writeFields(object, section.fields, [], json, version);
  for (const group of section.groups) {
    if (group.since > version) continue;
    const writer = object[`write${className(group.name)}`]();
    for (const entry of json[group.name] as readonly JsonObject[]) {
      writeAll(writer.add(), group, entry, version);
    }
  }
  for (const { name, since, characters } of section.data) {
    if (since > version) continue;
    const text = json[name] as string;
    object[`set${className(name)}`](characters === undefined ? Buffer.from(text, 'hex') : text);
  }
}

function writeFields(
  object: Generated,
  fields: readonly Field[],
  around: readonly string[],
  json: JsonObject,
  version: number,
): void {
  for (const field of fields) {
    if (field.since > version || field.constant !== undefined) continue;
    const names = [...around, field.name];
    const { encoding } = field;
    const value = json[field.name] ?? null;
    const member = memberName(...names);
    if (encoding.kind === 'composite' && isShared(object, member)) {
      writeFields(object[member], encoding.members, [], value as JsonObject, version);
    } else if (encoding.kind === 'composite') {
      writeFields(object, encoding.members, names, value as JsonObject, version);
    } else writeField(object, field, className(...names), value);
  }
}

function writeField(object: Generated, { encoding }: Field, name: string, json: Json): void {
  const set = `set${name}`;
  switch (encoding.kind) {
    case 'scalar':
      writeNumber(object, set, encoding.primitive, json);
      break;
    case 'enum':
      object[set](encoding.values.find((one) => one.name === json)?.value ?? json ?? undefined);
      break;
    case 'set': {
      const bits = bitsOf(encoding, json as readonly Json[]);
      if (isLong(encoding.primitive)) object[set + big](bits);
      else object[set](Number(bits));
      break;
    }
    case 'text':
      object[set](json ?? undefined);
      break;
    case 'array':
      writeArray(object, set, encoding, json as readonly Json[] | null);
      break;
    case 'composite':
      throw new Error('a composite has members');
  }
}

function writeArray(
  object: Generated,
  set: string,
  { element, length }: ArrayEncoding,
  items: readonly Json[] | null,
): void {
  const { primitive, nullValue } = element;
  if (primitive.name === 'uint8') {
    const octets = items?.map((one) => Number(one ?? nullValue));
    object[set](octets === undefined ? undefined : Uint8Array.from(octets));
    return;
  }
  for (let index = 0; index < length; index += 1) {
    writeNumber(object, set, primitive, items?.[index] ?? null, index);
  }
}

function writeNumber(
  object: Generated,
  set: string,
  primitive: Primitive,
  json: Json,
  ...index: number[]
): void {
  if (json === null) {
    object[set](...index, undefined);
  } else if (primitive.name === 'char') {
    object[set](...index, String(json).charCodeAt(0));
  } else if (primitive.isFloat) {
    object[set](...index, floatOf(json));
  } else if (isLong(primitive)) {
    writeLong(object, set, integerOf(json) ?? 0n, index);
  } else object[set](...index, Number(integerOf(json)));
}

/** By each form in turn, so that all are tried. */
function writeLong(object: Generated, set: string, value: bigint, index: readonly number[]): void {
  const isSafe = Number.isSafeInteger(Number(value));
  if (isSafe && value % 3n === 0n) object[set](...index, Number(value));
  else if (value % 3n === 1n || object[`${set}Halves`] === undefined) {
    object[set + big](...index, value);
  } else object[`${set}Halves`](...index, Number(value >> 32n), Number(BigInt.asUintN(32, value)));
}

function bitsOf({ choices }: SetEncoding, items: readonly Json[]): bigint {
  return items.reduce<bigint>((bits, item) => {
    const bit = choices.find((choice) => choice.name === item)?.bit ?? Number(item);
    return bits | (1n << BigInt(bit));
  }, 0n);
}
