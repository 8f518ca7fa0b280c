/** The `<types>` of a schema: simple types, composites, enums and sets, each read when it is first used. */

import type { XmlElement } from '../runtime/xml-tree.ts';
import {
  type CharacterEncoding,
  type CompositeEncoding,
  type Described,
  type Encoding,
  type EnumEncoding,
  encodedSize,
  type Field,
  type Presence,
  type ScalarEncoding,
  type SetEncoding,
  sizeOf,
} from './model.ts';
import { isPrimitiveName, type Primitive, primitives, type WireNumber } from './primitive.ts';
import type { Place } from './schema-faults.ts';

/** A type with a name, or defined inside a composite. */
export interface TypeDefinition extends Described {
  readonly encoding: Encoding;
  readonly presence: Presence;
  readonly constant: WireNumber | string | undefined;
}

const maxArrayLength = 1_000_000;
const typeElements = new Set(['type', 'composite', 'enum', 'set', 'ref']);
const enumPrimitives = new Set(['char', 'uint8', 'uint16']);
const setPrimitives = new Set(['uint8', 'uint16', 'uint32', 'uint64']);
const characterEncodings: Readonly<Record<string, CharacterEncoding>> = {
  ascii: 'ascii',
  'us-ascii': 'ascii',
  latin1: 'latin1',
  'iso-8859-1': 'latin1',
  iso_8859_1: 'latin1',
  'utf-8': 'utf8',
  utf8: 'utf8',
};

export class TypeTable {
  readonly schemaVersion: number;
  readonly #places = new Map<string, Place>();
  readonly #read = new Map<string, TypeDefinition | undefined>();
  /** The names that are being read, to detect a type that contains itself. */
  readonly #open = new Set<string>();
  readonly enums: EnumEncoding[] = [];
  readonly sets: SetEncoding[] = [];

  constructor(schemaVersion: number) {
    this.schemaVersion = schemaVersion;
  }

  /** Adds the elements of one `<types>`; `readAll` is called when all are added. */
  add(schema: Place, types: XmlElement): void {
    for (const element of types.children) {
      const place = schema.inside(element);
      if (!typeElements.has(element.name) || element.name === 'ref') {
        place.fault(`<${element.name}> has no place in <types>`);
        continue;
      }
      const name = place.name();
      if (this.#places.has(name) || isPrimitiveName(name)) {
        place.fault(`the type ${name} is there already`);
      }
      this.#places.set(name, place);
    }
  }

