/**
 * The locations of a message's fields in its bytes: four integers for each field, in the order received.
 *
 *   fields   | tag, field number, value start, value end | tag, … |
 *   slots    by field number: base + position in `fields` of the first field with that tag
 *
 * One index is reused for all messages: raising `base` clears the last message without touching the table.
 */
import type { Dictionary } from './dictionary.ts';

/**
 * The distance between positions. Functions contain the layout, because the engine does not inline imported constants.
 */
export const stride = 4;

export function fieldAfter(at: number): number {
  return at + 4;
}

export function numberOf(fields: Int32Array, at: number): number {
  return fields[at + 1] as number;
}

/** The start of the value. */
export function startOf(fields: Int32Array, at: number): number {
  return fields[at + 2] as number;
}

/** The end of the value. */
export function endOf(fields: Int32Array, at: number): number {
  return fields[at + 3] as number;
}

export function setField(
  fields: Int32Array,
  at: number,
  tag: number,
  number: number,
  start: number,
  end: number,
): void {
  fields[at] = tag;
  fields[at + 1] = number;
  fields[at + 2] = start;
  fields[at + 3] = end;
}

export type ScanFault = 'tag' | 'dataLength' | 'dataWithoutLength' | 'tooManyFields' | 'tooLong';

const initialFields = 48;

export class FieldIndex {
  readonly dictionary: Dictionary;
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  fields: Int32Array;
  /** The used length of `fields`. */
  length = 0;
  readonly slots: Int32Array;
  base = 1;
  /** The first error that prevented the fields from being split, and its tag. */
  fault: ScanFault | undefined;
  faultTag = 0;

  constructor(dictionary: Dictionary, capacity = initialFields * stride) {
    this.dictionary = dictionary;
    this.fields = new Int32Array(capacity);
    this.slots = new Int32Array(dictionary.fields.length);
  }

  /** Clears the last message and prepares for the next one. */
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
    const number = this.dictionary.fieldOf[tag] ?? 0;
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

  /** Returns a copy with its own bytes. */
  copy(): FieldIndex {
    const { start, length } = this;
    const copy = new FieldIndex(this.dictionary, length);
    // The slice of a Buffer, which a socket provides, would share the bytes.
    copy.bytes = new Uint8Array(this.bytes.subarray(start, this.end));
    copy.end = this.end - start;
    copy.length = length;
    for (let at = 0; at < length; at += stride) {
      const { fields } = this;
      const tag = fields[at] as number;
      const valueAt = startOf(fields, at) - start;
      setField(copy.fields, at, tag, numberOf(fields, at), valueAt, endOf(fields, at) - start);
    }
    copy.slots.set(this.slots);
    copy.base = this.base;
    copy.fault = this.fault;
    copy.faultTag = this.faultTag;
    return copy;
  }
}
