/**
 * A FIX dictionary compiled into flat tables: the decoder and the validator look up, they do not search. A tag is
 * first turned into a dense field number (`fieldOf`), all further tables are indexed by that number.
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
 * What a message says about a field, in one number:
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

/** Any bytes will do as a value. */
export function isText(rule: Rule): boolean {
  return rule >> 6 === 0;
}

/** The value is a list of words, with one space between. */
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
  /** What the dictionary calls each of the values, in their order; for tools. */
  readonly meanings: readonly string[];
}

/** The values that fields may have, by field number: those of one byte as bits, longer ones as bytes. */
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

export interface GroupInfo {
  readonly countTag: number;
  /** The tag that begins each entry. */
  readonly firstTag: number;
  /** By field number: the place within an entry, from 1, or 0 for a field that is no member. */
  readonly places: Uint16Array;
  /** By field number, as in `MessageInfo.rules`. */
  readonly rules: Uint16Array;
  readonly required: readonly number[];
  readonly groups: ReadonlyMap<number, GroupInfo>;
}

export interface MessageInfo {
  readonly name: string;
  readonly msgType: string;
  readonly admin: boolean;
  /** By field number: section, flags and kind of value, or 0 for a field that has no place in this message. */
  readonly rules: Uint16Array;
  /** Tags that must be there, header and trailer included. */
  readonly required: readonly number[];
  /** By tag of the count field. */
  readonly groups: ReadonlyMap<number, GroupInfo>;
}

export interface Dictionary {
  readonly beginString: string;
  /** tag → field number, 0 for an undefined tag; `maxDictionaryTag + 1` long. */
  readonly fieldOf: Uint16Array;
  /** By field number, from 1. */
  readonly fields: readonly (FieldInfo | undefined)[];
  readonly values: ValueSets;
  /** Data fields have the lowest numbers, from 1: by field number, the tag of the field that holds the length. */
  readonly lengthTagOf: Uint16Array;
  readonly messages: ReadonlyMap<string, MessageInfo>;
  /** By `msgTypeKey`, for types of one and two characters. */
  readonly messageByKey: readonly (MessageInfo | undefined)[];
}

/** One index for a MsgType(35) of one or two ASCII characters. */
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
      const rules = this.#table();
      const required: number[] = [];
      const groups = new Map<number, GroupInfo>();
      const take = (section: Section, taken: readonly XmlPart[]) =>
        this.#walk(taken, name, true, (field, isRequired, children) => {
          const group = children && this.#group(field, children, name, 0);
          if (group !== undefined) groups.set(field.tag, group);
          if (isRequired) required.push(field.tag);
          this.#rule(rules, field, section, isRequired, group !== undefined);
        });
      take(sections.header, this.#xml.header);
      take(sections.body, parts);
      take(sections.trailer, this.#xml.trailer);
      const message = { name, msgType, admin, rules, required, groups };
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

  #rule(
    rules: Uint16Array,
    field: FieldInfo,
    section: Section,
    required: boolean,
    group: boolean,
  ): void {
    const number = this.#fieldOf[field.tag] ?? 0;
    if (rules[number] !== 0) throw new DictionaryError(`${field.name} stands twice in one message`);
    rules[number] = makeRule(field, section, required, group);
  }

  /** Calls back for each field, components unfolded; a field is required if all that hold it are. */
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
    const places = this.#table();
    const rules = this.#table();
    const required: number[] = [];
    const groups = new Map<number, GroupInfo>();
    let firstTag = 0;
    let place = 0;
    this.#walk(parts, inside, true, (field, isRequired, children) => {
      const group = children && this.#group(field, children, inside, depth + 1);
      if (group !== undefined) groups.set(field.tag, group);
      if (isRequired) required.push(field.tag);
      if (place === 0) firstTag = field.tag;
      places[this.#fieldOf[field.tag] ?? 0] = ++place;
      this.#rule(rules, field, sections.body, isRequired, group !== undefined);
    });
    if (place === 0) throw new DictionaryError(`${where}: group ${count.name} is empty`);
    return { countTag: count.tag, firstTag, places, rules, required, groups };
  }

  /** A data field X follows the field that holds its length: XLen, or XLength. */
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
