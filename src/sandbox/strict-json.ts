/**
 * JSON as the venue parses it (contract A.10 rule 6, R13, R56). It differs from JSON.parse where that would hide an
 * error: an integer that a double would round, a duplicate key, unlimited nesting. A number that is not a safe integer
 * is kept as its text, so that the schema can refuse it by name.
 */
export type Json = null | boolean | number | string | InexactNumber | JsonArray | JsonObject;
export type JsonArray = readonly Json[];
export interface JsonObject {
  readonly [key: string]: Json;
}

/** A number token that is not a safe integer: a fraction, an exponent, or beyond 2^53 - 1. */
export class InexactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export class JsonSyntaxError extends Error {}

const maxDepth = 16;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function parseJsonBytes(bytes: Uint8Array): Json {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new JsonSyntaxError('the body is not UTF-8');
  }
  return parseJson(text);
}

export function parseJson(text: string): Json {
  return new Parser(text).whole();
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof InexactNumber)
  );
}

export function isJsonArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value);
}

const numberToken = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const digit0 = 0x30;
const digit9 = 0x39;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  whole(): Json {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.#text.length) throw this.#fault('text after the end of the value');
    return value;
  }

  #value(depth: number): Json {
    if (depth > maxDepth) throw this.#fault(`nested deeper than ${maxDepth} levels`);
    this.#space();
    const code = this.#text.charCodeAt(this.#at);
    if (code === 0x22) return this.#string();
    if (code === 0x7b) return this.#object(depth);
    if (code === 0x5b) return this.#array(depth);
    if (code === 0x2d || (code >= digit0 && code <= digit9)) return this.#number();
    if (this.#word('null')) return null;
    if (this.#word('true')) return true;
    if (this.#word('false')) return false;
    throw this.#fault(Number.isNaN(code) ? 'the text ends too early' : 'not a JSON value');
  }

  #object(depth: number): JsonObject {
    const object: Record<string, Json> = {};
    this.#at += 1;
    this.#space();
    if (this.#skip(0x7d)) return object;
    do {
      this.#space();
      if (this.#text.charCodeAt(this.#at) !== 0x22) throw this.#fault('a key must be a string');
      const key = this.#string();
      // Assigning to this name would set the prototype instead of a member.
      if (key === '__proto__') throw this.#fault('the key __proto__ is not allowed');
      if (Object.hasOwn(object, key)) {
        throw this.#fault(`duplicate key ${JSON.stringify(key.slice(0, 64))}`);
      }
      this.#space();
      if (!this.#skip(0x3a)) throw this.#fault('a colon is missing');
      object[key] = this.#value(depth + 1);
      this.#space();
    } while (this.#skip(0x2c));
    if (!this.#skip(0x7d)) throw this.#fault('an object is not closed');
    return object;
  }

  #array(depth: number): JsonArray {
    const array: Json[] = [];
    this.#at += 1;
    this.#space();
    if (this.#skip(0x5d)) return array;
    do {
      array.push(this.#value(depth + 1));
      this.#space();
    } while (this.#skip(0x2c));
    if (!this.#skip(0x5d)) throw this.#fault('an array is not closed');
    return array;
  }

  #string(): string {
    const text = this.#text;
    const start = this.#at + 1;
    let escaped = false;
    for (let at = start; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        this.#at = at + 1;
        return escaped ? this.#unescape(text.slice(start - 1, at + 1)) : text.slice(start, at);
      }
      if (code === 0x5c) {
        escaped = true;
        at += 1;
      } else if (!(code >= 0x20)) {
        throw this.#fault('a string is not closed');
      }
    }
  }

  #unescape(quoted: string): string {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      throw this.#fault('a string has a wrong escape');
    }
  }

  #number(): number | InexactNumber {
    const text = this.#text;
    // The short and plain case (mostly signature bytes), without the regular expression.
    let value = 0;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code >= digit0 && code <= digit9 && at - this.#at < 15) {
      value = value * 10 + (code - digit0);
      at += 1;
      code = text.charCodeAt(at);
    }
    const leadingZero = text.charCodeAt(this.#at) === digit0 && at - this.#at > 1;
    if (at > this.#at && !leadingZero && (code === 0x2c || code === 0x5d || code === 0x7d)) {
      this.#at = at;
      return value;
    }
    return this.#anyNumber();
  }

  #anyNumber(): number | InexactNumber {
    numberToken.lastIndex = this.#at;
    const match = numberToken.exec(this.#text);
    if (match === null) throw this.#fault('not a number');
    const [token, fraction, exponent] = match;
    this.#at += token.length;
    const next = this.#text.charCodeAt(this.#at);
    if (next >= digit0 && next <= digit9) throw this.#fault('a number starts with 0');
    const value = Number(token);
    const isExact = fraction === undefined && exponent === undefined && Number.isSafeInteger(value);
    return isExact && !Object.is(value, -0) ? value : new InexactNumber(token.slice(0, 64));
  }

  #word(word: string): boolean {
    if (!this.#text.startsWith(word, this.#at)) return false;
    this.#at += word.length;
    return true;
  }

  #skip(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at += 1;
    return true;
  }

  #space(): void {
    let code = this.#text.charCodeAt(this.#at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.#at += 1;
      code = this.#text.charCodeAt(this.#at);
    }
  }

  #fault(what: string): JsonSyntaxError {
    return new JsonSyntaxError(`${what} (at character ${this.#at})`);
  }
}
