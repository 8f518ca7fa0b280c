/**
 * Values of messages as JSON has them. Integers beyond 2^53 are decimal text; enum values and set choices have their
 * names, unknown ones stay numbers (codes and bits); null is null; octets of fixed length are lists, variable ones hex.
 */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** A message by name, for tools, logs and tests. */
export interface JsonMessage {
  readonly message: string;
  /** The version of the schema that it is written in; the schema's own unless said. */
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

/** Undefined when it is no integer. */
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
