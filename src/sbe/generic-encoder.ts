/** Converts JSON to messages by interpreting the schema; the inverse of generic-decoder.ts. */
import { blankBlock, blankDimension, blankMessage, viewOf } from './blank.ts';
import { constantJson } from './generic-decoder.ts';
import {
  floatOf,
  integerOf,
  isObject,
  type Json,
  type JsonMessage,
  type JsonObject,
} from './json.ts';
import {
  type CharacterEncoding,
  type CompositeEncoding,
  type Data,
  type Encoding,
  type EnumEncoding,
  type Field,
  type Group,
  type HeaderField,
  type Presence,
  type ScalarEncoding,
  type Schema,
  type Section,
  type SetEncoding,
  sizeOf,
  writtenBlockLength,
} from './model.ts';
import { type Primitive, putNumber } from './primitive.ts';

/** A value that cannot be encoded, with the path of the field. */
export class EncodeError extends Error {}

/** Returns the message with its header. */
export function encodeMessage(schema: Schema, json: JsonMessage): Buffer {
  const message = schema.messages.find((one) => one.name === json.message);
  if (message === undefined) throw new EncodeError(`the schema has no message ${json.message}`);
  const version = json.version ?? schema.version;
  if (!(version <= schema.version && version >= message.since)) {
    throw new EncodeError(`${message.name} is not in version ${version}`);
  }
  const writer = new Writer(schema, version);
  const header = blankMessage(schema, message).subarray(0, schema.header.size);
  writer.structural(
    header,
    schema.header.blockLength,
    writtenBlockLength(message, version, schema.version),
  );
  writer.structural(header, schema.header.version, version);
  const body = writer.section(message, json.fields, message.name);
  return Buffer.concat([header, ...body]);
}

class Writer {
  readonly #littleEndian: boolean;
  readonly #version: number;
  readonly #schemaVersion: number;

  constructor({ littleEndian, version: schemaVersion }: Schema, version: number) {
    this.#littleEndian = littleEndian;
    this.#version = version;
    this.#schemaVersion = schemaVersion;
  }

