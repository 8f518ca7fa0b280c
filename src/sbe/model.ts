/**
 * A schema after it was read and checked: everything resolved, every offset known. The generator, the generic codec,
 * the documents and the dissector read nothing else.
 *
 *   message = header | block of fields | groups | data        (group entry = block of fields | groups | data)
 */
import type { Primitive, WireNumber } from './primitive.ts';

export type Presence = 'required' | 'optional' | 'constant';
export type CharacterEncoding = 'ascii' | 'latin1' | 'utf8';

/** What every named thing of a schema may say about itself. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly semanticType: string;
  /** The version of the schema that it came with; 0 if it was always there. */
  readonly since: number;
  readonly deprecated: number | undefined;
}

export interface ScalarEncoding {
  readonly kind: 'scalar';
  readonly primitive: Primitive;
  readonly nullValue: WireNumber;
  /** The range that a value may have; only what the schema itself says narrows the native one. */
  readonly min: WireNumber;
  readonly max: WireNumber;
}

export interface ArrayEncoding {
  readonly kind: 'array';
  readonly element: ScalarEncoding;
  readonly length: number;
}

/** A char array: text padded with NUL. */
export interface TextEncoding {
  readonly kind: 'text';
  readonly length: number;
  readonly characters: CharacterEncoding;
}

export interface EnumValue extends Described {
  readonly value: number;
}

export interface EnumEncoding {
  readonly kind: 'enum';
  readonly typeName: string;
  readonly primitive: Primitive;
  readonly nullValue: number;
  readonly values: readonly EnumValue[];
}

export interface SetChoice extends Described {
  readonly bit: number;
}

export interface SetEncoding {
  readonly kind: 'set';
  readonly typeName: string;
  readonly primitive: Primitive;
  readonly choices: readonly SetChoice[];
}

export interface CompositeEncoding {
  readonly kind: 'composite';
  readonly typeName: string;
  readonly description: string;
  readonly size: number;
  readonly members: readonly Field[];
}

export type Encoding =
  | ScalarEncoding
  | ArrayEncoding
  | TextEncoding
  | EnumEncoding
  | SetEncoding
  | CompositeEncoding;

/** A field of a block, or a member of a composite. */
export interface Field extends Described {
  readonly id: number | undefined;
  readonly offset: number;
  readonly presence: Presence;
  readonly encoding: Encoding;
  /** With presence constant: a number, or text. It takes no bytes. */
  readonly constant: WireNumber | string | undefined;
}

/** A block of fields with what follows it: a message without its header, or an entry of a group. */
export interface Section {
  readonly blockLength: number;
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  readonly data: readonly Data[];
}

/** Stands before the entries of a group. */
export interface Dimension {
  readonly typeName: string;
  readonly size: number;
  readonly blockLength: HeaderField;
  readonly numInGroup: HeaderField;
  readonly numGroups: HeaderField | undefined;
  readonly numVarDataFields: HeaderField | undefined;
}

export interface Group extends Described, Section {
  readonly id: number | undefined;
  readonly dimension: Dimension;
}

export interface Data extends Described {
  readonly id: number | undefined;
  readonly typeName: string;
  readonly length: HeaderField;
  /** Where the octets begin, from the beginning of the length's composite. */
  readonly offset: number;
  /** Undefined: octets, not text. */
  readonly characters: CharacterEncoding | undefined;
}

/** An unsigned number of at most 32 bits that tells the structure. */
export interface HeaderField {
  readonly offset: number;
  readonly primitive: Primitive;
  readonly max: number;
}

export interface MessageHeader {
  readonly typeName: string;
  readonly size: number;
  readonly blockLength: HeaderField;
  readonly templateId: HeaderField;
  readonly schemaId: HeaderField;
  readonly version: HeaderField;
  readonly numGroups: HeaderField | undefined;
  readonly numVarDataFields: HeaderField | undefined;
  /** All of them, those that only this schema knows too. */
  readonly members: readonly Field[];
}

export interface Message extends Described, Section {
  readonly id: number;
}

export interface Schema {
  readonly package: string;
  readonly id: number;
  readonly version: number;
  readonly semanticVersion: string;
  readonly description: string;
  readonly littleEndian: boolean;
  readonly header: MessageHeader;
  readonly enums: readonly EnumEncoding[];
  readonly sets: readonly SetEncoding[];
  readonly messages: readonly Message[];
}

/** Bytes that a field takes in its block. */
export function sizeOf(field: Pick<Field, 'presence' | 'encoding'>): number {
  return field.presence === 'constant' ? 0 : encodedSize(field.encoding);
}

export function encodedSize(encoding: Encoding): number {
  switch (encoding.kind) {
    case 'scalar':
    case 'enum':
    case 'set':
      return encoding.primitive.size;
    case 'array':
      return encoding.element.primitive.size * encoding.length;
    case 'text':
      return encoding.length;
    case 'composite':
      return encoding.size;
  }
}

/** Where the last field ends that a version of the schema has: a block of that version is not shorter. */
export function fieldsEnd(fields: readonly Field[], version: number): number {
  let end = 0;
  for (const field of fields) {
    if (field.since > version || field.presence === 'constant') continue;
    const { encoding } = field;
    const size =
      encoding.kind === 'composite' ? fieldsEnd(encoding.members, version) : encodedSize(encoding);
    end = Math.max(end, field.offset + size);
  }
  return end;
}

/** The block as it is written for a reader of some version. */
export function writtenBlockLength(section: Section, version: number, current: number): number {
  const end = fieldsEnd(section.fields, version);
  return end === fieldsEnd(section.fields, current) ? section.blockLength : end;
}
