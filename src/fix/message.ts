/**
 * A view of a decoded message, or of one entry of a repeating group in it. Values are converted to strings or numbers
 * only when they are read. The decoder's own message is valid until the decoder continues; `detach` makes a copy that
 * remains valid.
 */
import type { GroupInfo, MessageInfo } from './dictionary.ts';
import { endOf, type FieldIndex, startOf, stride } from './field-index.ts';
import { dateDays, utcTimestampMs } from './timestamp.ts';

/**
 * The fields of a message or of a group entry. Every reader returns undefined if the tag is absent or its value does
 * not have that format; in a validated message, values have the format of the dictionary.
 */
export type FieldReader = Omit<
  Message,
  'index' | 'raw' | 'msgType' | 'msgSeqNum' | 'info' | 'detach'
>;

export interface Field {
  readonly tag: number;
  /** A view, like `FieldReader.bytes`. */
  readonly value: Uint8Array;
}

const minus = 45;
/** The position of MsgType(35), the third field. */
const msgTypeAt = 2 * stride;

/** Parses safe integers; returns undefined for anything but an optional minus and digits. */
function parseInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === minus;
  let at = isNegative ? start + 1 : start;
  if (at >= end) return undefined;
  let value = 0;
  for (; at < end; at++) {
    const digit = (bytes[at] as number) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
    if (value > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return isNegative && value !== 0 ? -value : value;
}

const { fromCharCode } = String;

/** Decodes short ASCII text eight characters at a time, which is faster than the runtime; other text is UTF-8. */
function decodeText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 24) return buffer(bytes, start, end).toString('utf8');
  let text = '';
  let at = start;
  for (; at + 8 <= end; at += 8) {
    const a = bytes[at] as number;
    const b = bytes[at + 1] as number;
    const c = bytes[at + 2] as number;
    const d = bytes[at + 3] as number;
    const e = bytes[at + 4] as number;
    const f = bytes[at + 5] as number;
    const g = bytes[at + 6] as number;
    const h = bytes[at + 7] as number;
    if ((a | b | c | d | e | f | g | h) > 127) return buffer(bytes, start, end).toString('utf8');
    text += fromCharCode(a, b, c, d, e, f, g, h);
  }
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte > 127) return buffer(bytes, start, end).toString('utf8');
    text += fromCharCode(byte);
  }
  return text;
}

function buffer(bytes: Uint8Array, start: number, end: number): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);
}

export class Message {
  /** The index that this is a view of; for the decoder and the validator. */
  readonly index: FieldIndex;
  readonly #isWhole: boolean;
  readonly #from: number;
  readonly #to: number;
  readonly #groups: ReadonlyMap<number, GroupInfo> | undefined;

  constructor(index: FieldIndex, entry?: { from: number; to: number; group: GroupInfo }) {
    this.index = index;
    this.#isWhole = entry === undefined;
    this.#from = entry?.from ?? 0;
    this.#to = entry?.to ?? 0;
    this.#groups = entry?.group.groups;
  }

  /** All bytes of the message, from BeginString(8) to the end of CheckSum(10), as a view. */
  get raw(): Uint8Array {
    const { bytes, start, end } = this.index;
    return bytes.subarray(start, end);
  }

  get msgType(): string {
    return this.#text(msgTypeAt);
  }

  /** MsgSeqNum(34); undefined if it is absent or not a positive integer. */
  get msgSeqNum(): number | undefined {
    const seq = this.int(34);
    return seq !== undefined && seq > 0 ? seq : undefined;
  }

  /** The dictionary's entry for this MsgType(35); undefined for an unknown one. */
  get info(): MessageInfo | undefined {
    const { dictionary } = this.index;
    return dictionary.messages.get(this.msgType);
  }

  /** Returns a copy that remains valid when the decoder continues. */
  detach(): Message {
    return new Message(this.index.copy());
  }

  has(tag: number): boolean {
    return this.#find(tag) >= 0;
  }

  /** Whether the message has any of these tags, in one pass over the fields. */
  hasAny(tags: ReadonlySet<number>): boolean {
    const { fields, length } = this.index;
    const to = this.#isWhole ? length : this.#to;
    for (let at = this.#from; at < to; at += stride) {
      if (tags.has(fields[at] as number)) return true;
    }
    return false;
  }

