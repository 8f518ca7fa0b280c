/**
 * Values of generated messages: text in fixed fields, 64-bit integers in two halves, and the errors. It is copied along
 * with generated code, like `block.ts`; neither imports anything else.
 *
 * A fault in the peer's bytes is returned as a string; a RangeError is a bug of the caller.
 */

export type Characters = 'ascii' | 'latin1' | 'utf8';

const twoTo32 = 4_294_967_296;
/** The upper half of 2^53; above it a number is no longer exact. */
const highestHigh = 0x20_0000;

/** Joins the halves of an unsigned 64-bit integer, or of a signed one if `high` is signed. */
export function joined(high: number, low: number, name: string): number {
  if (high >= highestHigh || high < -highestHigh) throw inexact(name);
  return high * twoTo32 + low;
}

function inexact(name: string): RangeError {
  return new RangeError(`${name} is beyond 2^53: read it as bigint`);
}

/** The upper half of an integer that a number holds exactly. */
export function highOf(value: number, name: string): number {
  if (!Number.isSafeInteger(value)) throw outside(name, value);
  return Math.floor(value / twoTo32);
}

export function outside(name: string, value: unknown): RangeError {
  return new RangeError(`${name} cannot be ${String(value)}`);
}

export function noRoom(name: string): RangeError {
  return new RangeError(`no room for ${name}`);
}

export function notInVersion(name: string, version: number): RangeError {
  return new RangeError(`${name} is not in version ${version}`);
}

export function wrongOrder(name: string): RangeError {
  return new RangeError(`${name}: groups and data are written once, in the order of the schema`);
}

export function shorter(name: string, block: number, needed: number, version: number): string {
  return `${name}: a block of ${block} bytes, version ${version} needs ${needed}`;
}

export function cut(name: string, needed: number, left: number): string {
  return `${name}: ${needed} bytes do not fit into the ${Math.max(left, 0)} that are left`;
}

/** The text of a fixed field, up to its first NUL. */
export function textAt(octets: Buffer, at: number, length: number, characters: Characters): string {
  let end = at;
  const limit = at + length;
  while (end < limit && octets[end] !== 0) end += 1;
  if (end - at > 16 || characters === 'utf8') return decoded(octets, at, end, characters);
  // Up to this length a loop over characters is faster than toString.
  let text = '';
  for (let index = at; index < end; index += 1)
    text += String.fromCharCode(octets[index] as number);
  return text;
}

export function decoded(
  octets: Buffer,
  at: number,
  end: number,
  characters: Characters | undefined,
): string {
  return octets.toString(characters === 'utf8' ? 'utf8' : 'latin1', at, end);
}

/** Writes text into a fixed field, padded with NUL. */
export function putText(
  octets: Buffer,
  at: number,
  length: number,
  text: string,
  characters: Characters,
  name: string,
): void {
  const size = putCharacters(octets, at, at + length, text, characters, name);
  octets.fill(0, at + size, at + length);
}

/** Writes bytes into a fixed field, padded with NUL. */
export function putOctets(
  octets: Buffer,
  at: number,
  length: number,
  value: Uint8Array,
  name: string,
): void {
  const size = value.length;
  if (size > length) throw outside(name, `${size} bytes`);
  // Up to this size a loop is faster than set.
  if (size > 16) octets.set(value, at);
  else for (let index = 0; index < size; index += 1) octets[at + index] = value[index] as number;
  for (let index = size; index < length; index += 1) octets[at + index] = 0;
}

/** Like `putOctets`, for an even length that is usually filled: small enough to be inlined into a chain of setters. */
export function putPairs(
  octets: Buffer,
  at: number,
  length: number,
  value: Uint8Array,
  name: string,
): void {
  if (value.length !== length) {
    putOctets(octets, at, length, value, name);
    return;
  }
  for (let index = 0; index < length; index += 2) {
    octets[at + index] = value[index] as number;
    octets[at + index + 1] = value[index + 1] as number;
  }
}

/** Writes text at `at` and returns its length in bytes; writes nothing at or after `limit`. */
export function putCharacters(
  octets: Buffer,
  at: number,
  limit: number,
  text: string,
  characters: Characters | undefined,
  name: string,
): number {
  if (at + text.length > limit) throw outside(name, `text of ${text.length} bytes`);
  const highest = characters === 'latin1' ? 255 : 127;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code > highest) {
      if (characters === 'utf8') return putUtf8(octets, at, limit, text, name);
      throw outside(name, JSON.stringify(text));
    }
    octets[at + index] = code;
  }
  return text.length;
}

/** Most text is short ASCII, for which a loop is faster than the call here. */
function putUtf8(octets: Buffer, at: number, limit: number, text: string, name: string): number {
  const size = Buffer.byteLength(text);
  if (at + size > limit) throw outside(name, `text of ${size} bytes`);
  return octets.write(text, at, size, 'utf8');
}

/** Writes bytes into a field that requires exactly this length. */
export function putWhole(
  octets: Buffer,
  at: number,
  length: number,
  value: Uint8Array,
  name: string,
): void {
  if (value.length !== length) throw outside(name, `${value.length} bytes`);
  octets.set(value, at);
}

export function isFilled(octets: Buffer, at: number, end: number, byte: number): boolean {
  for (let index = at; index < end; index += 1) if (octets[index] !== byte) return false;
  return true;
}

/** The offset of an array element. */
export function placeOf(index: number, length: number, size: number, name: string): number {
  if (index !== index >>> 0 || index >= length) throw outside(`the index of ${name}`, index);
  return index * size;
}

export function beyond(name: string, value: number, max: number): string {
  return `${name}: ${value} is above ${max}`;
}

export function wrongTemplate(name: string): string {
  return `the header is not that of ${name}`;
}
