/**
 * The JSON representation of message values. Integers beyond 2^53 are decimal text. Enum values and set choices have
 * their names; unknown ones remain numbers (codes and bits). Null is null. Fixed-length bytes are lists, variable ones
 * hex.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A message by name, for tools, logs and tests. */
export interface JsonMessage {
  readonly message: string;
  /** The schema version in which it is written; the default is the schema's own. */
  readonly version?: number;
  readonly fields: JsonObject;
}

const notFinite: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

export function integerJson(value: bigint): Json {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

export function floatJson(value: number): Json {
  return Number.isFinite(value) ? value : String(value);
}

/** Returns undefined if it is not an integer. */
export function integerOf(json: Json): bigint | undefined {
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : undefined;
  return typeof json === 'string' && /^-?\d{1,20}$/.test(json) ? BigInt(json) : undefined;
}

export function floatOf(json: Json): number | undefined {
  if (typeof json === 'number') return json;
  return typeof json === 'string' && Object.hasOwn(notFinite, json) ? notFinite[json] : undefined;
}

export function isObject(json: Json | undefined): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