  readAll(): void {
    for (const [name, place] of this.#places) this.named(place, name);
  }

  /** The type with this name, which may be a primitive; `user` is the element that uses it. */
  named(user: Place, name: string): TypeDefinition | undefined {
    if (this.#read.has(name)) return this.#read.get(name);
    const place = this.#places.get(name);
    if (place === undefined) {
      if (!isPrimitiveName(name)) return user.fault(`there is no type "${name}"`);
      return { ...noDescription, name, ...required(scalar(primitives[name])) };
    }
    if (this.#open.has(name)) return place.fault(`${name} contains itself`);
    this.#open.add(name);
    const definition = this.#definition(place);
    this.#open.delete(name);
    this.#read.set(name, definition);
    return definition;
  }

  described(place: Place): Described {
    const since = place.count('sinceVersion') ?? 0;
    if (since > this.schemaVersion) {
      place.fault(`sinceVersion="${since}" is above the version of the schema`);
    }
    return {
      name: place.name(),
      description: place.words('description'),
      semanticType: place.words('semanticType'),
      since,
      deprecated: place.count('deprecated'),
    };
  }

  presence(place: Place): Presence | undefined {
    const text = place.text('presence');
    if (text === undefined) return undefined;
    if (text === 'required' || text === 'optional' || text === 'constant') return text;
    return place.fault(`presence="${text}" is not required, optional or constant`);
  }

  /** `Enum.Value`: the enum and the number of the value. */
  valueRef(place: Place, text: string): { type: EnumEncoding; value: number } | undefined {
    const [typeName = '', valueName = '', ...rest] = text.split('.');
    if (valueName === '' || rest.length > 0) {
      return place.fault(`valueRef="${text}" does not have the form Enum.Value`);
    }
    const encoding = this.named(place, typeName)?.encoding;
    if (encoding === undefined) return undefined;
    if (encoding.kind !== 'enum') return place.fault(`${typeName} is not an enum`);
    const value = encoding.values.find((one) => one.name === valueName)?.value;
    if (value !== undefined) return { type: encoding, value };
    return place.fault(`the enum ${typeName} has no value ${valueName}`);
  }

  #definition(place: Place): TypeDefinition | undefined {
    switch (place.element.name) {
      case 'type':
        return this.#simple(place);
      case 'composite':
        return this.#composite(place);
      case 'enum':
        return this.#enum(place);
      case 'set':
        return this.#set(place);
      default:
        return place.fault(`<${place.element.name}> is not a type`);
    }
  }

  #simple(place: Place): TypeDefinition | undefined {
    const { attributes, text } = place.element;
    const described = this.described(place);
    const presence = this.presence(place) ?? 'required';
    const primitive = place.primitive();
    const length = place.count('length', maxArrayLength);
    if (primitive === undefined) return undefined;
    if (presence === 'constant') {
      const constant = this.#constant(place, primitive, text);
      if (constant === undefined) return undefined;
      const encoding: Encoding =
        typeof constant === 'string'
          ? { kind: 'text', length: constant.length, characters: 'ascii' }
          : scalar(primitive);
      return { ...described, presence, encoding, constant };
    }
    const value = (name: string) => {
      const given = attributes.get(name);
      return given === undefined ? undefined : place.value(primitive, given);
    };
    const element = {
      ...scalar(primitive),
      nullValue: value('nullValue') ?? primitive.nullValue,
      min: value('minValue') ?? primitive.min,
      max: value('maxValue') ?? primitive.max,
    };
    if (element.min > element.max) place.fault('minValue is above maxValue');
    const characters = this.#characters(place, primitive, length);
    let encoding: Encoding = element;
    if (characters !== undefined) encoding = { kind: 'text', length: length ?? 1, characters };
    else if (length !== undefined && length !== 1) encoding = { kind: 'array', element, length };
    encoding = withPresence(encoding, presence);
    return { ...described, presence, encoding, constant: undefined };
  }

  /** Text is a char array, or bytes with a character encoding. */
  #characters(
    place: Place,
    primitive: Primitive,
    length: number | undefined,
  ): CharacterEncoding | undefined {
    const text = place.text('characterEncoding');
    const isChars = primitive.name === 'char' && length !== undefined && length !== 1;
    if (text === undefined) return isChars ? 'ascii' : undefined;
    const characters = characterEncodings[text.toLowerCase()];
    if (characters === undefined) {
      return place.fault(`characterEncoding="${text}" is not ASCII, ISO-8859-1 or UTF-8`);
    }
    if (primitive.name !== 'char' && primitive.name !== 'uint8') {
      return place.fault(`characterEncoding does not go with ${primitive.name}`);
    }
    return isChars || primitive.name === 'uint8' ? characters : undefined;
  }

