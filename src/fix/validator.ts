/**
 * Checks a decoded message against its dictionary: every SessionRejectReason(373) that depends on the dictionary (FIX
 * 4.4 volume 2, "Reject"). It goes through the index that the scan built, in the order received, and stops at the first
 * fault; required tags are checked last. It also removes group fields from the top level.
 */
import {
  type Dictionary,
  type GroupInfo,
  hasChar,
  isEnumerated,
  isGroup,
  isText,
  isWords,
  kindOf,
  type MessageInfo,
  msgTypeKey,
  requiredOf,
  sectionOf,
  sections,
  type ValueSets,
} from './dictionary.ts';
import {
  endOf,
  type FieldIndex,
  fieldAfter,
  numberOf,
  type ScanFault,
  startOf,
  stride,
} from './field-index.ts';
import type { Message } from './message.ts';
import type { Fault, SessionReject } from './reject.ts';
import { isOfKind, isPrintable } from './value-kind.ts';

export interface ValidatorOptions {
  /** Refuses user-defined tags (5000 and above) that the dictionary does not define. */
  readonly strictUserTags?: boolean;
}

const firstUserTag = 5000;
const tooLong = 'Message is longer than this session takes';
const space = 32;
/** The position of MsgType(35), the third field. */
const msgTypeAt = 2 * stride;

const rejectOfScanFault = {
  tag: 'invalidTagNumber',
  dataLength: 'incorrectFormat',
  dataWithoutLength: 'requiredTagMissing',
  tooManyFields: 'other',
  tooLong: 'other',
} as const satisfies Record<ScanFault, SessionReject>;

export class Validator {
  readonly #dictionary: Dictionary;
  readonly #strictUserTags: boolean;
  #fault: Fault | undefined;
  /** The undefined tags of this message, outside groups and in the current entry; a set, as there may be thousands. */
  readonly #userTags = new Set<number>();
  readonly #userTagsOfEntry = new Set<number>();

  constructor(dictionary: Dictionary, { strictUserTags = false }: ValidatorOptions = {}) {
    this.#dictionary = dictionary;
    this.#strictUserTags = strictUserTags;
  }

  /** Returns the first fault of the message, or undefined. An unknown MsgType(35) is `invalidMsgType`. */
  validate(message: Message): Fault | undefined {
    const { index } = message;
    if (index.fault !== undefined) {
      const fault = { reject: rejectOfScanFault[index.fault], tag: index.faultTag };
      return index.fault === 'tooLong' ? { ...fault, text: tooLong } : fault;
    }
    const info = this.#messageInfo(index);
    if (info === undefined) return { reject: 'invalidMsgType', tag: 35 };
    return this.#fields(index, info);
  }

