/** The structural composites: message header, group dimensions, variable data. */
import type { CompositeEncoding, Dimension, HeaderField, MessageHeader } from './model.ts';
import type { Place } from './schema-faults.ts';
import { isVariable, type TypeTable } from './schema-types.ts';

const structural = new Set(['uint8', 'uint16', 'uint32']);

export function headerOf(
  types: TypeTable,
  user: Place,
  typeName: string,
): MessageHeader | undefined {
  const composite = compositeOf(types, user, typeName);
  if (composite === undefined) return undefined;
  const { size, members } = composite;
  const blockLength = fieldOf(user, composite, 'blockLength');
  const templateId = fieldOf(user, composite, 'templateId');
  const schemaId = fieldOf(user, composite, 'schemaId');
  const version = fieldOf(user, composite, 'version');
  if (!blockLength || !templateId || !schemaId || !version) return undefined;
  const counts = countsOf(user, composite);
  return { typeName, size, blockLength, templateId, schemaId, version, ...counts, members };
}

export function dimensionOf(
  types: TypeTable,
  user: Place,
  typeName: string,
): Dimension | undefined {
  const composite = compositeOf(types, user, typeName);
  if (composite === undefined) return undefined;
  const blockLength = fieldOf(user, composite, 'blockLength');
  const numInGroup = fieldOf(user, composite, 'numInGroup');
  if (blockLength === undefined || numInGroup === undefined) return undefined;
  const { size } = composite;
  return { typeName, size, blockLength, numInGroup, ...countsOf(user, composite) };
}

/** The type of a data field, which has its name and id from its user. */
export function dataTypeOf(types: TypeTable, user: Place, typeName: string) {
  const composite = compositeOf(types, user, typeName);
  if (composite === undefined) return undefined;
  const length = fieldOf(user, composite, 'length');
  const varData = composite.members.find((member) => member.name === 'varData');
  if (length === undefined) return undefined;
  if (
    varData === undefined ||
    !isVariable(varData.encoding) ||
    varData !== composite.members.at(-1)
  ) {
    return user.fault(`${typeName} does not end with varData of length 0`);
  }
  const { encoding, description, semanticType, since, deprecated, offset } = varData;
  const characters = encoding.kind === 'text' ? encoding.characters : undefined;
  return { typeName, length, offset, characters, description, semanticType, since, deprecated };
}

function countsOf(user: Place, composite: CompositeEncoding) {
  const has = (name: string) => composite.members.some((member) => member.name === name);
  const field = (name: string) => (has(name) ? fieldOf(user, composite, name) : undefined);
  return { numGroups: field('numGroups'), numVarDataFields: field('numVarDataFields') };
}

function compositeOf(
  types: TypeTable,
  user: Place,
  typeName: string,
): CompositeEncoding | undefined {
  const encoding = types.named(user, typeName)?.encoding;
  if (encoding === undefined || encoding.kind === 'composite') return encoding;
  return user.fault(`${typeName} is not a composite`);
}

function fieldOf(user: Place, composite: CompositeEncoding, name: string): HeaderField | undefined {
  const member = composite.members.find((one) => one.name === name);
  if (member === undefined) {
    return user.fault(`the composite ${composite.typeName} has no ${name}`);
  }
  const { encoding, offset, presence } = member;
  if (
    presence === 'constant' ||
    encoding.kind !== 'scalar' ||
    !structural.has(encoding.primitive.name)
  ) {
    const list = [...structural].join(', ');
    return user.fault(`${composite.typeName}.${name} is not one of ${list}`);
  }
  return { offset, primitive: encoding.primitive, max: Number(encoding.max) };
}
