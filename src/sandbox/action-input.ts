/**
 * Strictly checks a signed action with any of its input names, and builds the canonical text whose bytes were signed
 * (contract A.4-A.10, R1-R6, R13, R14, R56).
 */
import type { Book, Side } from '../domain/units.ts';
import type { Profile } from '../venue/profile.ts';
import {
  type Field,
  type FieldTable,
  type FieldType,
  fieldTable,
  inputTags,
  isVariant,
  type Variant,
} from './action-fields.ts';
import type { ReplaceLeg, Strategy } from './engine/action.ts';
import {
  InexactNumber,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
} from './strict-json.ts';

/** The state of an account's nonces, which every nonce refusal contains. */
export interface NonceFacts {
  readonly nonceFloor: number;
  readonly nonceWindow: number;
}

/** A signed action is refused before the sequencer. The text names the field that violates the contract. */
export class ActionRefusal extends Error {
  readonly code: string;
  readonly nonce: NonceFacts | null;

  constructor(code: string, message: string, nonce: NonceFacts | null = null) {
    super(message);
    this.code = code;
    this.nonce = nonce;
  }
}

/** The checked fields of an action under the engine's names. These members are read before the engine gets it. */
export interface Values {
  readonly market?: number;
  readonly book: Book | null;
  readonly side?: Side;
  readonly qty?: number;
  readonly reduceOnly?: boolean;
  readonly legs?: readonly ReplaceLeg[];
  readonly signedTriggerOrder?: SignedAction;
}