  /** Whether the message has no other tags. */
  hasOnly(tags: ReadonlySet<number>): boolean {
    const { fields, length } = this.index;
    const to = this.#isWhole ? length : this.#to;
    for (let at = this.#from; at < to; at += stride) {
      if (!tags.has(fields[at] as number)) return false;
    }
    return true;
  }

  text(tag: number): string | undefined {
    const at = this.#find(tag);
    return at < 0 ? undefined : this.#text(at);
  }

  /** A safe integer. */
  int(tag: number): number | undefined {
    const at = this.#find(tag);
    if (at < 0) return undefined;
    const { bytes, fields } = this.index;
    return parseInteger(bytes, startOf(fields, at), endOf(fields, at));
  }

  bool(tag: number): boolean | undefined {
    const at = this.#find(tag);
    if (at < 0) return undefined;
    const { bytes, fields } = this.index;
    const start = startOf(fields, at);
    if (endOf(fields, at) - start !== 1) return undefined;
    const byte = bytes[start];
    return byte === 89 ? true : byte === 78 ? false : undefined;
  }

  /** A view of the message's own bytes. */
  bytes(tag: number): Uint8Array | undefined {
    const at = this.#find(tag);
    return at < 0 ? undefined : this.#value(at);
  }

  /** The length of the value; 0 if the tag is absent. */
  size(tag: number): number {
    const at = this.#find(tag);
    const { fields } = this.index;
    return at < 0 ? 0 : endOf(fields, at) - startOf(fields, at);
  }

  /** A UTCTimestamp as Unix time in milliseconds, truncated. */
  utcMs(tag: number): number | undefined {
    const at = this.#find(tag);
    if (at < 0) return undefined;
    const { bytes, fields } = this.index;
    const ms = utcTimestampMs(bytes, startOf(fields, at), endOf(fields, at));
    return Number.isNaN(ms) ? undefined : ms;
  }

  /** A UTCDateOnly or LocalMktDate as the Unix time of its start in UTC. */
  dateMs(tag: number): number | undefined {
    const at = this.#find(tag);
    if (at < 0) return undefined;
    const { bytes, fields } = this.index;
    const start = startOf(fields, at);
    const days = endOf(fields, at) - start === 8 ? dateDays(bytes, start) : Number.NaN;
    return Number.isNaN(days) ? undefined : days * 86_400_000;
  }

  /** The entries of the repeating group with this count tag; empty if it is absent. */
  entries(countTag: number): readonly FieldReader[] {
    const groups = this.#isWhole ? this.info?.groups : this.#groups;
    const group = groups?.get(countTag);
    const at = this.#find(countTag);
    if (group === undefined || at < 0) return [];
    const { fields, dictionary } = this.index;
    const end = this.#isWhole ? this.index.length : this.#to;
    const entries: Message[] = [];
    let from = at + stride;
    for (let to = from; to <= end; to += stride) {
      const tag = to < end ? (fields[to] as number) : -1;
      const isMember = belongs(tag, group, dictionary.fieldOf);
      if (to > from && (tag === group.firstTag || !isMember)) {
        entries.push(new Message(this.index, { from, to, group }));
        from = to;
      }
      if (!isMember) break;
    }
    return entries;
  }

  /** All fields in the order received. */
  *fields(): IterableIterator<Field> {
    const to = this.#isWhole ? this.index.length : this.#to;
    for (let at = this.#from; at < to; at += stride) {
      yield { tag: this.index.fields[at] as number, value: this.#value(at) };
    }
  }

  #find(tag: number): number {
    return this.#isWhole ? this.index.find(tag) : this.index.findFrom(tag, this.#from, this.#to);
  }

  #text(at: number): string {
    const { bytes, fields } = this.index;
    return decodeText(bytes, startOf(fields, at), endOf(fields, at));
  }

  #value(at: number): Uint8Array {
    const { bytes, fields } = this.index;
    return bytes.subarray(startOf(fields, at), endOf(fields, at));
  }
}

/** Whether the tag belongs to an entry of the group or of a nested group, or is an undefined user-defined tag. */
function belongs(tag: number, group: GroupInfo, fieldOf: Uint16Array): boolean {
  const number = fieldOf[tag] ?? 0;
  if (number === 0) return tag >= 5000;
  if (group.places[number] !== 0) return true;
  for (const inner of group.groups.values()) if (belongs(tag, inner, fieldOf)) return true;
  return false;
}
