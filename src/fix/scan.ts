/**
 * The one pass over the bytes of a framed message: tells the fields apart and sums the bytes for CheckSum(10). What
 * a field means is left to the validator. Data fields may hold SOH, so they are cut by the length field before them.
 */
import { maxDictionaryTag } from './dictionary.ts';
import type { FieldIndex, ScanFault } from './field-index.ts';

const soh = 1;
const equals = 61;
const minus = 45;
const zero = 48;
const nine = 57;
const maxTagDigits = 9;

/** Fills the index, CheckSum(10) included; answers the sum of all bytes before it, modulo 256. */
export function scan(index: FieldIndex, maxFields: number): number {
  const { bytes, slots, base } = index;
  const { fieldOf, lengthTagOf } = index.dictionary;
  const trailer = index.end - 7;
  let { tags, starts, ends } = index;
  let count = 0;
  let sum = 0;
  let at = index.start;
  while (at < trailer) {
    const tagAt = at;
    const sumBefore = sum;
    let tag = 0;
    let byte = bytes[at++] as number;
    while (byte >= zero && byte <= nine) {
      sum += byte;
      tag = tag * 10 + byte - zero;
      byte = bytes[at++] as number;
    }
    sum += byte;
    if (byte !== equals || at - tagAt - 1 > maxTagDigits || bytes[tagAt] === zero || tag === 0) {
      at = oddField(index, tagAt);
      tag = index.oddTag;
      sum = sumBefore + sumOf(bytes, tagAt, at);
    }
    const number = tag <= maxDictionaryTag && tag > 0 ? (fieldOf[tag] as number) : 0;
    const valueAt = at;
    if (lengthTagOf[number] !== 0) {
      at = dataEnd(index, count, lengthTagOf[number] as number, valueAt);
      sum += sumOf(bytes, valueAt, at);
    }
    byte = bytes[at++] as number;
    while (byte !== soh) {
      sum += byte;
      byte = bytes[at++] as number;
    }
    sum += soh;
    if (count === maxFields) {
      fault(index, 'tooManyFields', tag);
      continue;
    }
    if (count + 1 === tags.length) {
      index.grow();
      ({ tags, starts, ends } = index);
    }
    tags[count] = tag;
    starts[count] = valueAt;
    ends[count] = at - 1;
    if ((slots[number] as number) < base) slots[number] = base + count;
    count += 1;
  }
  tags[count] = 10;
  starts[count] = trailer + 3;
  ends[count] = trailer + 6;
  slots[fieldOf[10] as number] = base + count;
  index.count = count + 1;
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
function dataEnd(index: FieldIndex, count: number, lengthTag: number, valueAt: number): number {
  const { bytes, tags, starts, ends } = index;
  if (count === 0 || tags[count - 1] !== lengthTag) {
    fault(index, 'dataWithoutLength', lengthTag);
    return valueAt;
  }
  let length = 0;
  for (let at = starts[count - 1] as number; at < (ends[count - 1] as number); at++) {
    length = length * 10 + (bytes[at] as number) - zero;
  }
  const end = valueAt + length;
  if (end >= valueAt && end < index.end - 7 && bytes[end] === soh) return end;
  fault(index, 'dataLength', lengthTag);
  return valueAt;
}
