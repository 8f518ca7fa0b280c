/**
 * The kinds of values behind the FIX 4.4 data types (volume 1, "Data types"), and the check of each on bytes: the
 * format rule of SessionRejectReason(373)=6. No value is converted to a string or a number here.
 */
import { isUtf8 } from 'node:buffer';
import { dateDays, timeOfDayMs, utcTimestampMs } from './timestamp.ts';

/** `isOfKind` uses these numbers. Text is 0; only data may contain any byte. */
export const kind = {
  text: 0,
  int: 1,
  count: 2,
  decimal: 3,
  char: 4,
  boolean: 5,
  utcTimestamp: 6,
  date: 7,
  utcTime: 8,
  monthYear: 9,
  words: 10,
  data: 11,
} as const;
export type ValueKind = (typeof kind)[keyof typeof kind];

/** Maps a type of the dictionary format to the kind that checks it. */
export const valueKinds: Readonly<Record<string, ValueKind>> = {
  STRING: kind.text,
  CURRENCY: kind.text,
  COUNTRY: kind.text,
  EXCHANGE: kind.text,
  INT: kind.int,
  DAYOFMONTH: kind.count,
  LENGTH: kind.count,
  SEQNUM: kind.count,
  NUMINGROUP: kind.count,
  FLOAT: kind.decimal,
  PRICE: kind.decimal,
  PRICEOFFSET: kind.decimal,
  QTY: kind.decimal,
  AMT: kind.decimal,
  PERCENTAGE: kind.decimal,
  CHAR: kind.char,
  BOOLEAN: kind.boolean,
  UTCTIMESTAMP: kind.utcTimestamp,
  UTCDATEONLY: kind.date,
  LOCALMKTDATE: kind.date,
  UTCTIMEONLY: kind.utcTime,
  MONTHYEAR: kind.monthYear,
  MULTIPLEVALUESTRING: kind.words,
  DATA: kind.data,
};

function areDigits(bytes: Uint8Array, start: number, end: number): boolean {
  if (start >= end) return false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 48 || byte > 57) return false;
  }
  return true;
}

function isDecimal(bytes: Uint8Array, start: number, end: number): boolean {
  let at = bytes[start] === 45 ? start + 1 : start;
  let digits = end - at;
  let dots = 0;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 48 && byte <= 57) continue;
    if (byte !== 46 || dots > 0) return false;
    dots = 1;
    digits -= 1;
  }
  return digits > 0;
}

/** YYYYMM, YYYYMMDD or YYYYMMwN with N of 1 to 5. */
function isMonthYear(bytes: Uint8Array, start: number, end: number): boolean {
  const length = end - start;
  if (length === 8 && bytes[start + 6] !== 119) return isDate(bytes, start, end);
  if (!areDigits(bytes, start, start + 6)) return false;
  const month = ((bytes[start + 4] as number) - 48) * 10 + (bytes[start + 5] as number) - 48;
  if (month < 1 || month > 12) return false;
  const week = bytes[start + 7] as number;
  return length === 6 || (length === 8 && week >= 49 && week <= 53);
}

function isDate(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 8 && !Number.isNaN(dateDays(bytes, start));
}

/**
 * UTF-8 without control characters. Invalid UTF-8 would be altered when it is read, so that two ids could become equal;
 * a control character is a command to a terminal.
 */
export function isPrintable(bytes: Uint8Array, start: number, end: number): boolean {
  let isAscii = true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte < 32 || byte === 127) return false;
    if (byte < 128) continue;
    // The control characters beyond ASCII, U+0080 to U+009F.
    if (byte === 0xc2 && at + 1 < end && (bytes[at + 1] as number) < 0xa0) return false;
    isAscii = false;
  }
  return isAscii || isUtf8(bytes.subarray(start, end));
}

/**
 * Whether the bytes from `start` to `end`, not empty, are a value of this kind. The cases are literals, because the
 * engine would load each property of `kind` for every field of every message.
 */
export function isOfKind(kindOf: number, bytes: Uint8Array, start: number, end: number): boolean {
  switch (kindOf) {
    case 0: // text
    case 10: // words
      return isPrintable(bytes, start, end);
    case 11: // data
      return true;
    case 1: // int
      return areDigits(bytes, bytes[start] === 45 ? start + 1 : start, end);
    case 2: // count
      return areDigits(bytes, start, end);
    case 3: // decimal
      return isDecimal(bytes, start, end);
    case 4: // char
      return end - start === 1 && isPrintable(bytes, start, end);
    case 5: // boolean
      return end - start === 1 && (bytes[start] === 89 || bytes[start] === 78);
    case 6: // utcTimestamp
      return !Number.isNaN(utcTimestampMs(bytes, start, end));
    case 7: // date
      return isDate(bytes, start, end);
    case 8: // utcTime
      return !Number.isNaN(timeOfDayMs(bytes, start, end));
    case 9: // monthYear
      return isMonthYear(bytes, start, end);
    default:
      throw new Error(`no check for kind ${kindOf} of value`);
  }
}
