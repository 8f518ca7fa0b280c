/**
 * Where the fields of one message lie in its bytes: three parallel arrays in the order received, and for each field
 * number of the dictionary the first place it was seen. One index serves message after message: `slots` holds
 * `base + position`, and raising `base` forgets the last message without touching the table.
 */
import { type Dictionary, maxDictionaryTag } from './dictionary.ts';

export type ScanFault = 'tag' | 'dataLength' | 'dataWithoutLength' | 'tooManyFields';

export class FieldIndex {
  readonly dictionary: Dictionary;
  bytes: Uint8Array = new Uint8Array(0);
  start = 0;
  end = 0;
  count = 0;
  tags: Int32Array;
  starts: Int32Array;
  ends: Int32Array;
  readonly slots: Int32Array;
  base = 1;
  /** The first thing that kept the fields from being told apart, and the field it was found at. */
  fault: ScanFault | undefined;
  faultTag = 0;
  /** The number that stood for the last tag that was no positive number. */
  oddTag = 0;

  constructor(dictionary: Dictionary, capacity = 64) {
    this.dictionary = dictionary;
    this.tags = new Int32Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.slots = new Int32Array(dictionary.fields.length);
  }

  /** Forgets the last message and gets ready for the next. */
  open(bytes: Uint8Array, start: number, end: number): void {
    this.base += this.count;
    if (this.base > 1 << 30) {
      this.slots.fill(0);
      this.base = 1;
    }
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.count = 0;
    this.fault = undefined;
  }

  grow(): void {
    this.tags = widened(this.tags);
    this.starts = widened(this.starts);
    this.ends = widened(this.ends);
  }

  /** The position of the first field with this tag, or -1. */
  find(tag: number): number {
    const number = tag <= maxDictionaryTag ? (this.dictionary.fieldOf[tag] ?? 0) : 0;
    if (number === 0) return this.findFrom(tag, 0, this.count);
    const slot = (this.slots[number] as number) - this.base;
    return slot >= 0 ? slot : -1;
  }

  /** The position of the tag among some of the fields, or -1. */
  findFrom(tag: number, from: number, to: number): number {
    const { tags } = this;
    for (let at = from; at < to; at++) if (tags[at] === tag) return at;
    return -1;
  }

  /** A copy with bytes of its own. */
  copy(): FieldIndex {
    const copy = new FieldIndex(this.dictionary, this.count);
    const { start } = this;
    copy.bytes = this.bytes.slice(start, this.end);
    copy.end = this.end - start;
    copy.count = this.count;
    copy.tags.set(this.tags.subarray(0, this.count));
    for (let at = 0; at < this.count; at++) {
      copy.starts[at] = (this.starts[at] as number) - start;
      copy.ends[at] = (this.ends[at] as number) - start;
    }
    copy.slots.set(this.slots);
    copy.base = this.base;
    copy.fault = this.fault;
    copy.faultTag = this.faultTag;
    return copy;
  }
}

function widened(array: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(array.length * 2);
  wider.set(array);
  return wider;
}
