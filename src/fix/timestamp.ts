/**
 * Parses and writes UTCTimestamp, UTCTimeOnly, UTCDateOnly and LocalMktDate of FIX 4.4 as bytes: YYYYMMDD-HH:MM:SS
 * without a fraction or with 3, 6 or 9 digits; days and months are checked. A leap second (23:59:60) is accepted as the
 * first second of the next day (docs/decisions/0011-values-and-dictionaries.md). Values are truncated to the unit, not
 * rounded.
 */

/** YYYYMMDD-HH:MM:SS.sss */
export const utcTimestampLength = 21;

const zero = 48;
const dayMs = 86_400_000;

/** Negative if the byte is not a digit. */
function digitFault(byte: number): number {
  return (byte - zero) | (zero + 9 - byte);
}

/** The number formed by two digits, or -1. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] as number;
  const ones = bytes[at + 1] as number;
  return (digitFault(tens) | digitFault(ones)) < 0 ? -1 : tens * 10 + ones - 11 * zero;
}

function monthDays(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 in the Gregorian calendar; the year counts from March, so that the leap day is its last. */
function epochDays(year: number, month: number, day: number): number {
  const isEarly = month <= 2;
  const y = isEarly ? year - 1 : year;
  const dayOfYear = (((153 * (isEarly ? month + 9 : month - 3) + 2) / 5) | 0) + day - 1;
  const leapDays = (y >> 2) - ((y / 100) | 0) + ((y / 400) | 0);
  return y * 365 + leapDays + dayOfYear - 719_468;
}

/** The last date that was parsed, as its eight bytes: almost all timestamps within a day share it. */
const lastDate = { high: 0, low: 0, days: Number.NaN };

function fourBytes(bytes: Uint8Array, at: number): number {
  const high = ((bytes[at] as number) << 24) | ((bytes[at + 1] as number) << 16);
  return high | ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number);
}

/** The days from 1970-01-01 to the YYYYMMDD at `at`, or NaN. There is no year 0. */
export function dateDays(bytes: Uint8Array, at: number): number {
  const high = fourBytes(bytes, at);
  const low = fourBytes(bytes, at + 4);
  if (high !== lastDate.high || low !== lastDate.low) {
    lastDate.high = high;
    lastDate.low = low;
    lastDate.days = readDays(bytes, at);
  }
  return lastDate.days;
}

function readDays(bytes: Uint8Array, at: number): number {
  const century = twoDigits(bytes, at);
  const yearOfCentury = twoDigits(bytes, at + 2);
  const month = twoDigits(bytes, at + 4);
  const day = twoDigits(bytes, at + 6);
  if ((century | yearOfCentury) < 0 || month < 1 || month > 12 || day < 1) return Number.NaN;
  const year = century * 100 + yearOfCentury;
  return year > 0 && day <= monthDays(year, month) ? epochDays(year, month, day) : Number.NaN;
}

/** The milliseconds since midnight of HH:MM:SS with an optional fraction, or NaN. */
export function timeOfDayMs(bytes: Uint8Array, start: number, end: number): number {
  const length = end - start;
  if (length !== 8 && length !== 12 && length !== 15 && length !== 18) return Number.NaN;
  if (bytes[start + 2] !== 58 || bytes[start + 5] !== 58) return Number.NaN;
  const hour = twoDigits(bytes, start);
  const minute = twoDigits(bytes, start + 3);
  const second = twoDigits(bytes, start + 6);
  if ((hour | minute | second) < 0 || hour > 23 || minute > 59) return Number.NaN;
  if (second > 59 && !(second === 60 && hour === 23 && minute === 59)) return Number.NaN;
  let fractionMs = 0;
  if (length > 8) {
    if (bytes[start + 8] !== 46) return Number.NaN;
    let fault = 0;
    for (let at = start + 9; at < end; at++) fault |= digitFault(bytes[at] as number);
    if (fault < 0) return Number.NaN;
    const hundreds = (bytes[start + 9] as number) - zero;
    fractionMs = hundreds * 100 + twoDigits(bytes, start + 10);
  }
  return ((hour * 60 + minute) * 60 + second) * 1000 + fractionMs;
}

/** Unix time in milliseconds, or NaN. */
export function utcTimestampMs(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 17 || bytes[start + 8] !== 45) return Number.NaN;
  return dateDays(bytes, start) * dayMs + timeOfDayMs(bytes, start + 9, end);
}

function putTwo(bytes: Uint8Array, at: number, value: number): void {
  const tens = (value * 205) >> 11;
  bytes[at] = zero + tens;
  bytes[at + 1] = zero + value - tens * 10;
}

/** Writes YYYYMMDD-HH:MM:SS.sss and caches the last second, because most timestamps of a busy session share it. */
export class UtcTimestampWriter {
  #second = Number.NaN;
  readonly #text = new Uint8Array(18);

  /** `unixMs` is an integer of the years 0000 to 9999. Returns the position after the text. */
  write(bytes: Uint8Array, at: number, unixMs: number): number {
    const second = Math.floor(unixMs / 1000);
    if (second !== this.#second) this.#turn(second);
    const text = this.#text;
    for (let i = 0; i < 18; i++) bytes[at + i] = text[i] as number;
    const ms = unixMs - second * 1000;
    const hundreds = Math.trunc(ms / 100);
    bytes[at + 18] = zero + hundreds;
    putTwo(bytes, at + 19, ms - hundreds * 100);
    return at + utcTimestampLength;
  }

  #turn(second: number): void {
    const date = new Date(second * 1000);
    const year = date.getUTCFullYear();
    if (!(year >= 0 && year <= 9999)) throw new RangeError(`no UTCTimestamp for second ${second}`);
    const text = this.#text;
    putTwo(text, 0, Math.trunc(year / 100));
    putTwo(text, 2, year % 100);
    putTwo(text, 4, date.getUTCMonth() + 1);
    putTwo(text, 6, date.getUTCDate());
    text[8] = 45;
    putTwo(text, 9, date.getUTCHours());
    text[11] = 58;
    putTwo(text, 12, date.getUTCMinutes());
    text[14] = 58;
    putTwo(text, 15, date.getUTCSeconds());
    text[17] = 46;
    this.#second = second;
  }
}

/** A UTCTimestamp as text; where speed matters, `UtcTimestampWriter` is used instead. */
export function utcTimestampText(wallMs: number): string {
  return new Date(wallMs).toISOString().replaceAll('-', '').replace('T', '-').replace('Z', '');
}
