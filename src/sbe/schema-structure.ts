/** The structural composites: message header, group dimensions, variable data. */
import type { CompositeEncoding, Data, Dimension, HeaderField, MessageHeader } from './model.ts';
import type { Faults, Place } from './schema-faults.ts';
import { isVariable, type TypeTable } from './schema-types.ts';

const structural = new Set(['uint8', 'uint16', 'uint32']);
type Structure = Omit<Dimension, 'typeName' | 'size'>;

/** Reads such composites for the elements that refer to them. */
export class Structures {
  readonly #faults: Faults;
  readonly #types: TypeTable;

  constructor(faults: Faults, types: TypeTable) {
    this.#faults = faults;
    this.#types = types;
  }

  header(user: Place, typeName: string): MessageHeader | undefined {
    const composite = this.#composite(user, typeName);
    if (composite === undefined) return undefined;
    const { size, members } = composite;
    const blockLength = this.#field(user, composite, 'blockLength');
    const templateId = this.#field(user, composite, 'templateId');
    const schemaId = this.#field(user, composite, 'schemaId');
    const version = this.#field(user, composite, 'version');
    if (!blockLength || !templateId || !schemaId || !version) return undefined;
    const counts = this.#counts(user, composite);
    return { typeName, size, blockLength, templateId, schemaId, version, ...counts, members };
  }

  dimension(user: Place, typeName: string): Dimension | undefined {
    const composite = this.#composite(user, typeName);
    if (composite === undefined) return undefined;
    const blockLength = this.#field(user, composite, 'blockLength');
    const numInGroup = this.#field(user, composite, 'numInGroup');
    if (blockLength === undefined || numInGroup === undefined) return undefined;
    const { size } = composite;
    return { typeName, size, blockLength, numInGroup, ...this.#counts(user, composite) };
  }

  data(user: Place, typeName: string): Omit<Data, 'id' | 'name'> | undefined {
    const composite = this.#composite(user, typeName);
    if (composite === undefined) return undefined;
    const length = this.#field(user, composite, 'length');
    const varData = composite.members.find((member) => member.name === 'varData');
    if (length === undefined) return undefined;
    if (
      varData === undefined ||
      !isVariable(varData.encoding) ||
      varData !== composite.members.at(-1)
    ) {
      return this.#faults.add(user, `${typeName} does not end with varData of length 0`);
    }
    const { encoding, description, semanticType, since, deprecated, offset } = varData;
    const characters = encoding.kind === 'text' ? encoding.characters : undefined;
    return { typeName, length, offset, characters, description, semanticType, since, deprecated };
  }

  #counts(
    user: Place,
    composite: CompositeEncoding,
  ): Pick<Structure, 'numGroups' | 'numVarDataFields'> {
    const has = (name: string) => composite.members.some((member) => member.name === name);
    const field = (name: string) => (has(name) ? this.#field(user, composite, name) : undefined);
    return { numGroups: field('numGroups'), numVarDataFields: field('numVarDataFields') };
  }

  #composite(user: Place, typeName: string): CompositeEncoding | undefined {
    const encoding = this.#types.named(user, typeName)?.encoding;
    if (encoding === undefined || encoding.kind === 'composite') return encoding;
    return this.#faults.add(user, `${typeName} is not a composite`);
  }

  #field(user: Place, composite: CompositeEncoding, name: string): HeaderField | undefined {
    const member = composite.members.find((one) => one.name === name);
    if (member === undefined) {
      return this.#faults.add(user, `the composite ${composite.typeName} has no ${name}`);
    }
    const { encoding, offset, presence } = member;
    if (
      presence === 'constant' ||
      encoding.kind !== 'scalar' ||
      !structural.has(encoding.primitive.name)
    ) {
      const list = [...structural].join(', ');
      return this.#faults.add(user, `${composite.typeName}.${name} is not one of ${list}`);
    }
    return { offset, primitive: encoding.primitive, max: Number(encoding.max) };
  }
}