  #constant(place: Place, primitive: Primitive, text: string): WireNumber | string | undefined {
    const reference = place.text('valueRef');
    if (reference !== undefined) {
      const value = this.valueRef(place, reference)?.value;
      return value === undefined ? undefined : BigInt(value);
    }
    if (text === '') return place.fault('a constant without a value');
    const length = place.count('length', maxArrayLength) ?? text.length;
    if (primitive.name !== 'char' || length === 1) {
      return place.value(primitive, text);
    }
    if (text.length <= length) return text;
    return place.fault(`"${text}" is longer than ${length}`);
  }

  #enum(place: Place): TypeDefinition | undefined {
    const described = this.described(place);
    const under = this.#encodingType(place, enumPrimitives);
    if (under === undefined) return undefined;
    const { primitive } = under;
    const given = place.text('nullValue');
    const nullValue = given === undefined ? under.nullValue : place.value(primitive, given);
    const values = this.#listed(place, 'validValue', 'value', (at) => {
      const value = Number(at.value(primitive, at.element.text) ?? -1);
      return { ...this.described(at), value };
    });
    const typeName = described.name;
    const encoding: EnumEncoding = {
      kind: 'enum',
      typeName,
      primitive,
      nullValue: Number(nullValue ?? 0),
      values,
    };
    if (this.enums.some((one) => one.typeName === typeName)) {
      place.fault(`the enum ${typeName} is there already`);
    }
    this.enums.push(encoding);
    return { ...described, encoding, presence: under.presence, constant: undefined };
  }

  #set(place: Place): TypeDefinition | undefined {
    const described = this.described(place);
    const under = this.#encodingType(place, setPrimitives);
    if (under === undefined) return undefined;
    const { primitive } = under;
    const choices = this.#listed(place, 'choice', 'bit', (at) => {
      const { text } = at.element;
      const bit = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
      if (bit < primitive.size * 8) return { ...this.described(at), bit };
      return at.fault(`"${text}" is not a bit of ${primitive.name}`);
    });
    const typeName = described.name;
    if (this.sets.some((one) => one.typeName === typeName)) {
      place.fault(`the set ${typeName} is there already`);
    }
    const encoding: SetEncoding = { kind: 'set', typeName, primitive, choices };
    this.sets.push(encoding);
    return { ...described, ...required(encoding) };
  }

  /** The values of an enum or the choices of a set; names and numbers must be unique. */
  #listed<Key extends string, Item extends Described & { readonly [key in Key]: number }>(
    place: Place,
    elementName: string,
    key: Key,
    read: (at: Place) => Item | undefined,
  ): Item[] {
    const items: Item[] = [];
    const names = new Set<string>();
    for (const child of place.element.children) {
      const at = place.inside(child);
      if (child.name !== elementName) {
        at.fault(`<${child.name}> has no place in <${place.element.name}>`);
        continue;
      }
      const item = read(at);
      if (item === undefined) continue;
      at.unique(names, item.name);
      if (items.some((other) => other[key] === item[key])) {
        at.fault(`the ${key} ${child.text} is there already`);
      }
      items.push(item);
    }
    return items;
  }

  /** The encoding type of an enum or set: a primitive, or a simple type with its own null value. */
  #encodingType(
    place: Place,
    allowed: ReadonlySet<string>,
  ): { primitive: Primitive; nullValue: WireNumber; presence: Presence } | undefined {
    const name = place.required('encodingType');
    const under = name === undefined ? undefined : this.named(place, name);
    if (under === undefined) return undefined;
    const { encoding, presence } = under;
    if (encoding.kind !== 'scalar' || !allowed.has(encoding.primitive.name)) {
      const list = [...allowed].join(', ');
      return place.fault(`encodingType="${name}" is not one of ${list}`);
    }
    return { primitive: encoding.primitive, nullValue: encoding.nullValue, presence };
  }

  #composite(place: Place): TypeDefinition | undefined {
    const described = this.described(place);
    const members: Field[] = [];
    const names = new Set<string>();
    let end = 0;
    for (const child of place.element.children) {
      const at = place.inside(child);
      const definition = this.#member(at, child);
      if (definition === undefined) continue;
      at.unique(names, definition.name);
      const offset = at.count('offset') ?? end;
      if (offset < end) at.fault(`offset="${offset}" is inside the member before`);
      const member = { ...definition, id: undefined, offset };
      end = Math.max(end, offset) + sizeOf(member);
      members.push(member);
    }
    if (members.length === 0) return place.fault('a composite without members');
    const encoding: CompositeEncoding = {
      kind: 'composite',
      typeName: described.name,
      description: described.description,
      size: end,
      members,
    };
    const presence = this.presence(place) ?? 'required';
    return { ...described, encoding, presence, constant: undefined };
  }

  #member(at: Place, child: XmlElement): TypeDefinition | undefined {
    if (!typeElements.has(child.name)) {
      return at.fault(`<${child.name}> has no place in a composite`);
    }
    if (child.name !== 'ref') return this.#definition(at);
    const described = this.described(at);
    const type = at.required('type');
    const named = type === undefined ? undefined : this.named(at, type);
    if (named === undefined) return undefined;
    const since = Math.max(described.since, named.since);
    const description = described.description === '' ? named.description : described.description;
    return { ...named, ...described, since, description };
  }
}

const noDescription = { description: '', semanticType: '', since: 0, deprecated: undefined };

function required(encoding: Encoding): Pick<TypeDefinition, 'encoding' | 'presence' | 'constant'> {
  return { encoding, presence: 'required', constant: undefined };
}

function scalar(primitive: Primitive) {
  const { min, max, nullValue } = primitive;
  return { kind: 'scalar', primitive, nullValue, min, max } as const;
}

/** An optional number cannot have the null value. */
export function withPresence(encoding: Encoding, presence: Presence): Encoding {
  if (encoding.kind === 'array') {
    return { ...encoding, element: numberWithPresence(encoding.element, presence) };
  }
  return encoding.kind === 'scalar' ? numberWithPresence(encoding, presence) : encoding;
}

function numberWithPresence(encoding: ScalarEncoding, presence: Presence): ScalarEncoding {
  if (presence !== 'optional' || encoding.primitive.isFloat) {
    return encoding;
  }
  const { nullValue } = encoding;
  const min = encoding.min === nullValue ? BigInt(encoding.min) + 1n : encoding.min;
  const max = encoding.max === nullValue ? BigInt(encoding.max) - 1n : encoding.max;
  return { ...encoding, min, max };
}

/** Whether it has no bytes of its own: it is only allowed after the length of variable data. */
export function isVariable(encoding: Encoding): boolean {
  return (encoding.kind === 'array' || encoding.kind === 'text') && encodedSize(encoding) === 0;
}
