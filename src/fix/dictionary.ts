/**
 * A FIX dictionary compiled into flat tables, so that the decoder and the validator look up instead of searching. A tag
 * is first mapped to a dense field number (`fieldOf`); all other tables are indexed by that number.
 */
import { readFileSync } from 'node:fs';
import {
  DictionaryError,
  readDictionaryXml,
  type XmlDictionary,
  type XmlField,
  type XmlPart,
} from './dictionary-xml.ts';
import { kind, type ValueKind, valueKinds } from './value-kind.ts';

/** Tags above this are user-defined and unknown to every dictionary. */
export const maxDictionaryTag = 9999;

const maxNesting = 16;

export const sections = { header: 1, body: 2, trailer: 3 } as const;
type Section = (typeof sections)[keyof typeof sections];

/**
 * The rules of a message for a field, packed into one number:
 *
 *   | kind of value | words | enumerated | group | required | section |
 *   '-- 6 and up    '-- 5   '-- 4        '-- 3   '-- 2      '-- 0, 1
 */
export type Rule = number;

function makeRule(field: FieldInfo, section: Section, required: boolean, group: boolean): Rule {
  const enumerated = field.values.length > 0;
  const words = field.kind === kind.words;
  const flags = (words ? 32 : 0) | (enumerated ? 16 : 0) | (group ? 8 : 0) | (required ? 4 : 0);
  return (field.kind << 6) | flags | section;
}

export function sectionOf(rule: Rule): number {
  return rule & 3;
}

/** 1 for a required field, else 0. */
export function requiredOf(rule: Rule): number {
  return (rule >> 2) & 1;
}

export function isGroup(rule: Rule): boolean {
  return (rule & 8) !== 0;
}

export function isEnumerated(rule: Rule): boolean {
  return (rule & 16) !== 0;
}

/** Any bytes are valid as a value. */
export function isText(rule: Rule): boolean {
  return rule >> 6 === 0;
}

/** The value is a list of words separated by single spaces. */
export function isWords(rule: Rule): boolean {
  return (rule & 32) !== 0;
}

export function kindOf(rule: Rule): number {
  return rule >> 6;
}

export interface FieldInfo {
  readonly tag: number;
  readonly name: string;
  readonly kind: ValueKind;
  readonly values: readonly string[];
  /** The dictionary's names of the values, in the same order; for tools. */
  readonly meanings: readonly string[];
}

/** The permitted values by field number: one-byte values as bits, longer ones as bytes. */
export interface ValueSets {
  /** 256 bits for each field; `hasChar` reads them. */
  readonly chars: Int32Array;
  readonly words: readonly (readonly Uint8Array[])[];
}

/** Whether a field may have this one byte as its value. */
export function hasChar(values: ValueSets, number: number, byte: number): boolean {
  return ((values.chars[charWord(number, byte)] as number) & (1 << (byte & 31))) !== 0;
}

function charWord(number: number, byte: number): number {
  return number * 8 + (byte >> 5);
}

/** The fields of a message, header and trailer included, or of an entry of a group. */
interface Members {
  /** By field number: section, flags and kind of value, or 0 for a field that is not allowed here. */
  readonly rules: Uint16Array;
  /** Required tags. */
  readonly required: readonly number[];
  /** By the tag of the count field. */
  readonly groups: ReadonlyMap<number, GroupInfo>;
}

export interface GroupInfo extends Members {
  readonly countTag: number;
  /** The tag with which each entry starts. */
  readonly firstTag: number;
  /** By field number: the position within an entry, from 1, or 0 for a field that is not a member. */
  readonly places: Uint16Array;
}

export interface MessageInfo extends Members {
  readonly name: string;
  readonly msgType: string;
  readonly admin: boolean;
}

export interface Dictionary {
  readonly beginString: string;
  /** Maps a tag to its field number, 0 for an undefined tag; has length `maxDictionaryTag + 1`. */
  readonly fieldOf: Uint16Array;
  /** By field number, from 1. */
  readonly fields: readonly (FieldInfo | undefined)[];
  readonly values: ValueSets;
  /** By field number: the tag of the length field. Data fields have the lowest numbers, from 1. */
  readonly lengthTagOf: Uint16Array;
  readonly messages: ReadonlyMap<string, MessageInfo>;
  /** By `msgTypeKey`, for types of one and two characters. */
  readonly messageByKey: readonly (MessageInfo | undefined)[];
}

/** The tags of the fields that have an entry in a table of rules or places, in the order of their numbers. */
export function tagsIn(table: Uint16Array, { fields }: Dictionary): readonly number[] {
  return fields.flatMap((field, number) => (field && table[number] ? field.tag : []));
}

/** The index of a MsgType(35) of one or two ASCII characters. */
export const msgTypeKey = (first: number, second: number): number => (second << 7) | first;

export function loadDictionary(path: string | URL): Dictionary {
  try {
    return compileDictionary(readDictionaryXml(readFileSync(path, 'utf8')));
  } catch (error) {
    if (!(error instanceof DictionaryError)) throw error;
    throw new DictionaryError(`${path}: ${error.message}`);
  }
}

export function compileDictionary(xml: XmlDictionary): Dictionary {
  return new Compiler(xml).compile();
}

/** Members to which the compiler still adds. */
interface NewMembers extends Members {
  readonly required: number[];
  readonly groups: Map<number, GroupInfo>;
}

class Compiler {
  readonly #xml: XmlDictionary;
  readonly #fieldOf = new Uint16Array(maxDictionaryTag + 1);
  readonly #fields: (FieldInfo | undefined)[] = [undefined];
  readonly #byName = new Map<string, FieldInfo>();

  constructor(xml: XmlDictionary) {
    this.#xml = xml;
  }

