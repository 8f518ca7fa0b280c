/**
 * Converts messages to JSON by interpreting the schema: slow, for logs, tools and tests. It checks every count and
 * length against the frame before using it, like generated code.
 */
import { beyond, cut, decoded, shorter, textAt } from './flyweight.ts';
import { floatJson, integerJson, type Json, type JsonObject } from './json.ts';
import {
  type CompositeEncoding,
  type Data,
  type Encoding,
  type EnumEncoding,
  type Field,
  fieldsEnd,
  type Group,
  type HeaderField,
  type Message,
  type ScalarEncoding,
  type Schema,
  type Section,
  type SetEncoding,
  sizeOf,
} from './model.ts';
import { getNumber, type Primitive, type WireNumber } from './primitive.ts';

export interface DecodedMessage {
  readonly message: string;
  readonly templateId: number;
  readonly schemaId: number;
  /** The version in which the message was written, which may be later than the schema's. */
  readonly version: number;
  readonly fields: JsonObject;
  /** The size of header, block, groups and data, without anything that a newer version appended. */
  readonly length: number;
  /** Fields whose value is invalid in the schema: outside its minimum and maximum, or unknown to an enum. */
  readonly outOfRange: readonly string[];
}

/** Some bytes of a message and their meaning, for documents. */
export interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly name: string;
  readonly value: Json;
}

interface HeaderValues {
  readonly blockLength: number;
  readonly templateId: number;
  readonly schemaId: number;
  readonly version: number;
}

/** Returns a fault as text. `pieces` receives the bytes in order. */
export function decodeMessage(
  schema: Schema,
  bytes: Uint8Array,
  at = 0,
  end = bytes.length,
  pieces?: Piece[],
): DecodedMessage | string {
  const limit = Math.min(end, bytes.length);
  const header = readHeader(schema, bytes, at, limit);
  if (typeof header === 'string') return header;
  const { templateId, schemaId, version } = header;
  if (schemaId !== schema.id) return `the schema ${schemaId} is not ${schema.id}`;
  const message = schema.messages.find((one) => one.id === templateId);
  if (message === undefined) return `schema ${schema.id} has no template ${templateId}`;
  const reader = new Reader(schema, bytes, limit, version, pieces);
  const read = reader.message(schema, message, at, header.blockLength);
  if (typeof read === 'string') return read;
  const { fields } = read;
  const { outOfRange } = reader;
  const length = read.end - at;
  return { message: message.name, templateId, schemaId, version, fields, length, outOfRange };
}

export function readHeader(
  { header, littleEndian }: Schema,
  bytes: Uint8Array,
  at: number,
  limit: number,
): HeaderValues | string {
  if (at + header.size > limit) return cut('the header', header.size, limit - at);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const of = (field: HeaderField) =>
    Number(getNumber(view, at + field.offset, field.primitive, littleEndian));
  return {
    blockLength: of(header.blockLength),
    templateId: of(header.templateId),
    schemaId: of(header.schemaId),
    version: of(header.version),
  };
}

/** A fault found while reading a message; it is caught in this file. */
class Fault extends Error {}

class Reader {
  readonly outOfRange: string[] = [];
  readonly #littleEndian: boolean;
  readonly #view: DataView;
  readonly #octets: Buffer;
  readonly #limit: number;
  readonly #version: number;
  readonly #pieces: Piece[] | undefined;
  #at = 0;

  constructor(
    { littleEndian }: Schema,
    bytes: Uint8Array,
    limit: number,
    version: number,
    pieces: Piece[] | undefined,
  ) {
    this.#littleEndian = littleEndian;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#limit = limit;
    this.#version = version;
    this.#pieces = pieces;
  }

