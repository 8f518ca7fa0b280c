/**
 * Checks a decoded message against its dictionary: every SessionRejectReason(373) that the dictionary decides (FIX
 * 4.4 volume 2, "Reject"). Walks the index that the scan made, in the order received, and stops at the first fault;
 * required tags are looked for last. On the way, fields inside repeating groups are taken out of the top level.
 */
import {
  type Dictionary,
  type GroupInfo,
  type MessageInfo,
  maxDictionaryTag,
  msgTypeKey,
  rule,
  type ValueSet,
} from './dictionary.ts';
import type { FieldIndex, ScanFault } from './field-index.ts';
import type { Message } from './message.ts';
import type { Fault, SessionReject } from './reject.ts';
import { isOfKind, kind } from './value-kind.ts';

export interface ValidatorOptions {
  /** Refuses user-defined tags (5000 and above) that the dictionary does not define. */
  readonly strictUserTags?: boolean;
}

const firstUserTag = 5000;
const space = 32;

const rejectOfScanFault = {
  tag: 'invalidTagNumber',
  dataLength: 'incorrectFormat',
  dataWithoutLength: 'requiredTagMissing',
  tooManyFields: 'other',
} as const satisfies Record<ScanFault, SessionReject>;

export class Validator {
  readonly #dictionary: Dictionary;
  readonly #strictUserTags: boolean;
  #fault: Fault | undefined;

  constructor(dictionary: Dictionary, { strictUserTags = false }: ValidatorOptions = {}) {
    this.#dictionary = dictionary;
    this.#strictUserTags = strictUserTags;
  }

  /** The first fault of the message, or undefined. An unknown MsgType(35) is `invalidMsgType`. */
  validate(message: Message): Fault | undefined {
    const { index } = message;
    if (index.fault !== undefined) {
      return { reject: rejectOfScanFault[index.fault], tag: index.faultTag };
    }
    const info = this.#messageInfo(index);
    if (info === undefined) return { reject: 'invalidMsgType', tag: 35 };
    return this.#fields(index, info);
  }

