/**
 * A schema after it was read and checked: all references are resolved, and every offset is known. The generator, the
 * generic codec, the documents and the dissector use only this model.
 *
 *   message = header | block of fields | groups | data        (group entry = block of fields | groups | data)
 */
import type { Primitive, WireNumber } from './primitive.ts';

export type Presence = 'required' | 'optional' | 'constant';
export type CharacterEncoding = 'ascii' | 'latin1' | 'utf8';

/** The common attributes of all named elements of a schema. */
export interface Described {
  readonly name: string;
  readonly description: string;
  readonly semanticType: string;
  /** The schema version that introduced it; 0 for the first one. */
  readonly since: number;
  readonly deprecated: number | undefined;
}

export interface ScalarEncoding {
  readonly kind: 'scalar';
  readonly primitive: Primitive;
  readonly nullValue: WireNumber;
  /** The range of values: that of the type, unless the schema narrows it. */
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
  /** With presence constant: a number or text, which takes no bytes. */
  readonly constant: WireNumber | string | undefined;
}

/** A block of fields and what follows it: a message without its header, or a group entry. */
export interface Section {
  readonly blockLength: number;
  readonly fields: readonly Field[];
  readonly groups: readonly Group[];
  readonly data: readonly Data[];
}

/** Precedes the entries of a group. */
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
  /** The offset of the data from the start of the length's composite. */
  readonly offset: number;
  /** Undefined for bytes instead of text. */
  readonly characters: CharacterEncoding | undefined;
}

/** A structural unsigned number of at most 32 bits. */
export interface HeaderField {
  readonly offset: number;
  readonly primitive: Primitive;
  readonly max: number;
}

export interface MessageHeader extends Omit<Dimension, 'numInGroup'> {
  readonly templateId: HeaderField;
  readonly schemaId: HeaderField;
  readonly version: HeaderField;
  /** All members, including those that only this schema has. */
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

/** The bytes that a field takes in its block. */
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

/** A field without members, including those in composites. */
export interface Leaf {
  readonly name: string;
  readonly field: Field;
  readonly offset: number;
  readonly since: number;
}

export function leavesOf(
  fields: readonly Field[],
  around = { name: '', offset: 0, since: 0 },
): Leaf[] {
  return fields.flatMap((field): Leaf[] => {
    const name = `${around.name}${field.name}`;
    const offset = around.offset + field.offset;
    const since = Math.max(around.since, field.since);
    if (field.encoding.kind !== 'composite' || field.presence === 'constant') {
      return [{ name, field, offset, since }];
    }
    return leavesOf(field.encoding.members, { name: `${name}.`, offset, since });
  });
}

/** The end of the last field of a schema version: a block of that version is at least this long. */
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

/** The length of the block as written for a reader of a version. */
export function writtenBlockLength(section: Section, version: number, current: number): number {
  const end = fieldsEnd(section.fields, version);
  return end === fieldsEnd(section.fields, current) ? section.blockLength : end;
}