  message({ header }: Schema, message: Message, at: number, blockLength: number) {
    this.#at = at + header.size;
    try {
      if (this.#pieces !== undefined) this.#fields(header.members, at, header.typeName);
      const fields = this.#section(message, blockLength, message.name);
      return { fields, end: this.#at };
    } catch (error) {
      if (error instanceof Fault) return error.message;
      throw error;
    }
  }

  #section(section: Section, blockLength: number, label: string): JsonObject {
    const needed = fieldsEnd(section.fields, this.#version);
    if (blockLength < needed) throw new Fault(shorter(label, blockLength, needed, this.#version));
    const block = this.#take(blockLength, label);
    const read = this.#fields(section.fields, block, label);
    for (const group of section.groups) {
      if (group.since <= this.#version) read[group.name] = this.#group(group, label);
    }
    for (const data of section.data) {
      if (data.since <= this.#version) read[data.name] = this.#data(data, label);
    }
    return read;
  }

  #fields(fields: readonly Field[], at: number, label: string): Record<string, Json> {
    const read: Record<string, Json> = {};
    for (const field of fields) {
      if (field.since > this.#version) continue;
      read[field.name] = this.#field(field, at + field.offset, `${label}.${field.name}`);
    }
    return read;
  }

  #field(field: Field, at: number, label: string): Json {
    const { encoding, constant } = field;
    if (constant !== undefined) return constantJson(field, constant);
    if (encoding.kind === 'composite') return this.#fields(encoding.members, at, label);
    const value = this.#value(encoding, at, field.presence === 'optional', label);
    this.#piece(label, value, at, sizeOf(field));
    return value;
  }

  #piece(name: string, value: Json, offset: number, size: number): void {
    const bytes = this.#octets.subarray(offset, offset + size);
    this.#pieces?.push({ offset, bytes, name, value });
  }

  #value(
    encoding: Exclude<Encoding, CompositeEncoding>,
    at: number,
    isOptional: boolean,
    label: string,
  ): Json {
    switch (encoding.kind) {
      case 'scalar':
        return this.#scalar(encoding, at, isOptional, label);
      case 'enum':
        return this.#enum(encoding, at, isOptional, label);
      case 'set':
        return setJson(encoding, BigInt(this.#number(encoding.primitive, at)));
      case 'text': {
        const text = textAt(this.#octets, at, encoding.length, encoding.characters);
        return isOptional && text === '' ? null : text;
      }
      case 'array': {
        const { element, length } = encoding;
        const items = Array.from({ length }, (_, index) =>
          this.#scalar(element, at + index * element.primitive.size, isOptional, label),
        );
        return items.every((item) => item === null) ? null : items;
      }
    }
  }

  #scalar(encoding: ScalarEncoding, at: number, isOptional: boolean, label: string): Json {
    const { primitive, nullValue, min, max } = encoding;
    const value = this.#number(primitive, at);
    const isNull = Number.isNaN(nullValue) ? Number.isNaN(value) : value === nullValue;
    if (isOptional && isNull) return null;
    if (value < min || value > max) this.outOfRange.push(label);
    return scalarJson(primitive, value);
  }

  #enum(encoding: EnumEncoding, at: number, isOptional: boolean, label: string): Json {
    const value = Number(this.#number(encoding.primitive, at));
    const isKnown = encoding.values.some((one) => one.value === value);
    if (!isKnown && value !== encoding.nullValue) this.outOfRange.push(label);
    return enumJson(encoding, value, isOptional);
  }

  #group(group: Group, around: string): readonly Json[] {
    const label = `${around}.${group.name}`;
    const { dimension } = group;
    const at = this.#take(dimension.size, label);
    const blockLength = this.#structural(dimension.blockLength, at, `${label} blockLength`);
    const count = this.#structural(dimension.numInGroup, at, `${label} numInGroup`);
    if (count > dimension.numInGroup.max)
      throw new Fault(beyond(label, count, dimension.numInGroup.max));
    const left = this.#limit - this.#at;
    // An entry counts as at least one byte, so that no count makes a long loop of a short frame.
    if (count * Math.max(blockLength, 1) > left)
      throw new Fault(cut(label, count * blockLength, left));
    return Array.from({ length: count }, () => this.#section(group, blockLength, label));
  }

  #data({ name, offset, length, characters }: Data, around: string): string {
    const label = `${around}.${name}`;
    const at = this.#take(offset, label);
    const size = this.#structural(length, at, `${label} length`);
    if (size > length.max) throw new Fault(beyond(label, size, length.max));
    const start = this.#take(size, label);
    const value =
      characters === undefined
        ? this.#octets.toString('hex', start, start + size)
        : decoded(this.#octets, start, start + size, characters);
    this.#piece(label, value, start, size);
    return value;
  }

  /** Skips this many bytes and returns their start. */
  #take(size: number, label: string): number {
    const at = this.#at;
    if (at + size > this.#limit) throw new Fault(cut(label, size, this.#limit - at));
    this.#at += size;
    return at;
  }

  #structural({ offset, primitive }: HeaderField, at: number, label: string): number {
    const value = Number(this.#number(primitive, at + offset));
    this.#piece(label, value, at + offset, primitive.size);
    return value;
  }

  #number(primitive: Primitive, at: number): WireNumber {
    return getNumber(this.#view, at, primitive, this.#littleEndian);
  }
}

function scalarJson(primitive: Primitive, value: WireNumber): Json {
  if (primitive.name === 'char') return String.fromCharCode(Number(value));
  return typeof value === 'bigint' ? integerJson(value) : floatJson(value);
}

export function constantJson({ encoding }: Field, constant: WireNumber | string): Json {
  if (typeof constant === 'string') return constant;
  if (encoding.kind === 'enum') return enumJson(encoding, Number(constant), false);
  if (encoding.kind === 'scalar') return scalarJson(encoding.primitive, constant);
  return null;
}

function enumJson({ values, nullValue }: EnumEncoding, value: number, isOptional: boolean): Json {
  const name = values.find((one) => one.value === value)?.name;
  if (name !== undefined) return name;
  return isOptional && value === nullValue ? null : value;
}

function setJson({ choices, primitive }: SetEncoding, bits: bigint): Json {
  const read: Json[] = [];
  for (let bit = 0; bit < primitive.size * 8; bit += 1) {
    if (((bits >> BigInt(bit)) & 1n) === 0n) continue;
    read.push(choices.find((choice) => choice.bit === bit)?.name ?? bit);
  }
  return read;
}