  /** Returns the pieces of a section, in wire order. */
  section(section: Section, json: JsonObject, label: string): Buffer[] {
    const known = [...section.fields, ...section.groups, ...section.data];
    this.#refuseUnknown(known, json, label);
    const block = blankBlock(section, this.#littleEndian);
    this.#fields(section.fields, block, json, label);
    const length = writtenBlockLength(section, this.#version, this.#schemaVersion);
    const pieces = [block.subarray(0, length)];
    for (const group of section.groups) {
      if (group.since > this.#version) continue;
      pieces.push(...this.#group(group, json[group.name] ?? [], `${label}.${group.name}`));
    }
    for (const data of section.data) {
      if (data.since > this.#version) continue;
      pieces.push(this.#data(data, json[data.name] ?? '', `${label}.${data.name}`));
    }
    return pieces;
  }

  structural(bytes: Buffer, { offset, primitive }: HeaderField, value: number): void {
    putNumber(viewOf(bytes), offset, primitive, value, this.#littleEndian);
  }

  #refuseUnknown(
    known: readonly { name: string; since: number }[],
    json: JsonObject,
    label: string,
  ): void {
    for (const name of Object.keys(json)) {
      const found = known.find((one) => one.name === name);
      if (found === undefined) throw new EncodeError(`${label} has no ${name}`);
      if (found.since > this.#version) {
        throw new EncodeError(`${label}.${name} is not in version ${this.#version}`);
      }
    }
  }

  #fields(fields: readonly Field[], block: Buffer, json: JsonObject, label: string): void {
    for (const field of fields) {
      if (field.since > this.#version) continue;
      const at = block.subarray(field.offset, field.offset + sizeOf(field));
      this.#field(field, at, json[field.name], `${label}.${field.name}`);
    }
  }

  #field(field: Field, space: Buffer, json: Json | undefined, label: string): void {
    const { encoding, presence, constant } = field;
    if (constant !== undefined) {
      if (json === undefined || json === constantJson(field, constant)) return;
      throw new EncodeError(`${label} is always ${constantJson(field, constant)}`);
    }
    if (encoding.kind === 'composite') {
      if (!isObject(json)) throw new EncodeError(`${label} is an object of members`);
      this.#refuseUnknown(encoding.members, json, label);
      this.#fields(encoding.members, space, json, label);
      return;
    }
    if (json === null || json === undefined) {
      // An empty set needs no null value, and the block is already initialized.
      if (presence === 'optional') return;
      throw new EncodeError(`${label} is ${json === null ? 'not optional' : 'missing'}`);
    }
    this.#value(encoding, presence, space, json, label);
  }

  #value(
    encoding: Exclude<Encoding, CompositeEncoding>,
    presence: Presence,
    space: Buffer,
    json: Json,
    label: string,
  ): void {
    const view = viewOf(space);
    switch (encoding.kind) {
      case 'scalar':
        this.#scalar(view, 0, encoding, json, label);
        break;
      case 'enum':
        this.#number(view, 0, encoding.primitive, enumValue(encoding, json, label));
        break;
      case 'set':
        this.#number(view, 0, encoding.primitive, setValue(encoding, json, label));
        break;
      case 'text':
        characters(json, encoding.characters, encoding.length, label).copy(space);
        break;
      case 'array': {
        const { element, length } = encoding;
        if (!Array.isArray(json) || json.length !== length) {
          throw new EncodeError(`${label} is a list of ${length}`);
        }
        for (const [index, item] of json.entries()) {
          if (item === null && presence === 'optional') continue;
          this.#scalar(view, index * element.primitive.size, element, item, `${label}[${index}]`);
        }
      }
    }
  }

  #scalar(view: DataView, at: number, encoding: ScalarEncoding, json: Json, label: string): void {
    const { primitive, min, max } = encoding;
    const value = primitive.isFloat
      ? floatOf(json)
      : primitive.name === 'char'
        ? characterOf(json)
        : integerOf(json);
    if (value === undefined || value < min || value > max) {
      const wanted = primitive.name === 'char' ? 'a character' : primitive.name;
      throw new EncodeError(
        `${label}: ${JSON.stringify(json)} is not ${wanted} from ${min} to ${max}`,
      );
    }
    putNumber(view, at, primitive, value, this.#littleEndian);
  }

  #number(view: DataView, at: number, primitive: Primitive, value: bigint): void {
    putNumber(view, at, primitive, value, this.#littleEndian);
  }

  #group(group: Group, json: Json, label: string): Buffer[] {
    const { dimension } = group;
    if (!Array.isArray(json)) throw new EncodeError(`${label} is a list of entries`);
    if (json.length > dimension.numInGroup.max) {
      throw new EncodeError(
        `${label}: ${json.length} entries are above ${dimension.numInGroup.max}`,
      );
    }
    const start = blankDimension(group, this.#littleEndian);
    this.structural(
      start,
      dimension.blockLength,
      writtenBlockLength(group, this.#version, this.#schemaVersion),
    );
    this.structural(start, dimension.numInGroup, json.length);
    const entries = json.flatMap((entry: Json, index) => {
      if (!isObject(entry)) throw new EncodeError(`${label}[${index}] is an object of fields`);
      return this.section(group, entry, `${label}[${index}]`);
    });
    return [start, ...entries];
  }

  #data(data: Data, json: Json, label: string): Buffer {
    const start = Buffer.alloc(data.offset);
    const octets =
      data.characters === undefined
        ? hexOctets(json, label)
        : characters(json, data.characters, data.length.max, label);
    if (octets.length > data.length.max) {
      throw new EncodeError(`${label}: ${octets.length} bytes are above ${data.length.max}`);
    }
    this.structural(start, data.length, octets.length);
    return Buffer.concat([start, octets]);
  }
}

function characterOf(json: Json): bigint | undefined {
  const isOne = typeof json === 'string' && json.length === 1;
  return isOne ? BigInt(json.charCodeAt(0)) : undefined;
}

function enumValue(
  { values, primitive, typeName }: EnumEncoding,
  json: Json,
  label: string,
): bigint {
  const named = values.find((one) => one.name === json)?.value;
  const value = named ?? (typeof json === 'number' ? json : Number.NaN);
  if (Number.isInteger(value) && value >= primitive.min && value <= primitive.max)
    return BigInt(value);
  throw new EncodeError(`${label}: ${JSON.stringify(json)} is not in ${typeName}`);
}

function setValue(
  { choices, primitive, typeName }: SetEncoding,
  json: Json,
  label: string,
): bigint {
  if (!Array.isArray(json)) throw new EncodeError(`${label} is a list of choices`);
  let bits = 0n;
  for (const item of json) {
    const bit = choices.find((choice) => choice.name === item)?.bit ?? item;
    if (!Number.isInteger(bit) || bit < 0 || bit >= primitive.size * 8) {
      throw new EncodeError(`${label}: ${JSON.stringify(item)} is not in ${typeName}`);
    }
    bits |= 1n << BigInt(bit);
  }
  return bits;
}

function characters(json: Json, encoding: CharacterEncoding, max: number, label: string): Buffer {
  if (typeof json !== 'string') throw new EncodeError(`${label} is text`);
  const octets = Buffer.from(json, encoding === 'utf8' ? 'utf8' : 'latin1');
  const highest = encoding === 'ascii' ? 127 : 255;
  const fits =
    encoding === 'utf8' || [...json].every((one) => (one.codePointAt(0) ?? 0) <= highest);
  if (!fits) throw new EncodeError(`${label}: ${JSON.stringify(json)} is not ${encoding}`);
  if (octets.length > max)
    throw new EncodeError(`${label}: ${octets.length} bytes are above ${max}`);
  return octets;
}

function hexOctets(json: Json, label: string): Buffer {
  if (typeof json !== 'string' || !/^([0-9a-fA-F]{2})*$/.test(json)) {
    throw new EncodeError(`${label} is octets in hex`);
  }
  return Buffer.from(json, 'hex');
}
