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
import { Place, SchemaError } from './schema-faults.ts';
import { dataTypeOf, dimensionOf, headerOf } from './schema-structure.ts';
import { isVariable, TypeTable, withPresence } from './schema-types.ts';

const maxGroupDepth = 8;
/** The parts of a section in their required order. */
const partKinds = ['field', 'group', 'data'];

export function readSchema(xml: string): Schema {
  const root = parsed(xml);
  const place = new Place(root);
  if (root.name !== 'messageSchema') {
    throw new SchemaError([`line ${root.line}: the root <${root.name}> is not <messageSchema>`]);
  }
  const { attributes } = root;
  const id = place.id();
  const version = place.count('version') ?? 0;
  const byteOrder = attributes.get('byteOrder') ?? 'littleEndian';
  if (byteOrder !== 'littleEndian' && byteOrder !== 'bigEndian') {
    place.fault(`byteOrder="${byteOrder}" is not littleEndian or bigEndian`);
  }
  const types = new TypeTable(version);
  for (const element of root.children) {
    if (element.name === 'types') types.add(place, element);
    else if (element.name !== 'message') {
      place.inside(element).fault(`<${element.name}> has no place in a schema`);
    }
  }
  types.readAll();
  const header = headerOf(types, place, attributes.get('headerType') ?? 'messageHeader');
  const messages: Message[] = [];
  for (const element of root.children) {
    if (element.name !== 'message') continue;
    messages.push(messageOf(types, place.inside(element), messages));
  }
  if (header !== undefined) {
    for (const { name, id: templateId } of messages) {
      if (templateId > header.templateId.max) {
        place.fault(`the id ${templateId} of ${name} does not fit into the header`);
      }
    }
    if ((id ?? 0) > header.schemaId.max) place.fault(`id ${id} does not fit into the header`);
    if (version > header.version.max)
      place.fault(`version ${version} does not fit into the header`);
  }
  place.throwIfFaulty();
  if (header === undefined || id === undefined) throw new SchemaError(['no header']);
  return {
    package: place.words('package'),
    id,
    version,
    semanticVersion: place.words('semanticVersion'),
    description: place.words('description'),
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

function messageOf(types: TypeTable, place: Place, before: readonly Message[]): Message {
  const described = types.described(place);
  const id = place.id() ?? 0;
  for (const other of before) {
    if (other.id === id) place.fault(`the id ${id} is that of ${other.name}`);
    if (other.name === described.name) place.fault('the name is there already');
  }
  return { ...described, id, ...sectionOf(types, place, 0, described.since) };
}

function sectionOf(types: TypeTable, place: Place, depth: number, since: number): Section {
  const parts: Parts = { fields: [], groups: [], data: [] };
  const names = new Set<string>();
  let kindBefore = 0;
  for (const element of place.element.children) {
    const at = place.inside(element);
    const kind = partKinds.indexOf(element.name);
    if (kind < 0) {
      at.fault(`<${element.name}> has no place here`);
      continue;
    }
    if (kind < kindBefore) {
      at.fault(`a ${element.name} cannot follow a ${partKinds[kindBefore]}`);
    }
    kindBefore = Math.max(kind, kindBefore);
    at.unique(names, element.attributes.get('name') ?? '');
    readPart(types, at, parts, depth);
  }
  checkVersions(place, parts, depth, since);
  return { blockLength: blockLengthOf(types, place, parts.fields), ...parts };
}

function readPart(types: TypeTable, at: Place, parts: Parts, depth: number): void {
  const { data, fields, groups } = parts;
  switch (at.element.name) {
    case 'field':
      addTo(fields, fieldOf(types, at, fields));
      break;
    case 'group':
      if (depth === maxGroupDepth) at.fault(`groups are deeper than ${maxGroupDepth}`);
      else addTo(groups, groupOf(types, at, depth));
      break;
    default:
      addTo(data, dataOf(types, at));
  }
}

function addTo<Part>(parts: Part[], part: Part | undefined): void {
  if (part !== undefined) parts.push(part);
}

function fieldOf(types: TypeTable, at: Place, before: readonly Field[]): Field | undefined {
  const { attributes } = at.element;
  const described = types.described(at);
  const id = at.count('id');
  const typeName = at.required('type');
  const type = typeName === undefined ? undefined : types.named(at, typeName);
  if (type === undefined) return undefined;
  const presence = types.presence(at) ?? type.presence;
  let { constant } = type;
  const reference = attributes.get('valueRef');
  if (reference !== undefined && presence === 'constant') {
    const value = types.valueRef(at, reference)?.value;
    constant = value === undefined ? undefined : BigInt(value);
  }
  if (presence === 'constant' && constant === undefined) {
    return at.fault('a constant without a value');
  }
  if (presence !== 'constant' && (isVariable(type.encoding) || hasVariable(type.encoding))) {
    return at.fault(`${typeName} has no length of its own: it is for <data>`);
  }
  const offset = offsetOf(types, at, before);
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

function offsetOf(types: TypeTable, at: Place, before: readonly Field[]): number {
  const end = fieldsEnd(before, types.schemaVersion);
  const offset = at.count('offset') ?? end;
  if (offset < end) at.fault(`offset="${offset}" is inside the field before`);
  return Math.max(offset, end);
}

function groupOf(types: TypeTable, at: Place, depth: number): Group | undefined {
  const described = types.described(at);
  const id = at.count('id');
  const typeName = at.text('dimensionType') ?? 'groupSizeEncoding';
  const dimension = dimensionOf(types, at, typeName);
  const section = sectionOf(types, at, depth + 1, described.since);
  if (section.blockLength === 0 && section.groups.length === 0 && section.data.length === 0) {
    return at.fault('a group whose entries have no bytes');
  }
  if (dimension === undefined) return undefined;
  if (section.blockLength > dimension.blockLength.max) {
    at.fault(`a block of ${section.blockLength} bytes is more than ${typeName} can express`);
  }
  return { ...described, id, dimension, ...section };
}

function dataOf(types: TypeTable, at: Place): Data | undefined {
  const described = types.described(at);
  const id = at.count('id');
  const typeName = at.required('type');
  if (typeName === undefined) return undefined;
  const structure = dataTypeOf(types, at, typeName);
  return structure === undefined ? undefined : { ...structure, ...described, id };
}

function blockLengthOf(types: TypeTable, place: Place, fields: readonly Field[]): number {
  const end = fieldsEnd(fields, types.schemaVersion);
  const given = place.count('blockLength') ?? end;
  if (given < end) place.fault(`blockLength="${given}" is below ${end}, where the fields end`);
  return Math.max(given, end);
}

/** An earlier reader must find its own fields and parts first, so newer ones must follow older ones. */
function checkVersions(
  place: Place,
  { fields, groups, data }: Parts,
  depth: number,
  since: number,
): void {
  const fault = (name: string) =>
    place.fault(`${name} precedes older parts: earlier readers would misread it`);
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
      place.fault(`${part.name} is newer than its group: earlier readers cannot skip it`);
    }
    newest = Math.max(newest, part.since);
  }
}

function hasVariable(encoding: Field['encoding']): boolean {
  return encoding.kind === 'composite' && encoding.members.some((one) => isVariable(one.encoding));
}