/** A value and its canonical text, which is undefined if the field is omitted. */
interface Read<T = unknown> {
  readonly value: T;
  readonly canonical: string | undefined;
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
export class ActionReader {
  readonly #profile: Profile;
  readonly #table: FieldTable;
  readonly #words: Partial<Record<FieldType, readonly string[]>>;
  readonly #clientOrderId: RegExp;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.#table = fieldTable(profile);
    this.#words = {
      side: ['Bid', 'Ask'],
      book: ['YES', 'NO'],
      time_in_force: ['gtc', 'ioc', 'fok', 'post_only'],
      trigger_direction: profile.enums.triggerDirection,
      conditional_kind: profile.enums.conditionalKind,
    };
    this.#clientOrderId = new RegExp(profile.clientOrderId.pattern);
  }

  signedAction(input: Json, isNested = false): SignedAction {
    const object = asObject(input, 'the signed action');
    onlyNames(object, ['payload', 'signature'], 'the signed action');
    return {
      payload: this.payload(present(object, 'payload'), isNested),
      signature: this.signature(present(object, 'signature')),
    };
  }

  payload(input: Json, isNested = false): Payload {
    const object = asObject(input, 'payload');
    onlyNames(object, envelopeNames, 'payload');
    const account = text(present(object, 'account'), 'account', accountForm);
    const nonce = integer(present(object, 'nonce'), 'nonce');
    const { client_order_id: named, nonce_reservation_id: reserved = null } = object;
    const reservationId =
      reserved === null ? null : text(reserved, 'nonce_reservation_id', /^.{1,128}$/);
    // An absent member leaves no key in the canonical text, so null differs from absent (contract A.5).
    const clientOrderId =
      named === undefined ? null : text(named, 'client_order_id', this.#clientOrderId);
    const ts = integer(present(object, 'ts'), 'ts');
    const { variant, values, canonical } = this.#action(present(object, 'action'), isNested);
    const id = clientOrderId === null ? '' : `"client_order_id":${quote(clientOrderId)},`;
    const head = `"account":"${account}","nonce":${nonce},"nonce_reservation_id":${quote(reservationId)}`;
    return {
      account,
      nonce,
      reservationId,
      clientOrderId,
      ts,
      variant,
      values,
      canonical: `{${head},${id}"ts":${ts},"action":{"${variant}":${canonical}}}`,
    };
  }

  signature(input: Json): Signature {
    const object = asObject(input, 'signature');
    onlyNames(object, ['scheme', 'bytes'], 'signature');
    const { ecdsa, eip191 } = this.#profile.signing.schemes;
    const scheme = present(object, 'scheme');
    if (scheme !== ecdsa && scheme !== eip191) {
      throw violation(`signature.scheme must be ${ecdsa} or ${eip191}`);
    }
    const bytes = present(object, 'bytes');
    if (!isJsonArray(bytes) || bytes.length !== 65 || !bytes.every(isByte)) {
      throw violation('signature.bytes must be 65 integers of 0 to 255');
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
      throw violation('action must have exactly one key, the variant');
    }
    const variant = inputTags.get(tag) ?? (isVariant(tag) ? tag : undefined);
    if (variant === undefined) {
      throw new ActionRefusal('unknown_variant', `no action is called ${quote(tag.slice(0, 64))}`);
    }
    if (isNested && variant !== 'SpotPlaceOrder' && variant !== 'PlaceOrder') {
      throw violation('signed_trigger_order must place an order');
    }
    const fields = asObject(object[tag] ?? null, tag);
    const { value, canonical } = this.#fields(fields, this.#table[variant], tag);
    return { variant, values: value as Values, canonical };
  }

  #fields(object: JsonObject, fields: readonly Field[], where: string): Read<object> {
    // The spot envelope has no book; in the engine it is null.
    const values: Record<string, unknown> = { book: null };
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
      values[field.key] = value;
      if (canonical !== undefined) parts.push(`"${field.name}":${canonical}`);
    }
    if (known < Object.keys(object).length) {
      const names = fields.flatMap((field) => field.names);
      onlyNames(object, names, where);
    }
    return { value: values, canonical: `{${parts.join(',')}}` };
  }

  #field(input: Json | undefined, { name: own, nullable, type }: Field, where: string): Read {
    const name = `${where}.${own}`;
    if (input === undefined || input === null) {
      if (!nullable && input === null) throw violation(`${name} must not be null`);
      if (!nullable) throw new ActionRefusal('missing_field', `${name} is missing`);
      const isLeftOut = type === 'book' && this.#profile.variants.bookOnSpot === 'omit';
      return { value: null, canonical: isLeftOut ? undefined : 'null' };
    }
    switch (type) {
      case 'expires_at':
        return this.#expiresAt(input, name);
      case 'strategy':
        return this.#strategy(input, name);
      case 'signed_action':
        return this.#nested(input);
      case 'spot_legs':
        return this.#legs(input, name, this.#table.spotLeg);
      case 'outcome_legs':
        return this.#legs(input, name, this.#table.outcomeLeg);
      default: {
        const value = this.#plain(input, name, type);
        return { value, canonical: JSON.stringify(value) };
      }
    }
  }

  /** Reads a value whose canonical text equals its JSON. */
  #plain(input: Json, name: string, type: FieldType): number | boolean | string {
    switch (type) {
      case 'market':
        return integer(input, name);
      case 'price':
      case 'qty':
        return amount(input, name, type);
      case 'boolean':
        if (typeof input === 'boolean') return input;
        throw violation(`${name} must be true or false`);
      case 'stp_mode':
        // Any text is allowed: the engine rejects an unknown mode with its own code.
        return text(input, name, /^.{1,64}$/);
      case 'order_id':
        return text(input, name, orderIdForm);
      default:
        return word(input, name, this.#words[type] ?? []);
    }
  }

  /** Returns Unix milliseconds; the profile defines the wire format. */
  #expiresAt(input: Json, name: string): Read<number> {
    const { expiresAt: form } = this.#profile.types;
    if (form !== 'rfc3339') {
      const given = integer(input, name);
      return { value: form === 'unix_s' ? given * 1000 : given, canonical: String(given) };
    }
    const given = text(input, name, timeForm);
    const value = Date.parse(given);
    if (Number.isNaN(value)) throw violation(`${name} is not a date`);
    return { value, canonical: quote(given) };
  }

  #strategy(input: Json, name: string): Read<Strategy> {
    const object = asObject(input, name);
    const kind = present(object, 'kind', name);
    if (kind !== 'iceberg' && kind !== 'twap' && kind !== 'vwap') {
      throw violation(`${name}.kind must be iceberg, twap or vwap`);
    }
    const names = this.#profile.strategies[kind];
    onlyNames(object, ['kind', ...names], name);
    const params: Record<string, number> = {};
    for (const param of names) {
      params[param] = integer(present(object, param, name), `${name}.${param}`);
    }
    const { slice_qty: sliceQty = 0, interval_ms: intervalMs = 0 } = params;
    return {
      value: kind === 'iceberg' ? { kind, sliceQty } : { kind, sliceQty, intervalMs },
      canonical: JSON.stringify({ kind, ...params }),
    };
  }

  #nested(input: Json): Read<SignedAction> {
    const nested = this.signedAction(input, true);
    const { payload, signature } = nested;
    const scheme = this.#profile.signing.schemes[signature.scheme];
    const bytes = signature.bytes.join(',');
    return {
      value: nested,
      canonical: `{"payload":${payload.canonical},"signature":{"scheme":"${scheme}","bytes":[${bytes}]}}`,
    };
  }

  #legs(input: Json, name: string, fields: readonly Field[]): Read<readonly object[]> {
    const most = this.#profile.limits.batch.legs;
    if (!isJsonArray(input) || input.length === 0 || input.length > most) {
      throw violation(`${name} must have 1 to ${most} legs`);
    }
    const legs = input.map((leg, index) => {
      const where = `${name}[${index}]`;
      return this.#fields(asObject(leg, where), fields, where);
    });
    return {
      value: legs.map(({ value }) => value),
      canonical: `[${legs.map(({ canonical }) => canonical).join(',')}]`,
    };
  }
}

