/**
 * The single pass over the bytes of a framed message: it splits the fields and sums the bytes for CheckSum(10). The
 * validator checks the meaning of the fields. The loop handles only plain fields; it stops at any other field and
 * continues after it.
 */
import {
  endOf,
  type FieldIndex,
  fieldAfter,
  type ScanFault,
  setField,
  startOf,
  stride,
} from './field-index.ts';

const soh = 1;
const equals = 61;
const minus = 45;
const zero = 48;
const nine = 57;
/** `10=ddd|` */
const trailerBytes = 7;
const maxTagDigits = 9;

/** The state of the pass. */
interface Progress {
  at: number;
  length: number;
  sum: number;
}

/** One object is enough: a scan is never interrupted. */
const progress: Progress = { at: 0, length: 0, sum: 0 };

/** Fills the index, including CheckSum(10); returns the sum of all bytes before it, modulo 256. */
export function scan(index: FieldIndex, maxFields: number): number {
  const trailer = index.end - trailerBytes;
  progress.at = index.start;
  progress.length = 0;
  progress.sum = 0;
  scanPlain(index, maxFields);
  while (progress.at < trailer) {
    scanSpecial(index, maxFields);
    scanPlain(index, maxFields);
  }
  const number = index.dictionary.fieldOf[10] as number;
  append(index, 10, number, trailer + 3, trailer + 6);
  index.length = progress.length;
  return progress.sum & 255;
}

/**
 * Reads plain fields up to the trailer, a special field, or a full index. The constants are repeated here, because the
 * engine inlines those of a function but loads those of a module, and this loop runs for every byte.
 */
function scanPlain(index: FieldIndex, maxFields: number): void {
  const soh = 1;
  const equals = 61;
  const zero = 48;
  const nine = 57;
  const { bytes, fields, slots, base } = index;
  const { fieldOf, lengthTagOf } = index.dictionary;
  const dataFields = lengthTagOf.length - 1;
  const trailer = index.end - trailerBytes;
  const room = Math.min(fields.length - stride, maxFields * stride);
  let { at, length, sum } = progress;
  while (at < trailer) {
    const tagAt = at;
    let byte = bytes[at++] as number;
    let tag = byte - zero;
    let tagSum = byte;
    if (tag >= 1 && tag <= 9) {
      byte = bytes[at++] as number;
      while (byte >= zero && byte <= nine && tag < 100_000_000) {
        tag = tag * 10 + byte - zero;
        tagSum += byte;
        byte = bytes[at++] as number;
      }
    } else tag = 0;
    const number = tag < fieldOf.length ? (fieldOf[tag] as number) : 0;
    if (byte !== equals || tag === 0 || length === room || (number <= dataFields && number !== 0)) {
      at = tagAt;
      break;
    }
    sum += tagSum + equals + soh;
    const valueAt = at;
    byte = bytes[at++] as number;
    while (byte !== soh) {
      sum += byte;
      byte = bytes[at++] as number;
    }
    setField(fields, length, tag, number, valueAt, at - 1);
    if ((slots[number] as number) < base) slots[number] = base + length;
    length = fieldAfter(length);
  }
  progress.at = at;
  progress.length = length;
  progress.sum = sum;
}

/** Reads one field of any kind: an unusual tag, a data field, or a field for which the index must grow. */
function scanSpecial(index: FieldIndex, maxFields: number): void {
  const { bytes } = index;
  const tagAt = progress.at;
  let at = tagAt;
  while (bytes[at] !== equals && bytes[at] !== soh) at += 1;
  const tag = tagNumber(bytes, tagAt, at);
  if (tag <= 0 || bytes[at] === soh || bytes[tagAt] === zero) addFault(index, 'tag', tag);
  if (bytes[at] === equals) at += 1;
  const valueAt = at;
  const number = tag > 0 ? (index.dictionary.fieldOf[tag] ?? 0) : 0;
  const lengthTag = index.dictionary.lengthTagOf[number] ?? 0;
  if (lengthTag !== 0) at = dataEnd(index, lengthTag, valueAt);
  while (bytes[at] !== soh) at += 1;
  for (let i = tagAt; i <= at; i++) progress.sum += bytes[i] as number;
  progress.at = at + 1;
  if (progress.length === maxFields * stride) addFault(index, 'tooManyFields', tag);
  else append(index, tag, number, valueAt, at);
}

/** Adds a field and ensures room for one more. */
function append(index: FieldIndex, tag: number, number: number, start: number, end: number): void {
  const { length } = progress;
  if (length + 2 * stride > index.fields.length) index.grow();
  const { fields, slots, base } = index;
  setField(fields, length, tag, number, start, end);
  if ((slots[number] as number) < base) slots[number] = base + length;
  progress.length = length + stride;
}

function addFault(index: FieldIndex, what: ScanFault, tag: number): void {
  if (index.fault !== undefined) return;
  index.fault = what;
  index.faultTag = tag;
}

/** Parses a tag, which may be negative; returns 0 if it is not a number. */
function tagNumber(bytes: Uint8Array, start: number, end: number): number {
  const digitsAt = bytes[start] === minus ? start + 1 : start;
  if (end - digitsAt > maxTagDigits) return 0;
  let tag = 0;
  for (let at = digitsAt; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < zero || byte > nine) return 0;
    tag = tag * 10 + byte - zero;
  }
  return digitsAt === start ? tag : 0 - tag;
}

/** The end of the data that starts at `valueAt`, by the preceding length field; `valueAt` if there is none. */
function dataEnd(index: FieldIndex, lengthTag: number, valueAt: number): number {
  const { bytes, fields } = index;
  const before = progress.length - stride;
  if (before < 0 || fields[before] !== lengthTag) {
    addFault(index, 'dataWithoutLength', lengthTag);
    return valueAt;
  }
  let dataBytes = 0;
  const digitsEnd = endOf(fields, before);
  for (let at = startOf(fields, before); at < digitsEnd; at++) {
    dataBytes = dataBytes * 10 + (bytes[at] as number) - zero;
  }
  const end = valueAt + dataBytes;
  if (end >= valueAt && end < index.end - trailerBytes && bytes[end] === soh) return end;
  addFault(index, 'dataLength', lengthTag);
  return valueAt;
}
