/**
 * Writes tag=value fields into one growing buffer: the body of a message, or several whole messages. A value can never
 * break out of its field: control characters in text become spaces, also those beyond ASCII, which peers refuse. FIX
 * has no empty values, so an empty text is omitted.
 */
import { decimalText } from './decimal.ts';
import { UtcTimestampWriter, utcTimestampLength } from './timestamp.ts';

const soh = 1;
const equals = 61;
const minus = 45;
const dot = 46;
const space = 32;
/** A tag, `=` and SOH, and the longest number. */
const fieldRoom = 40;

export class FieldWriter {
  #bytes: Uint8Array;
  #length = 0;
  readonly #timestamps = new UtcTimestampWriter();

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  /** The bytes written since the last `clear`. They are valid until the next write. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Drops everything that was written, or everything after `length`. */
  clear(length = 0): this {
    this.#length = length;
    return this;
  }

  text(tag: number, value: string): this {
    if (value === '') return this;
    this.#open(tag, value.length * 3);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 126) return this.#utf8(value);
      bytes[at++] = Math.max(code, space);
    }
    return this.#close(at);
  }

  /** An integer up to 2^53; anything else is a bug. */
  int(tag: number, value: number): this {
    if (!Number.isSafeInteger(value)) throw new RangeError(`${tag}=${value} is not an integer`);
    this.#open(tag, 0);
    return this.#close(this.#digits(this.#length, value));
  }

  bool(tag: number, value: boolean): this {
    return this.char(tag, value ? 'Y' : 'N');
  }

  /** One ASCII character. */
  char(tag: number, value: string): this {
    this.#open(tag, 0);
    this.#bytes[this.#length] = value.charCodeAt(0);
    return this.#close(this.#length + 1);
  }

  /** Exact atoms of 10^-scale as the shortest decimal; below 10^15 a number holds them exactly. */
  decimal(tag: number, atoms: bigint, scale: number): this {
    const small = Number(atoms);
    if (!(small >= 0 && small < 1e15)) return this.text(tag, decimalText(atoms, scale));
    this.#open(tag, scale);
    return this.#close(this.#decimal(small, scale));
  }

  utc(tag: number, unixMs: number): this {
    this.#open(tag, utcTimestampLength);
    return this.#close(this.#timestamps.write(this.#bytes, this.#length, unixMs));
  }

  /** A value that is already encoded; it must not contain SOH. */
  value(tag: number, value: Uint8Array): this {
    this.#open(tag, value.length);
    this.#bytes.set(value, this.#length);
    return this.#close(this.#length + value.length);
  }

  /** A data field, which may contain any byte, after its length field. */
  data(lengthTag: number, tag: number, value: Uint8Array): this {
    return this.int(lengthTag, value.length).value(tag, value);
  }

  /** Complete fields that are already encoded. */
  raw(fields: Uint8Array): this {
    const { length } = fields;
    this.reserve(length);
    const bytes = this.#bytes;
    const start = this.#length;
    if (length > shortCopy) bytes.set(fields, start);
    else for (let i = 0; i < length; i++) bytes[start + i] = fields[i] as number;
    this.#length = start + length;
    return this;
  }

  /** The bytes themselves; those after `length` are outdated. The buffer is replaced when it grows. */
  get buffer(): Uint8Array {
    return this.#bytes;
  }

  /** Moves everything from `from` on by this many bytes, in either direction. */
  move(from: number, by: number): void {
    this.reserve(Math.max(by, 0));
    this.#bytes.copyWithin(from + by, from, this.#length);
    this.#length += by;
  }

  /** Makes room for this many more bytes. */
  reserve(room: number): void {
    if (this.#length + room <= this.#bytes.length) return;
    const wider = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + room));
    wider.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = wider;
  }

  #open(tag: number, room: number): void {
    this.reserve(room + fieldRoom);
    const at = this.#digits(this.#length, tag);
    this.#bytes[at] = equals;
    this.#length = at + 1;
  }

  #close(at: number): this {
    this.#bytes[at] = soh;
    this.#length = at + 1;
    return this;
  }

  #utf8(value: string): this {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get out
    const clean = value.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ');
    const { written } = encoder.encodeInto(clean, this.#bytes.subarray(this.#length));
    return this.#close(this.#length + written);
  }

  /** Writes an integer; returns the position after it. */
  #digits(start: number, value: number): number {
    let at = start;
    if (value < 0) this.#bytes[at++] = minus;
    const magnitude = Math.abs(value);
    const count = digitCount(magnitude);
    putDigits(this.#bytes, at, count, magnitude);
    return at + count;
  }

  /** Writes atoms below 10^15 without trailing zeros of a fraction; returns the position after them. */
  #decimal(atoms: number, scale: number): number {
    let fraction = scale;
    let rest = atoms;
    for (; fraction > 0; fraction--) {
      const tenth = Math.floor(rest / 10);
      if (tenth * 10 !== rest) break;
      rest = tenth;
    }
    if (fraction === 0) return this.#digits(this.#length, rest);
    const power = powersOfTen[Math.min(fraction, maxPower)] as number;
    const whole = Math.floor(rest / power);
    const at = this.#digits(this.#length, whole);
    this.#bytes[at] = dot;
    putDigits(this.#bytes, at + 1, fraction, rest - whole * power);
    return at + 1 + fraction;
  }
}

const encoder = new TextEncoder();
/** The runtime copies longer pieces faster, a loop shorter ones. */
const shortCopy = 48;
const billion = 1e9;
/** Exceeds all atoms that `#decimal` accepts, so that the integer part is 0. */
const maxPower = 16;
const powersOfTen = Float64Array.from({ length: maxPower + 1 }, (_, power) => 10 ** power);

function digitCount(value: number): number {
  let count = 1;
  for (let bound = 10; value >= bound; bound *= 10) count += 1;
  return count;
}

/** Writes this many digits, with 32-bit arithmetic below 2^31. */
function putDigits(bytes: Uint8Array, start: number, count: number, value: number): void {
  if (value >= 0x8000_0000) {
    const high = Math.floor(value / billion);
    putDigits(bytes, start, count - 9, high);
    putDigits(bytes, start + count - 9, 9, value - high * billion);
    return;
  }
  let rest = value | 0;
  for (let at = start + count - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0;
    bytes[at] = 48 + (rest - tenth * 10);
    rest = tenth;
  }
}