  #messageInfo({ bytes, fields }: FieldIndex): MessageInfo | undefined {
    const start = startOf(fields, msgTypeAt);
    const end = endOf(fields, msgTypeAt);
    const first = bytes[start] as number;
    if (end - start === 1 && first < 128) {
      return this.#dictionary.messageByKey[msgTypeKey(first, 0)];
    }
    const second = bytes[start + 1] as number;
    if (end - start === 2 && (first | second) < 128) {
      return this.#dictionary.messageByKey[msgTypeKey(first, second)];
    }
    return this.#dictionary.messages.get(
      Buffer.from(bytes.subarray(start, end)).toString('latin1'),
    );
  }

  #fields(index: FieldIndex, info: MessageInfo): Fault | undefined {
    const { bytes, fields, length, slots, base } = index;
    const { values } = this.#dictionary;
    const { rules } = info;
    if (this.#userTags.size > 0) this.#userTags.clear();
    let section: number = sections.header;
    let required = 0;
    for (let at = 0; at < length; at = fieldAfter(at)) {
      const number = numberOf(fields, at);
      const rule = rules[number] as number;
      if (rule === 0) {
        const fault = this.#foreign(index, at, this.#userTags);
        if (fault !== undefined) return fault;
        if (section === sections.header) section = sections.body;
        continue;
      }
      const own = sectionOf(rule);
      if (own !== section) {
        if (own < section) return { reject: 'tagOutOfOrder', tag: fields[at] as number };
        section = own;
      }
      const slot = slots[number] as number;
      if (slot !== base + at) {
        if (slot >= base) return { reject: 'tagRepeated', tag: fields[at] as number };
        slots[number] = base + at;
      }
      const start = startOf(fields, at);
      const end = endOf(fields, at);
      if (!isAllowed(values, number, rule, bytes, start, end)) {
        return { reject: whyNotAllowed(rule, bytes, start, end), tag: fields[at] as number };
      }
      required += requiredOf(rule);
      if (isGroup(rule)) {
        const group = info.groups.get(fields[at] as number) as GroupInfo;
        at = this.#group(index, at, group) - stride;
        if (at < 0) return this.#fault;
      }
    }
    return required === info.required.length ? undefined : missing(index, info.required);
  }

  /** Handles a tag that is not allowed in the message; `seen` has the tags found before. */
  #foreign({ bytes, fields }: FieldIndex, at: number, seen: Set<number>): Fault | undefined {
    const tag = fields[at] as number;
    if (numberOf(fields, at) !== 0) return { reject: 'tagNotOfThisMessage', tag };
    if (tag < firstUserTag) return { reject: 'invalidTagNumber', tag };
    if (this.#strictUserTags) return { reject: 'undefinedTag', tag };
    const start = startOf(fields, at);
    const end = endOf(fields, at);
    if (start === end) return { reject: 'tagWithoutValue', tag };
    if (!isPrintable(bytes, start, end)) return { reject: 'incorrectFormat', tag };
    if (seen.has(tag)) return { reject: 'tagRepeated', tag };
    seen.add(tag);
    return undefined;
  }

  /** Checks the entries after the count at `countAt`; returns the position after them, or -1 with `#fault` set. */
  #group(index: FieldIndex, countAt: number, group: GroupInfo): number {
    const { fields, length } = index;
    const entries = countValue(index, countAt);
    let at = countAt + stride;
    for (let entry = 0; entry < entries; entry++) {
      const tag = at < length ? (fields[at] as number) : 0;
      if (tag !== group.firstTag) {
        return isMember(index, group, at)
          ? this.#fail('groupOutOfOrder', tag)
          : this.#fail('groupCount', group.countTag);
      }
      at = this.#entry(index, at, group);
      if (at < 0) return -1;
    }
    return isMember(index, group, at) ? this.#fail('groupCount', group.countTag) : at;
  }

  /** Checks one entry, up to the next one or the first field that is not a member; returns like `#group`. */
  #entry(index: FieldIndex, entryAt: number, group: GroupInfo): number {
    const { bytes, fields, length, slots, base } = index;
    const { values } = this.#dictionary;
    if (this.#userTagsOfEntry.size > 0) this.#userTagsOfEntry.clear();
    let lastPlace = 0;
    let required = 0;
    let at = entryAt;
    while (at < length) {
      const tag = fields[at] as number;
      const number = numberOf(fields, at);
      const placeOf = group.places[number] as number;
      if (placeOf === 1 && at > entryAt) break;
      if (placeOf === 0) {
        if (number !== 0 || tag < firstUserTag) break;
        const fault = this.#foreign(index, at, this.#userTagsOfEntry);
        if (fault !== undefined) return this.#fail(fault.reject, tag);
        at += stride;
        continue;
      }
      if (placeOf <= lastPlace) {
        const isRepeated = index.findFrom(tag, entryAt, at) >= 0;
        return this.#fail(isRepeated ? 'tagRepeated' : 'groupOutOfOrder', tag);
      }
      lastPlace = placeOf;
      if (slots[number] === base + at) slots[number] = 0;
      const rule = group.rules[number] as number;
      const start = startOf(fields, at);
      const end = endOf(fields, at);
      if (!isAllowed(values, number, rule, bytes, start, end)) {
        return this.#fail(whyNotAllowed(rule, bytes, start, end), tag);
      }
      required += requiredOf(rule);
      at += stride;
      if (isGroup(rule)) {
        at = this.#group(index, at - stride, group.groups.get(tag) as GroupInfo);
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

/** Whether the field at a position, which may be the end, belongs to an entry of the group. */
function isMember({ fields, length }: FieldIndex, group: GroupInfo, at: number): boolean {
  return at < length && group.places[numberOf(fields, at)] !== 0;
}

/** The count in a validated NumInGroup, which may have more digits than any message has fields. */
function countValue({ bytes, fields }: FieldIndex, at: number): number {
  const end = endOf(fields, at);
  let value = 0;
  for (let i = startOf(fields, at); i < end; i++) {
    value = value * 10 + (bytes[i] as number) - 48;
  }
  return value;
}

/** Whether the field's rule permits the value from `start` to `end`. */
function isAllowed(
  values: ValueSets,
  number: number,
  rule: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  if (isEnumerated(rule)) {
    if (end - start === 1) return hasChar(values, number, bytes[start] as number);
    return isWords(rule)
      ? areValues(values, number, bytes, start, end)
      : isWord(values, number, bytes, start, end);
  }
  if (start === end) return false;
  if (isText(rule)) return isPrintable(bytes, start, end);
  return isOfKind(kindOf(rule), bytes, start, end);
}

/** Returns the reason after `isAllowed` returned false. */
function whyNotAllowed(rule: number, bytes: Uint8Array, start: number, end: number): SessionReject {
  if (start === end) return 'tagWithoutValue';
  return isOfKind(kindOf(rule), bytes, start, end) ? 'valueOutOfRange' : 'incorrectFormat';
}

/** Whether the value is one of the field's longer permitted values. */
function isWord(
  values: ValueSets,
  number: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  for (const word of values.words[number] as readonly Uint8Array[]) {
    if (word.length === end - start && word.every((byte, i) => byte === bytes[start + i])) {
      return true;
    }
  }
  return false;
}

/** MultipleValueString: values separated by single spaces. */
function areValues(
  values: ValueSets,
  number: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): boolean {
  let from = start;
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] !== space) continue;
    const isOne =
      at - from === 1
        ? hasChar(values, number, bytes[from] as number)
        : isWord(values, number, bytes, from, at);
    if (!isOne) return false;
    from = at + 1;
  }
  return true;
}
