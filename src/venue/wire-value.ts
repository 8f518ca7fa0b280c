/**
 * Reads and checks the venue's JSON. An error names the location of an invalid value; nothing is guessed. Numbers
 * beyond 2^53-1 are refused, because JSON.parse has already rounded them.
 */
import { type Account, type Book, latestMs, type OrderId, type Side } from '../domain/units.ts';

/** The venue sent an invalid value at `place`. */
export class WireError extends Error {
  readonly place: string;
  readonly #problem: string;

  constructor(place: string, problem: string) {
    super(`${place}: ${problem}`);
    this.place = place;
    this.#problem = problem;
  }

  /** Returns the same error, located within a larger record. */
  within(where: string): WireError {
    return new WireError(`${where}${this.place}`, this.#problem);
  }
}

/** Takes a function, so that the location is formatted only in case of an error. */
export function within<T>(where: () => string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof WireError ? error.within(where()) : error;
  }
}

const orderIdForm = /^0x[0-9a-f]{64}$/;
const accountForm = /^0x[0-9a-f]{40}$/;
const longestString = 4096;

/** An absent member reads as null, because the venue writes null for missing values. */
export function optional<T>(
  read: (value: unknown, place: string) => T,
): (value: unknown, place: string) => T | null {
  return (value, place) => (value === undefined || value === null ? null : read(value, place));
}

export function integer(value: unknown, place: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new WireError(place, `must be an integer within 2^53-1, not ${shown(value)}`);
}

export function natural(value: unknown, place: string): number {
  const read = integer(value, place);
  if (read >= 0) return read;
  throw new WireError(place, `must not be negative, but is ${read}`);
}

/** Unix milliseconds of a year that FIX can express. */
export function time(value: unknown, place: string): number {
  const read = natural(value, place);
  if (read <= latestMs) return read;
  throw new WireError(place, `must be a time before the year 10000 in ms, but is ${read}`);
}

export function amount<T extends bigint>(value: unknown, place: string): T {
  return BigInt(natural(value, place)) as T;
}

export function signedAmount<T extends bigint>(value: unknown, place: string): T {
  return BigInt(integer(value, place)) as T;
}

export function text(value: unknown, place: string): string {
  if (typeof value === 'string' && value.length <= longestString) return value;
  throw new WireError(place, `must be a string of at most ${longestString}, not ${shown(value)}`);
}

export function flag(value: unknown, place: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new WireError(place, `must be true or false, not ${shown(value)}`);
}

export function orderId(value: unknown, place: string): OrderId {
  if (typeof value === 'string' && orderIdForm.test(value)) return value as OrderId;
  throw new WireError(place, `must be 0x and 64 lowercase hex digits, not ${shown(value)}`);
}

export function account(value: unknown, place: string): Account {
  if (typeof value === 'string' && accountForm.test(value)) return value as Account;
  throw new WireError(place, `must be 0x and 40 lowercase hex digits, not ${shown(value)}`);
}

export function oneOf<T extends string>(words: readonly T[]): (value: unknown, place: string) => T {
  return (value, place) => {
    const word = words.find((known) => known === value);
    if (word !== undefined) return word;
    throw new WireError(place, `must be one of ${words.join(', ')}, not ${shown(value)}`);
  };
}

export const side = oneOf<Side>(['Bid', 'Ask']);
export const book = oneOf<Book>(['YES', 'NO']);

export function list(value: unknown, place: string, longest: number): readonly unknown[] {
  if (Array.isArray(value) && value.length <= longest) return value;
  throw new WireError(place, `must be a list of at most ${longest}, not ${shown(value)}`);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function object(value: unknown, place: string): Readonly<Record<string, unknown>> {
  if (isObject(value)) return value;
  throw new WireError(place, `must be an object, not ${shown(value)}`);
}

type Members = <T>(name: string, read: (value: unknown, place: string) => T) => T;

/** Reads the members of one object; errors contain each member's location. */
export function membersOf(object: Readonly<Record<string, unknown>>, place = ''): Members {
  return (name, read) => read(object[name], place === '' ? name : `${place}.${name}`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}
