/**
 * Checks a signed action strictly, by any of its input names, and writes the canonical text whose bytes were signed
 * (contract A.4-A.10, R1-R6, R13, R14, R56).
 */
import type { Book, Side, TimeInForce } from '../domain/units.ts';
import type { Profile } from '../venue/profile.ts';
import {
  type Field,
  type FieldTable,
  fieldTable,
  inputTags,
  type Variant,
  variantNames,
} from './action-fields.ts';
import {
  InexactNumber,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from './strict-json.ts';

export type SchemaCode =
  | 'unknown_variant'
  | 'unknown_field'
  | 'missing_field'
  | 'schema_violation'
  | 'price_must_be_positive'
  | 'qty_must_be_positive';

/** The action is not of the contract's form; the text names the field. */
export class SchemaError extends Error {
  readonly code: SchemaCode;

  constructor(code: SchemaCode, message: string) {
    super(message);
    this.code = code;
  }
}

type Value = null | boolean | number | string | SignedAction | Strategy | readonly Values[];
/** The fields of a variant or a leg after their check, by canonical name; a variant has only its own. */
export interface Values {
  readonly market?: number;
  readonly book?: Book | null;
  readonly side?: Side;
  readonly price?: number;
  readonly qty?: number;
  readonly new_qty?: number;
  readonly total_qty?: number;
  readonly limit_price?: number;
  readonly trigger_price?: number;
  readonly trigger_direction?: string;
  readonly conditional_kind?: string;
  readonly stp_mode?: string | null;
  readonly time_in_force?: TimeInForce;
  readonly is_market?: boolean;
  readonly reduce_only?: boolean;
  /** Unix milliseconds, in whatever form the profile has it on the wire. */
  readonly expires_at?: number | null;
  readonly order_id?: string;
  readonly cancel_order_id?: string | null;
  readonly strategy?: Strategy;
  readonly signed_trigger_order?: SignedAction;
  readonly legs?: readonly Values[];
}
export interface Strategy {
  readonly kind: string;
  readonly params: { readonly slice_qty?: number; readonly interval_ms?: number };
}

export interface Payload {
  readonly account: string;
  readonly nonce: number;
  readonly reservationId: string | null;
  readonly clientOrderId: string | null;
  readonly ts: number;
  readonly variant: Variant;
  readonly values: Values;
  /** The text whose UTF-8 bytes are hashed. */
  readonly canonical: string;
}

export interface Signature {
  readonly scheme: 'ecdsa' | 'eip191';
  readonly bytes: Uint8Array;
}

export interface SignedAction {
  readonly payload: Payload;
  readonly signature: Signature;
}

const envelopeNames = [
  'account',
  'nonce',
  'nonce_reservation_id',
  'client_order_id',
  'ts',
  'action',
] as const;
const accountForm = /^0x[0-9a-f]{40}$/;
const orderIdForm = /^0x[0-9a-f]{64}$/;
const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/;
const words: Readonly<Record<string, readonly string[]>> = {
  side: ['Bid', 'Ask'],
  book: ['YES', 'NO'],
  time_in_force: ['gtc', 'ioc', 'fok', 'post_only'],
};

export class ActionReader {
  readonly #profile: Profile;
  readonly #table: FieldTable;
  readonly #clientOrderId: RegExp;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.#table = fieldTable(profile);
    this.#clientOrderId = new RegExp(profile.clientOrderId.pattern);
  }

  signedAction(input: Json, isNested = false): SignedAction {
    const object = asObject(input, 'the signed action');
    onlyNames(object, ['payload', 'signature'], 'the signed action');
    return {
      payload: this.payload(present(object, 'payload'), isNested),
      signature: this.#signature(present(object, 'signature')),
    };
  }

  payload(input: Json, isNested = false): Payload {
    const object = asObject(input, 'payload');
    onlyNames(object, envelopeNames, 'payload');
    const account = text(present(object, 'account'), 'account', accountForm);
    const nonce = integer(present(object, 'nonce'), 'nonce');
    const reservationId = optional(object, 'nonce_reservation_id', (value) =>
      text(value, 'nonce_reservation_id', /^.{1,128}$/),
    );
    const clientOrderId = this.#clientOrderIdOf(object);
    const ts = integer(present(object, 'ts'), 'ts');
    const { variant, values, canonical } = this.#action(present(object, 'action'), isNested);
    const named = clientOrderId === null ? '' : `"client_order_id":${quote(clientOrderId)},`;
    const reserved = reservationId === null ? 'null' : quote(reservationId);
    return {
      account,
      nonce,
      reservationId,
      clientOrderId,
      ts,
      variant,
      values,
      canonical: `{"account":"${account}","nonce":${nonce},"nonce_reservation_id":${reserved},${named}"ts":${ts},"action":{"${variant}":${canonical}}}`,
    };
  }

  /** Absent leaves no key in the canonical text, so null is not the same as absent (contract A.5). */
  #clientOrderIdOf(object: JsonObject): string | null {
    const { client_order_id: value } = object;
    if (value === undefined) return null;
    return text(value, 'client_order_id', this.#clientOrderId);
  }

  #signature(input: Json): Signature {
    const object = asObject(input, 'signature');
    onlyNames(object, ['scheme', 'bytes'], 'signature');
    const { ecdsa, eip191 } = this.#profile.signing.schemes;
    const scheme = present(object, 'scheme');
    if (scheme !== ecdsa && scheme !== eip191) {
      throw new SchemaError('schema_violation', `signature.scheme must be ${ecdsa} or ${eip191}`);
    }
    const bytes = present(object, 'bytes');
    if (!isJsonArray(bytes) || bytes.length !== 65 || !bytes.every(isByte)) {
      throw new SchemaError('schema_violation', 'signature.bytes must be 65 integers of 0 to 255');
    }
    return {
      scheme: scheme === ecdsa ? 'ecdsa' : 'eip191',
      bytes: new Uint8Array(bytes as readonly number[]),
    };
  }

  #action(input: Json, isNested: boolean) {
    const object = asObject(input, 'action');
    const tags = Object.keys(object);
    const tag = tags[0];
    if (tag === undefined || tags.length > 1) {
      throw new SchemaError('schema_violation', 'action must have exactly one key, the variant');
    }
    const variant = inputTags.get(tag) ?? variantNames.find((name) => name === tag);
    if (variant === undefined) {
      throw new SchemaError('unknown_variant', `no action is called ${quote(tag.slice(0, 64))}`);
    }
    if (isNested && variant !== 'SpotPlaceOrder' && variant !== 'PlaceOrder') {
      throw new SchemaError('schema_violation', 'signed_trigger_order must place an order');
    }
    const { values, canonical } = this.#fields(
      asObject(object[tag] ?? null, tag),
      this.#table[variant],
      tag,
    );
    return { variant, values, canonical };
  }

  #fields(object: JsonObject, fields: readonly Field[], where: string) {
    const values: Record<string, Value> = {};
    const parts: string[] = [];
    let known = 0;
    for (const field of fields) {
      const { names } = field;
      let input: Json | undefined;
      for (const name of names) {
        if (!Object.hasOwn(object, name)) continue;
        if (input !== undefined) throw givenTwice(object, names, where);
        input = object[name];
        known += 1;
      }
      const { value, canonical } = this.#field(input, field, where);
      values[field.name] = value;
      if (canonical !== undefined) parts.push(`"${field.name}":${canonical}`);
    }
    if (known < Object.keys(object).length) {
      onlyNames(
        object,
        fields.flatMap(({ names }) => names),
        where,
      );
    }
    return { values: values as Values, canonical: `{${parts.join(',')}}` };
  }

  #field(
    input: Json | undefined,
    field: Field,
    where: string,
  ): { value: Value; canonical: string | undefined } {
    const name = `${where}.${field.name}`;
    if (input === undefined || input === null) {
      if (!field.nullable) {
        if (input === null) throw new SchemaError('schema_violation', `${name} must not be null`);
        throw new SchemaError('missing_field', `${name} is missing`);
      }
      const isLeftOut = field.type === 'book' && this.#profile.variants.bookOnSpot === 'omit';
      return { value: null, canonical: isLeftOut ? undefined : 'null' };
    }
    switch (field.type) {
      case 'market':
        return plain(integer(input, name));
      case 'price':
      case 'qty':
        return plain(amount(input, name, field.type));
      case 'boolean':
        if (typeof input === 'boolean') return plain(input);
        throw new SchemaError('schema_violation', `${name} must be true or false`);
      case 'side':
      case 'book':
      case 'time_in_force':
        return quoted(word(input, name, words[field.type] ?? []));
      case 'trigger_direction':
        return quoted(word(input, name, this.#profile.enums.triggerDirection));
      case 'conditional_kind':
        return quoted(word(input, name, this.#profile.enums.conditionalKind));
      case 'stp_mode':
        // Any word: an unknown mode has a code of its own, which the engine gives.
        return quoted(text(input, name, /^.{1,64}$/));
      case 'expires_at':
        return this.#expiresAt(input, name);
      case 'order_id':
        return quoted(text(input, name, orderIdForm));
      case 'strategy':
        return this.#strategy(input, name);
      case 'signed_action':
        return this.#nested(input);
      case 'spot_legs':
        return this.#legs(input, name, this.#table.spotLeg);
      case 'outcome_legs':
        return this.#legs(input, name, this.#table.outcomeLeg);
    }
  }

  #expiresAt(input: Json, name: string): { value: Value; canonical: string } {
    if (this.#profile.types.expiresAt !== 'rfc3339') {
      const given = integer(input, name);
      const inMs = this.#profile.types.expiresAt === 'unix_s' ? given * 1000 : given;
      return { value: inMs, canonical: String(given) };
    }
    const given = text(input, name, timeForm);
    const inMs = Date.parse(given);
    if (Number.isNaN(inMs)) throw new SchemaError('schema_violation', `${name} is no date`);
    return { value: inMs, canonical: quote(given) };
  }

  #strategy(input: Json, name: string): { value: Strategy; canonical: string } {
    const object = asObject(input, name);
    const kind = present(object, 'kind', name);
    const { strategies } = this.#profile;
    if (kind !== 'iceberg' && kind !== 'twap' && kind !== 'vwap') {
      throw new SchemaError('schema_violation', `${name}.kind must be iceberg, twap or vwap`);
    }
    const names = strategies[kind];
    onlyNames(object, ['kind', ...names], name);
    const params: Record<string, number> = {};
    for (const param of names) {
      params[param] = integer(present(object, param, name), `${name}.${param}`);
    }
    const written = names.map((param) => `,"${param}":${params[param]}`).join('');
    return { value: { kind, params }, canonical: `{"kind":"${kind}"${written}}` };
  }

  #nested(input: Json): { value: SignedAction; canonical: string } {
    const nested = this.signedAction(input, true);
    const { payload, signature } = nested;
    const scheme = this.#profile.signing.schemes[signature.scheme];
    const bytes = signature.bytes.join(',');
    return {
      value: nested,
      canonical: `{"payload":${payload.canonical},"signature":{"scheme":"${scheme}","bytes":[${bytes}]}}`,
    };
  }

  #legs(
    input: Json,
    name: string,
    fields: readonly Field[],
  ): { value: readonly Values[]; canonical: string } {
    const most = this.#profile.limits.batch.legs;
    if (!isJsonArray(input) || input.length === 0 || input.length > most) {
      throw new SchemaError('schema_violation', `${name} must have 1 to ${most} legs`);
    }
    const legs = input.map((leg, index) => {
      const where = `${name}[${index}]`;
      return this.#fields(asObject(leg, where), fields, where);
    });
    return {
      value: legs.map(({ values }) => values),
      canonical: `[${legs.map(({ canonical }) => canonical).join(',')}]`,
    };
  }
}

