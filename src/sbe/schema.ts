/**
 * Reads an SBE 1.0 message schema ("Message Schema") from XML into the checked model. All faults are reported at once,
 * with line and path.
 */

import { readXml, type XmlElement } from '../runtime/xml-tree.ts';
import {
  type Data,
  type Field,
  fieldsEnd,
  type Group,
  type Message,
  type Schema,
  type Section,
} from './model.ts';
import { Faults, inside, type Place, SchemaError } from './schema-faults.ts';
import { Structures } from './schema-structure.ts';
import { isVariable, TypeTable, withPresence } from './schema-types.ts';

const maxGroupDepth = 8;
/** The parts of a section in their required order. */
const partKinds = ['field', 'group', 'data'];

export function readSchema(xml: string): Schema {
  const root = parsed(xml);
  const faults = new Faults();
  const place: Place = { element: root, path: '' };
  if (root.name !== 'messageSchema') {
    throw new SchemaError([`line ${root.line}: the root <${root.name}> is not <messageSchema>`]);
  }
  const { attributes } = root;
  const id = faults.count(place, 'id', 0xffff_ffff);
  const version = faults.count(place, 'version') ?? 0;
  if (id === undefined && attributes.get('id') === undefined) faults.required(place, 'id');
  const byteOrder = attributes.get('byteOrder') ?? 'littleEndian';
  if (byteOrder !== 'littleEndian' && byteOrder !== 'bigEndian') {
    faults.add(place, `byteOrder="${byteOrder}" is not littleEndian or bigEndian`);
  }
  const types = new TypeTable(faults, version);
  for (const element of root.children) {
    if (element.name === 'types') types.add({ element, path: '' });
    else if (element.name !== 'message') {
      faults.add(inside(place, element), `<${element.name}> has no place in a schema`);
    }
  }
  types.readAll();
  const reader = new MessageReader(faults, types, version);
  const header = reader.structures.header(place, attributes.get('headerType') ?? 'messageHeader');
  const messages: Message[] = [];
  for (const element of root.children) {
    if (element.name !== 'message') continue;
    const message = reader.message(inside(place, element), messages);
    if (message !== undefined) messages.push(message);
  }
  if (header !== undefined) {
    for (const { name, id: templateId } of messages) {
      if (templateId > header.templateId.max) {
        faults.add(place, `the id ${templateId} of ${name} does not fit into the header`);
      }
    }
    if ((id ?? 0) > header.schemaId.max) faults.add(place, `id ${id} does not fit into the header`);
    if (version > header.version.max)
      faults.add(place, `version ${version} does not fit into the header`);
  }
  faults.throwIfAny();
  if (header === undefined || id === undefined) throw new SchemaError(['no header']);
  return {
    package: faults.words(place, 'package'),
    id,
    version,
    semanticVersion: faults.words(place, 'semanticVersion'),
    description: faults.words(place, 'description'),
    littleEndian: byteOrder === 'littleEndian',
    header,
    enums: types.enums,
    sets: types.sets,
    messages,
  };
}

function parsed(xml: string): XmlElement {
  try {
    return readXml(xml);
  } catch (error) {
    throw new SchemaError([error instanceof Error ? error.message : String(error)]);
  }
}

/** The part of a section being read. */
interface Parts {
  readonly fields: Field[];
  readonly groups: Group[];
  readonly data: Data[];
}

class MessageReader {
  readonly structures: Structures;
  readonly #faults: Faults;
  readonly #types: TypeTable;
  readonly #version: number;

  constructor(faults: Faults, types: TypeTable, version: number) {
    this.#faults = faults;
    this.#types = types;
    this.#version = version;
    this.structures = new Structures(faults, types);
  }

  message(place: Place, before: readonly Message[]): Message | undefined {
    const described = this.#types.described(place);
    if (place.element.attributes.get('id') === undefined) this.#faults.required(place, 'id');
    const id = this.#faults.count(place, 'id') ?? 0;
    for (const other of before) {
      if (other.id === id) this.#faults.add(place, `the id ${id} is that of ${other.name}`);
      if (other.name === described.name) this.#faults.add(place, 'the name is there already');
    }
    return { ...described, id, ...this.#section(place, 0, described.since) };
  }

  #section(place: Place, depth: number, since: number): Section {
    const parts: Parts = { fields: [], groups: [], data: [] };
    const names = new Set<string>();
    let kindBefore = 0;
    for (const element of place.element.children) {
      const at = inside(place, element);
      const kind = partKinds.indexOf(element.name);
      if (kind < 0) {
        this.#faults.add(at, `<${element.name}> has no place here`);
        continue;
      }
      if (kind < kindBefore) {
        this.#faults.add(at, `a ${element.name} cannot follow a ${partKinds[kindBefore]}`);
      }
      kindBefore = Math.max(kind, kindBefore);
      this.#faults.unique(at, names, element.attributes.get('name') ?? '');
      this.#part(at, parts, depth);
    }
    this.#checkVersions(place, parts, depth, since);
    return { blockLength: this.#blockLength(place, parts.fields), ...parts };
  }

  #part(at: Place, parts: Parts, depth: number): void {
    switch (at.element.name) {
      case 'field': {
        const field = this.#field(at, parts.fields);
        if (field !== undefined) parts.fields.push(field);
        return;
      }
      case 'group': {
        if (depth === maxGroupDepth) {
          this.#faults.add(at, `groups are deeper than ${maxGroupDepth}`);
          return;
        }
        const group = this.#group(at, depth);
        if (group !== undefined) parts.groups.push(group);
        return;
      }
      default: {
        const data = this.#data(at);
        if (data !== undefined) parts.data.push(data);
      }
    }
  }

