/** The bytes of a message piece by piece, each with what it is: for documents. */
import type { Json, JsonObject } from './json.ts';
import {
  type Data,
  type Field,
  type Group,
  type HeaderField,
  type Schema,
  type Section,
  sizeOf,
} from './model.ts';

export interface Piece {
  readonly offset: number;
  readonly bytes: Buffer;
  readonly name: string;
  readonly value: string;
}

/** `json` is what the bytes say, in the schema's own version. */
export function annotate(
  schema: Schema,
  section: Section,
  bytes: Buffer,
  json: JsonObject,
): Piece[] {
  const walk = new Walk(bytes);
  const { header } = schema;
  for (const { name, offset, encoding } of header.members) {
    const size = sizeOf({ presence: 'required', encoding });
    walk.piece(`${header.typeName}.${name}`, headerValue(schema, bytes, name), offset, size);
  }
  walk.at = header.size;
  sectionPieces(schema, walk, section, json, '');
  return walk.pieces;
}

class Walk {
  readonly pieces: Piece[] = [];
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  piece(name: string, value: string, offset: number, size: number): void {
    const at = this.at + offset;
    this.pieces.push({ offset: at, bytes: this.#bytes.subarray(at, at + size), name, value });
  }

  number({ offset, primitive }: HeaderField, littleEndian: boolean): number {
    const at = this.at + offset;
    return littleEndian
      ? this.#bytes.readUIntLE(at, primitive.size)
      : this.#bytes.readUIntBE(at, primitive.size);
  }
}

function headerValue({ header, littleEndian }: Schema, bytes: Buffer, name: string): string {
  const field = Object.entries(header).find(([key]) => key === name)?.[1] as
    | HeaderField
    | undefined;
  return field === undefined ? '' : String(new Walk(bytes).number(field, littleEndian));
}

function sectionPieces(
  schema: Schema,
  walk: Walk,
  section: Section,
  json: JsonObject,
  path: string,
): void {
  fields(walk, section.fields, json, 0, path);
  walk.at += section.blockLength;
  for (const group of section.groups) groupPieces(schema, walk, group, json, path);
  for (const data of section.data) dataPieces(schema, walk, data, json, path);
}

function fields(
  walk: Walk,
  all: readonly Field[],
  json: JsonObject,
  base: number,
  path: string,
): void {
  for (const field of all) {
    const { name, encoding, constant, offset } = field;
    if (constant !== undefined) continue;
    const value = json[name] ?? null;
    if (encoding.kind === 'composite') {
      fields(walk, encoding.members, value as JsonObject, base + offset, `${path}${name}.`);
    } else walk.piece(path + name, shown(value), base + offset, sizeOf(field));
  }
}

function groupPieces(
  schema: Schema,
  walk: Walk,
  group: Group,
  json: JsonObject,
  path: string,
): void {
  const { dimension, name } = group;
  const label = path + name;
  const entries = json[name] as readonly JsonObject[];
  const { littleEndian } = schema;
  for (const [part, field] of Object.entries(dimension)) {
    if (typeof field !== 'object') continue;
    const value = String(walk.number(field, littleEndian));
    walk.piece(`${label} ${part}`, value, field.offset, field.primitive.size);
  }
  walk.at += dimension.size;
  for (const [index, entry] of entries.entries()) {
    sectionPieces(schema, walk, group, entry, `${label}[${index}].`);
  }
}

function dataPieces(
  { littleEndian }: Schema,
  walk: Walk,
  data: Data,
  json: JsonObject,
  path: string,
): void {
  const { name, length, offset } = data;
  const size = walk.number(length, littleEndian);
  walk.piece(`${path}${name} length`, String(size), length.offset, length.primitive.size);
  walk.piece(path + name, shown(json[name] ?? ''), offset, size);
  walk.at += offset + size;
}

function shown(value: Json): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
