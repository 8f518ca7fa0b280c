/**
 * Where the fields of one message lie in its bytes: for each field, in the order received, four integers.
 *
 *   fields   | tag, field number, value start, value end | tag, … |
 *   slots    by field number: base + position in `fields` of the first field with that tag
 *
 * One index serves message after message: raising `base` forgets the last message without touching the table.
 */
import { type Dictionary, maxDictionaryTag } from './dictionary.ts';

/** Where the parts of a field stand behind its tag; a position is always a multiple of `stride`. */
export const fieldNumber = 1;
export const valueStart = 2;
export const valueEnd = 3;
export const stride = 4;

export type ScanFault = 'tag' | 'dataLength' | 'dataWithoutLength' | 'tooManyFields';

const initialFields = 48;

export class FieldIndex {
  readonly dictionary: Dictionary;
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  fields: Int32Array;
  /** What is used of `fields`. */
  length = 0;
  readonly slots: Int32Array;
  base = 1;
  /** The first thing that kept the fields from being told apart, and the tag it was found at. */
  fault: ScanFault | undefined;
  faultTag = 0;
  /** The number that stood for the last tag that was no positive number. */
  oddTag = 0;

  constructor(dictionary: Dictionary, capacity = initialFields * stride) {
    this.dictionary = dictionary;
    this.fields = new Int32Array(capacity);
    this.slots = new Int32Array(dictionary.fields.length);
  }

  /** Forgets the last message and gets ready for the next. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.base += this.length;
    if (this.base > 1 << 29) {
      this.slots.fill(0);
      this.base = 1;
    }
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.length = 0;
    this.fault = undefined;
  }

  grow(): void {
    const wider = new Int32Array(this.fields.length * 2);
    wider.set(this.fields);
    this.fields = wider;
  }

  /** The position of the first field with this tag at the top level, or -1. */
  find(tag: number): number {
    const number = tag <= maxDictionaryTag ? (this.dictionary.fieldOf[tag] ?? 0) : 0;
    if (number === 0) return this.findFrom(tag, 0, this.length);
    const slot = (this.slots[number] as number) - this.base;
    return slot >= 0 ? slot : -1;
  }

  /** The first position of the tag among some of the fields, or -1. */
  findFrom(tag: number, from: number, to: number): number {
    const { fields } = this;
    for (let at = from; at < to; at += stride) if (fields[at] === tag) return at;
    return -1;
  }

  /** A copy with bytes of its own. */
  copy(): FieldIndex {
    const { start, length } = this;
    const copy = new FieldIndex(this.dictionary, length);
    copy.bytes = this.bytes.slice(start, this.end);
    copy.end = this.end - start;
    copy.length = length;
    copy.fields.set(this.fields.subarray(0, length));
    for (let at = 0; at < length; at += stride) {
      copy.fields[at + valueStart] = (this.fields[at + valueStart] as number) - start;
      copy.fields[at + valueEnd] = (this.fields[at + valueEnd] as number) - start;
    }
    copy.slots.set(this.slots);
    copy.base = this.base;
    copy.fault = this.fault;
    copy.faultTag = this.faultTag;
    return copy;
  }
}