  #messageInfo(index: FieldIndex): MessageInfo | undefined {
    const { bytes, starts, ends } = index;
    const start = starts[2] as number;
    const length = (ends[2] as number) - start;
    const first = bytes[start] as number;
    if (length === 1) return this.#dictionary.messageByKey[msgTypeKey(first, 0)];
    if (length === 2) {
      return this.#dictionary.messageByKey[msgTypeKey(first, bytes[start + 1] as number)];
    }
    return this.#dictionary.messages.get(
      Buffer.from(bytes.subarray(start, ends[2])).toString('latin1'),
    );
  }

  #fields(index: FieldIndex, info: MessageInfo): Fault | undefined {
    const { tags, count, slots, base } = index;
    const { fieldOf } = this.#dictionary;
    const { rules } = info;
    let section: number = rule.header;
    let required = 0;
    for (let at = 0; at < count; at++) {
      const tag = tags[at] as number;
      const number = tag <= maxDictionaryTag ? (fieldOf[tag] as number) : 0;
      const rulesOfTag = rules[number] as number;
      if (rulesOfTag === 0) {
        const fault = this.#foreign(index, at, tag, number);
        if (fault !== undefined) return fault;
        if (section === rule.header) section = rule.body;
        continue;
      }
      const sectionOfTag = rulesOfTag & rule.sectionMask;
      if (sectionOfTag !== section) {
        if (sectionOfTag < section) return { reject: 'tagOutOfOrder', tag };
        section = sectionOfTag;
      }
      const slot = slots[number] as number;
      if (slot !== base + at) {
        if (slot >= base) return { reject: 'tagRepeated', tag };
        slots[number] = base + at;
      }
      const wrong = this.#value(index, at, number, rulesOfTag);
      if (wrong !== undefined) return { reject: wrong, tag };
      required += (rulesOfTag & rule.required) >> 2;
      if ((rulesOfTag & rule.group) !== 0) {
        at = this.#group(index, at, info.groups.get(tag) as GroupInfo) - 1;
        if (at < 0) return this.#fault;
      }
    }
    return required === info.required.length ? undefined : missing(index, info.required);
  }

  /** A tag that has no place in the message. */
  #foreign(index: FieldIndex, at: number, tag: number, number: number): Fault | undefined {
    if (number !== 0) return { reject: 'tagNotOfThisMessage', tag };
    if (tag < firstUserTag) return { reject: 'invalidTagNumber', tag };
    if (this.#strictUserTags) return { reject: 'undefinedTag', tag };
    if (index.starts[at] === index.ends[at]) return { reject: 'tagWithoutValue', tag };
    return index.findFrom(tag, 0, at) < 0 ? undefined : { reject: 'tagRepeated', tag };
  }

  /** What is wrong with the value at a place, by the rules for its tag. */
  #value(index: FieldIndex, at: number, number: number, rules: number): SessionReject | undefined {
    const { bytes } = index;
    const start = index.starts[at] as number;
    const end = index.ends[at] as number;
    if (start === end) return 'tagWithoutValue';
    const kindOf = rules >> rule.kindShift;
    if (kindOf !== kind.text && !isOfKind(kindOf, bytes, start, end)) return 'incorrectFormat';
    if ((rules & rule.enumerated) === 0) return undefined;
    const values = this.#dictionary.values[number] as ValueSet;
    const isKnown =
      kindOf === kind.words
        ? areValues(values, bytes, start, end)
        : isValue(values, bytes, start, end);
    return isKnown ? undefined : 'valueOutOfRange';
  }

  /**
   * Checks the entries behind the count at `countAt`; answers the position after them, or -1 and leaves `#fault`.
   */
  #group(index: FieldIndex, countAt: number, group: GroupInfo): number {
    const { tags, count } = index;
    const entries = countValue(index, countAt);
    let at = countAt + 1;
    for (let entry = 0; entry < entries; entry++) {
      const tag = at < count ? (tags[at] as number) : 0;
      if (tag !== group.firstTag) {
        return placeOf(index, group, tag) === 0
          ? this.#fail('groupCount', group.countTag)
          : this.#fail('groupOutOfOrder', tag);
      }
      at = this.#entry(index, at, group);
      if (at < 0) return -1;
    }
    const isOneMore = at < count && placeOf(index, group, tags[at] as number) !== 0;
    return isOneMore ? this.#fail('groupCount', group.countTag) : at;
  }

  /** Checks one entry, up to the next that begins or the first field that is no member; answers as `#group`. */
  #entry(index: FieldIndex, entryAt: number, group: GroupInfo): number {
    const { tags, count, slots, base } = index;
    const { fieldOf } = this.#dictionary;
    let lastPlace = 0;
    let required = 0;
    let at = entryAt;
    while (at < count) {
      const tag = tags[at] as number;
      const number = tag <= maxDictionaryTag ? (fieldOf[tag] as number) : 0;
      const place = group.places[number] as number;
      if (place === 1 && at > entryAt) break;
      if (place === 0) {
        if (number !== 0 || tag < firstUserTag) break;
        const fault = this.#foreign(index, at, tag, number);
        if (fault !== undefined) return this.#fail(fault.reject, tag);
        at += 1;
        continue;
      }
      if (place <= lastPlace) {
        const isRepeated = index.findFrom(tag, entryAt, at) >= 0;
        return this.#fail(isRepeated ? 'tagRepeated' : 'groupOutOfOrder', tag);
      }
      lastPlace = place;
      if (slots[number] === base + at) slots[number] = 0;
      const rules = group.rules[number] as number;
      const wrong = this.#value(index, at, number, rules);
      if (wrong !== undefined) return this.#fail(wrong, tag);
      required += (rules & rule.required) >> 2;
      at += 1;
      if ((rules & rule.group) !== 0) {
        at = this.#group(index, at - 1, group.groups.get(tag) as GroupInfo);
        if (at < 0) return -1;
      }
    }
    if (required === group.required.length) return at;
    const absent = group.required.find((tag) => index.findFrom(tag, entryAt, at) < 0);
    return this.#fail('requiredTagMissing', absent ?? group.firstTag);
  }

  #fail(reject: SessionReject, tag: number): number {
    this.#fault = { reject, tag };
    return -1;
  }
}

function missing(index: FieldIndex, required: readonly number[]): Fault | undefined {
  const tag = required.find((one) => index.find(one) < 0);
  return tag === undefined ? undefined : { reject: 'requiredTagMissing', tag };
}

/** The place of a tag in an entry of the group, 0 if it has none. */
function placeOf(index: FieldIndex, group: GroupInfo, tag: number): number {
  return tag <= maxDictionaryTag
    ? (group.places[index.dictionary.fieldOf[tag] as number] as number)
    : 0;
}

/** The count in a validated NumInGroup, which may have more digits than any message has fields. */
function countValue(index: FieldIndex, at: number): number {
  let value = 0;
  for (let i = index.starts[at] as number; i < (index.ends[at] as number); i++) {
    value = value * 10 + (index.bytes[i] as number) - 48;
  }
  return value;
}

function isValue(values: ValueSet, bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start === 1) {
    const byte = bytes[start] as number;
    return ((values.chars[byte >> 5] as number) & (1 << (byte & 31))) !== 0;
  }
  for (const word of values.words) if (isWord(word, bytes, start, end)) return true;
  return false;
}

function isWord(word: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word[i] !== bytes[start + i]) return false;
  return true;
}

/** MultipleValueString: values with one space between. */
function areValues(values: ValueSet, bytes: Uint8Array, start: number, end: number): boolean {
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] !== space) continue;
    if (!isValue(values, bytes, from, at)) return false;
    from = at + 1;
  }
  return true;
}