function givenTwice(object: JsonObject, names: readonly string[], where: string): SchemaError {
  const given = names.filter((name) => Object.hasOwn(object, name));
  return new SchemaError('schema_violation', `${where} has both ${given.join(' and ')}`);
}

function plain(value: number | boolean): { value: Value; canonical: string } {
  return { value, canonical: String(value) };
}

function quoted(value: string): { value: Value; canonical: string } {
  return { value, canonical: quote(value) };
}

function quote(value: string): string {
  return JSON.stringify(value);
}

function isByte(value: Json): boolean {
  return typeof value === 'number' && value >= 0 && value <= 255;
}

function asObject(value: Json, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw new SchemaError('schema_violation', `${name} must be an object`);
}

function onlyNames(object: JsonObject, names: readonly string[], where: string): void {
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new SchemaError('unknown_field', `${where} has no field ${quote(unknown.slice(0, 64))}`);
}

function present(object: JsonObject, name: string, where?: string): Json {
  const value = object[name];
  if (value !== undefined) return value;
  const path = where === undefined ? name : `${where}.${name}`;
  throw new SchemaError('missing_field', `${path} is missing`);
}

function optional<T>(object: JsonObject, name: string, read: (value: Json) => T): T | null {
  const value = object[name];
  return value === undefined || value === null ? null : read(value);
}

function integer(value: Json, name: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  if (value instanceof InexactNumber) {
    throw new SchemaError('schema_violation', `${name}: ${value.text} is no integer to 2^53 - 1`);
  }
  throw new SchemaError('schema_violation', `${name} must be an integer from 0 to 2^53 - 1`);
}

/** A negative amount has its own code; zero is the engine's to refuse, for a cancel-only leg may carry it. */
function amount(value: Json, name: string, type: 'price' | 'qty'): number {
  if (typeof value === 'number' && value < 0) {
    throw new SchemaError(`${type}_must_be_positive`, `${name} is negative`);
  }
  return integer(value, name);
}

function word(value: Json, name: string, among: readonly string[]): string {
  if (typeof value === 'string' && among.includes(value)) return value;
  throw new SchemaError('schema_violation', `${name} must be one of ${among.join(', ')}`);
}

function text(value: Json, name: string, form: RegExp): string {
  if (typeof value === 'string' && value.length <= 256 && form.test(value)) return value;
  throw new SchemaError('schema_violation', `${name} is not of the form ${form.source}`);
}
