/**
 * The one pass over the bytes of a framed message: tells the fields apart and sums the bytes for CheckSum(10). What
 * a field means is left to the validator. Data fields may hold SOH, so they are cut by the length field before them.
 */
import { maxDictionaryTag } from './dictionary.ts';
import {
  type FieldIndex,
  fieldNumber,
  type ScanFault,
  stride,
  valueEnd,
  valueStart,
} from './field-index.ts';

const soh = 1;
const equals = 61;
const minus = 45;
const zero = 48;
const nine = 57;
/** A tag of more digits than this has is no tag. */
const maxTag = 100_000_000;
const maxTagDigits = 9;

/** Fills the index, CheckSum(10) included; answers the sum of all bytes before it, modulo 256. */
export function scan(index: FieldIndex, maxFields: number): number {
  for (;;) {
    const sum = pass(index, maxFields * stride);
    if (sum >= 0) return sum;
    index.grow();
  }
}

/** As `scan`, but -1 if the index is too small; `most` is what it may grow to. */
function pass(index: FieldIndex, most: number): number {
  const { bytes, fields, slots, base } = index;
  const room = Math.min(most, fields.length - stride);
  const { fieldOf, lengthTagOf } = index.dictionary;
  const dataFields = lengthTagOf.length - 1;
  const trailer = index.end - 7;
  let length = 0;
  let sum = 0;
  let at = index.start;
  while (at < trailer) {
    const tagAt = at;
    let byte = bytes[at++] as number;
    let tag = byte - zero;
    let tagSum = byte;
    if (tag >= 1 && tag <= 9) {
      byte = bytes[at++] as number;
      while (byte >= zero && byte <= nine && tag < maxTag) {
        tag = tag * 10 + byte - zero;
        tagSum += byte;
        byte = bytes[at++] as number;
      }
    }
    let number = 0;
    if (byte === equals) {
      if (tag <= maxDictionaryTag) number = fieldOf[tag] as number;
      sum += tagSum + equals;
    } else {
      at = oddField(index, tagAt);
      tag = index.oddTag;
      sum += sumOf(bytes, tagAt, at);
    }
    const valueAt = at;
    if (number <= dataFields && number !== 0) {
      at = dataEnd(index, length, lengthTagOf[number] as number, valueAt);
      sum += sumOf(bytes, valueAt, at);
    }
    byte = bytes[at++] as number;
    while (byte !== soh) {
      sum += byte;
      byte = bytes[at++] as number;
    }
    sum += soh;
    if (length === room) {
      if (room < most) return -1;
      fault(index, 'tooManyFields', tag);
      continue;
    }
    fields[length] = tag;
    fields[length + fieldNumber] = number;
    fields[length + valueStart] = valueAt;
    fields[length + valueEnd] = at - 1;
    if ((slots[number] as number) < base) slots[number] = base + length;
    length += stride;
  }
  fields[length] = 10;
  fields[length + fieldNumber] = fieldOf[10] as number;
  fields[length + valueStart] = trailer + 3;
  fields[length + valueEnd] = trailer + 6;
  slots[fieldOf[10] as number] = base + length;
  index.length = length + stride;
  return sum & 255;
}

function fault(index: FieldIndex, what: ScanFault, tag: number): void {
  if (index.fault !== undefined) return;
  index.fault = what;
  index.faultTag = tag;
}

function sumOf(bytes: Uint8Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += bytes[at] as number;
  return sum;
}

/**
 * A field whose tag is no plain positive number: keeps what number there is in `oddTag`, 0 for none. Answers where
 * its value begins; a field without `=` has an empty one.
 */
function oddField(index: FieldIndex, tagAt: number): number {
  const { bytes } = index;
  let at = tagAt;
  let tag = 0;
  let isNumber = true;
  for (; bytes[at] !== equals && bytes[at] !== soh; at++) {
    const digit = (bytes[at] as number) - zero;
    if (digit >= 0 && digit <= 9 && at - tagAt <= maxTagDigits) tag = tag * 10 + digit;
    else if (at > tagAt || bytes[at] !== minus) isNumber = false;
  }
  index.oddTag = !isNumber ? 0 : bytes[tagAt] === minus ? -tag : tag;
  fault(index, 'tag', index.oddTag);
  return bytes[at] === equals ? at + 1 : at;
}

/** Where the data that begins at `valueAt` ends by the length field before it, or `valueAt` if there is none. */
function dataEnd(index: FieldIndex, length: number, lengthTag: number, valueAt: number): number {
  const { bytes, fields } = index;
  const before = length - stride;
  if (before < 0 || fields[before] !== lengthTag) {
    fault(index, 'dataWithoutLength', lengthTag);
    return valueAt;
  }
  let bytesOfData = 0;
  const digitsEnd = fields[before + valueEnd] as number;
  for (let at = fields[before + valueStart] as number; at < digitsEnd; at++) {
    bytesOfData = bytesOfData * 10 + (bytes[at] as number) - zero;
  }
  const end = valueAt + bytesOfData;
  if (end >= valueAt && end < index.end - 7 && bytes[end] === soh) return end;
  fault(index, 'dataLength', lengthTag);
  return valueAt;
}