function violation(message: string): ActionRefusal {
  return new ActionRefusal('schema_violation', message);
}

function givenTwice(object: JsonObject, names: readonly string[], where: string): ActionRefusal {
  const given = names.filter((name) => Object.hasOwn(object, name));
  return violation(`${where} has both ${given.join(' and ')}`);
}

function quote(value: string | null): string {
  return JSON.stringify(value);
}

function isByte(value: Json): boolean {
  return typeof value === 'number' && value >= 0 && value <= 255;
}

function asObject(value: Json, name: string): JsonObject {
  if (isJsonObject(value)) return value;
  throw violation(`${name} must be an object`);
}

function onlyNames(object: JsonObject, names: readonly string[], where: string): void {
  const unknown = Object.keys(object).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new ActionRefusal('unknown_field', `${where} has no field ${quote(unknown.slice(0, 64))}`);
}

function present(object: JsonObject, name: string, where?: string): Json {
  const value = object[name];
  if (value !== undefined) return value;
  const path = where === undefined ? name : `${where}.${name}`;
  throw new ActionRefusal('missing_field', `${path} is missing`);
}

function integer(value: Json, name: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  if (value instanceof InexactNumber) {
    throw violation(`${name}: ${value.text} is not an integer up to 2^53 - 1`);
  }
  throw violation(`${name} must be an integer from 0 to 2^53 - 1`);
}

/** A negative amount has its own code. The engine refuses zero, because a cancel-only leg may contain it. */
function amount(value: Json, name: string, type: 'price' | 'qty'): number {
  if (typeof value === 'number' && value < 0) {
    throw new ActionRefusal(`${type}_must_be_positive`, `${name} is negative`);
  }
  return integer(value, name);
}

function word(value: Json, name: string, among: readonly string[]): string {
  if (typeof value === 'string' && among.includes(value)) return value;
  throw violation(`${name} must be one of ${among.join(', ')}`);
}

function text(value: Json, name: string, form: RegExp): string {
  if (typeof value === 'string' && value.length <= 256 && form.test(value)) return value;
  throw violation(`${name} is not of the form ${form.source}`);
}