  compile(): Dictionary {
    const isData = ({ type }: XmlField) => valueKinds[type] === kind.data;
    for (const field of this.#xml.fields.filter(isData)) this.#define(field);
    const lengthTagOf = new Uint16Array(this.#fields.length);
    for (const field of this.#xml.fields.filter((one) => !isData(one))) this.#define(field);
    this.#lengthTags(lengthTagOf);
    const messages = new Map<string, MessageInfo>();
    const messageByKey = new Array<MessageInfo | undefined>(1 << 14).fill(undefined);
    for (const { name, msgType, admin, parts } of this.#xml.messages) {
      const members = this.#noMembers();
      this.#take(members, sections.header, this.#xml.header, name, 0);
      this.#take(members, sections.body, parts, name, 0);
      this.#take(members, sections.trailer, this.#xml.trailer, name, 0);
      const message = { name, msgType, admin, ...members };
      messages.set(msgType, message);
      if (msgType.length <= 2) {
        messageByKey[msgTypeKey(msgType.charCodeAt(0), msgType.charCodeAt(1) || 0)] = message;
      }
    }
    return {
      beginString: this.#xml.beginString,
      fieldOf: this.#fieldOf,
      fields: this.#fields,
      values: valueSets(this.#fields),
      lengthTagOf,
      messages,
      messageByKey,
    };
  }

  #define({ tag, name, type, values, meanings }: XmlField): void {
    const kind = valueKinds[type];
    if (kind === undefined) throw new DictionaryError(`field ${name}: unknown type ${type}`);
    if (!Number.isInteger(tag) || tag < 1 || tag > maxDictionaryTag) {
      throw new DictionaryError(`field ${name}: number ${tag} is not 1..${maxDictionaryTag}`);
    }
    if (this.#fieldOf[tag] !== 0 || this.#byName.has(name)) {
      throw new DictionaryError(`field ${name}(${tag}) is defined twice`);
    }
    const field = { tag, name, kind, values, meanings };
    this.#fieldOf[tag] = this.#fields.length;
    this.#fields.push(field);
    this.#byName.set(name, field);
  }

  #table(): Uint16Array {
    return new Uint16Array(this.#fields.length);
  }

  #noMembers(): NewMembers {
    return { rules: this.#table(), required: [], groups: new Map() };
  }

  /** Adds the fields of a section, or of a group, and returns their tags in order. */
  #take(
    { groups, required, rules }: NewMembers,
    section: Section,
    parts: readonly XmlPart[],
    where: string,
    depth: number,
  ): number[] {
    const tags: number[] = [];
    this.#walk(parts, where, true, (field, isRequired, children) => {
      const { name, tag } = field;
      const group = children && this.#group(field, children, where, depth);
      if (group !== undefined) groups.set(tag, group);
      if (isRequired) required.push(tag);
      const number = this.#fieldOf[tag] ?? 0;
      if (rules[number] !== 0) throw new DictionaryError(`${name} appears twice in one message`);
      rules[number] = makeRule(field, section, isRequired, group !== undefined);
      tags.push(tag);
    });
    return tags;
  }

  /** Calls back for each field, with components expanded; a field is required if all components around it are. */
  #walk(
    parts: readonly XmlPart[],
    where: string,
    required: boolean,
    take: (field: FieldInfo, required: boolean, children: readonly XmlPart[] | undefined) => void,
    depth = 0,
  ): void {
    if (depth > maxNesting) throw new DictionaryError(`${where}: components nest without end`);
    for (const part of parts) {
      const isRequired = required && part.required;
      if (part.kind === 'component') {
        const inner = this.#xml.components.get(part.name);
        if (inner === undefined) throw new DictionaryError(`${where}: no component ${part.name}`);
        this.#walk(inner, part.name, isRequired, take, depth + 1);
        continue;
      }
      const field = this.#byName.get(part.name);
      if (field === undefined) throw new DictionaryError(`${where}: no field ${part.name}`);
      take(field, isRequired, part.kind === 'group' ? part.parts : undefined);
    }
  }

  #group(count: FieldInfo, parts: readonly XmlPart[], where: string, depth: number): GroupInfo {
    const inside = `${where}/${count.name}`;
    if (depth > maxNesting) throw new DictionaryError(`${inside}: groups nest without end`);
    const members = this.#noMembers();
    const tags = this.#take(members, sections.body, parts, inside, depth + 1);
    const [firstTag] = tags;
    if (firstTag === undefined) {
      throw new DictionaryError(`${where}: group ${count.name} is empty`);
    }
    const places = this.#table();
    for (const [index, tag] of tags.entries()) places[this.#fieldOf[tag] ?? 0] = index + 1;
    return { countTag: count.tag, firstTag, places, ...members };
  }

  /** The length field XLen or XLength precedes its data field X. */
  #lengthTags(tags: Uint16Array): void {
    for (let number = 1; number < tags.length; number++) {
      const name = this.#fields[number]?.name ?? '';
      const length = this.#byName.get(`${name}Len`) ?? this.#byName.get(`${name}Length`);
      if (length === undefined) throw new DictionaryError(`data field ${name}: no ${name}Len`);
      tags[number] = length.tag;
    }
  }
}

function valueSets(fields: readonly (FieldInfo | undefined)[]): ValueSets {
  const chars = new Int32Array(charWord(fields.length, 0));
  const words = fields.map(() => [] as Uint8Array[]);
  for (const [number, field] of fields.entries()) {
    for (const value of field?.values ?? []) {
      const bytes = Buffer.from(value, 'latin1');
      const first = bytes[0] ?? 0;
      const at = charWord(number, first);
      if (bytes.length === 1) chars[at] = (chars[at] as number) | (1 << (first & 31));
      else words[number]?.push(bytes);
    }
  }
  return { chars, words };
}