  #field(at: Place, before: readonly Field[]): Field | undefined {
    const { attributes } = at.element;
    const described = this.#types.described(at);
    const id = this.#faults.count(at, 'id');
    const typeName = this.#faults.required(at, 'type');
    const type = typeName === undefined ? undefined : this.#types.named(at, typeName);
    if (type === undefined) return undefined;
    const presence = this.#types.presence(at) ?? type.presence;
    let { constant } = type;
    const reference = attributes.get('valueRef');
    if (reference !== undefined && presence === 'constant') {
      const value = this.#types.valueRef(at, reference)?.value;
      constant = value === undefined ? undefined : BigInt(value);
    }
    if (presence === 'constant' && constant === undefined) {
      return this.#faults.add(at, 'a constant without a value');
    }
    if (presence !== 'constant' && (isVariable(type.encoding) || hasVariable(type.encoding))) {
      return this.#faults.add(at, `${typeName} has no length of its own: it is for <data>`);
    }
    const offset = this.#offset(at, before);
    const { description, semanticType, deprecated } = described;
    return {
      name: described.name,
      description: description === '' ? type.description : description,
      semanticType: semanticType === '' ? type.semanticType : semanticType,
      since: Math.max(described.since, type.since),
      deprecated: deprecated ?? type.deprecated,
      id,
      offset,
      presence,
      encoding: withPresence(type.encoding, presence),
      constant: presence === 'constant' ? constant : undefined,
    };
  }

  #offset(at: Place, before: readonly Field[]): number {
    const end = fieldsEnd(before, this.#version);
    const offset = this.#faults.count(at, 'offset') ?? end;
    if (offset < end) this.#faults.add(at, `offset="${offset}" is inside the field before`);
    return Math.max(offset, end);
  }

  #group(at: Place, depth: number): Group | undefined {
    const described = this.#types.described(at);
    const id = this.#faults.count(at, 'id');
    const typeName = at.element.attributes.get('dimensionType') ?? 'groupSizeEncoding';
    const dimension = this.structures.dimension(at, typeName);
    const section = this.#section(at, depth + 1, described.since);
    if (section.blockLength === 0 && section.groups.length === 0 && section.data.length === 0) {
      return this.#faults.add(at, 'a group whose entries have no bytes');
    }
    if (dimension === undefined) return undefined;
    if (section.blockLength > dimension.blockLength.max) {
      this.#faults.add(
        at,
        `a block of ${section.blockLength} bytes is more than ${typeName} can express`,
      );
    }
    return { ...described, id, dimension, ...section };
  }

  #data(at: Place): Data | undefined {
    const described = this.#types.described(at);
    const id = this.#faults.count(at, 'id');
    const typeName = this.#faults.required(at, 'type');
    if (typeName === undefined) return undefined;
    const structure = this.structures.data(at, typeName);
    return structure === undefined ? undefined : { ...structure, ...described, id };
  }

  #blockLength(place: Place, fields: readonly Field[]): number {
    const end = fieldsEnd(fields, this.#version);
    const given = this.#faults.count(place, 'blockLength') ?? end;
    if (given < end)
      this.#faults.add(place, `blockLength="${given}" is below ${end}, where the fields end`);
    return Math.max(given, end);
  }

  /** An earlier reader must find its own fields and parts first, so newer ones must follow older ones. */
  #checkVersions(
    place: Place,
    { fields, groups, data }: Parts,
    depth: number,
    since: number,
  ): void {
    const fault = (name: string) =>
      this.#faults.add(place, `${name} precedes older parts: earlier readers would misread it`);
    let newest = 0;
    for (const field of fields) {
      if (field.presence === 'constant') continue;
      if (field.since < newest) fault(fields[fields.indexOf(field) - 1]?.name ?? '');
      newest = Math.max(newest, field.since);
    }
    newest = since;
    for (const part of [...groups, ...data]) {
      if (part.since < newest && newest > since) fault('a newer group or data');
      if (depth > 0 && part.since > since) {
        this.#faults.add(
          place,
          `${part.name} is newer than its group: earlier readers cannot skip it`,
        );
      }
      newest = Math.max(newest, part.since);
    }
  }
}

function hasVariable(encoding: Field['encoding']): boolean {
  return encoding.kind === 'composite' && encoding.members.some((one) => isVariable(one.encoding));
}
