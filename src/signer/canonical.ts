/**
 * Canonical JSON of an action envelope, byte for byte (contract A.5, A.6, A.10), written straight into one reusable
 * buffer from the field table of the profile. The order of keys is never that of a JavaScript object.
 */
import { maxSafeAtoms, maxU64 } from '../domain/units.ts';
import type { Action, ActionEnvelope, SignedAction, Strategy } from './action.ts';
import { ActionError, actionKinds } from './action.ts';
import {
  type FieldForm,
  type FieldName,
  fieldForms,
  type ShapeName,
  type SigningContract,
  shapeNames,
} from './signing-contract.ts';

/** More than any action needs; what is longer is refused. */
export const maxCanonicalBytes = 65_536;

interface Step {
  readonly name: FieldName;
  readonly form: FieldForm;
  /** The brace or comma, the key with quotes, the colon. */
  readonly key: Uint8Array;
  /** For a form of few values: the key together with each value. */
  readonly words: ReadonlyMap<unknown, Uint8Array> | undefined;
}

type Steps = Readonly<Record<ShapeName, readonly Step[]>>;
type Fields = Readonly<Partial<Record<FieldName, unknown>>>;

const close = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const zero = 0x30;
const text = new TextEncoder();
const literal = {
  null: text.encode('null'),
  account: text.encode('{"account":'),
  nonce: text.encode(',"nonce":'),
  reservation: text.encode(',"nonce_reservation_id":'),
  noReservation: text.encode(',"nonce_reservation_id":null'),
  clientOrderId: text.encode(',"client_order_id":'),
  ts: text.encode(',"ts":'),
  action: text.encode(',"action":{'),
  payload: text.encode('{"payload":'),
  scheme: text.encode(',"signature":{"scheme":'),
  bytes: text.encode(',"bytes":['),
  endOfSignature: text.encode(']}}'),
  strategyKind: text.encode('{"kind":'),
};

export class CanonicalEncoder {
  readonly #buffer = new Uint8Array(maxCanonicalBytes);
  readonly #steps: Steps;
  /** Where the profile leaves out the book of a spot market (contract G08). */
  readonly #stepsWithoutBook: Steps;
  readonly #tags: Readonly<Record<Action['kind'], Uint8Array>>;
  readonly #contract: SigningContract;
  readonly #maxInteger: bigint;
  #at = 0;
  #lastAccount = '';
  #lastAccountBytes: Uint8Array = new Uint8Array();

  /** JSON lanes of the venue end at 2^53-1 (contract A.10); `maxU64` is for what never travels as JSON. */
  constructor(
    contract: SigningContract,
    maxInteger: typeof maxSafeAtoms | typeof maxU64 = maxSafeAtoms,
  ) {
    this.#contract = contract;
    this.#maxInteger = maxInteger;
    const words = wordsOf(contract);
    this.#steps = fromNames(shapeNames, (shape) => stepsOf(contract.variants[shape], words));
    this.#stepsWithoutBook = fromNames(shapeNames, (shape) =>
      stepsOf(
        contract.variants[shape].filter((name) => name !== 'book'),
        words,
      ),
    );
    this.#tags = fromNames(actionKinds, (kind) => text.encode(`"${kind}":`));
  }

  /** The bytes are lent until the next call. */
  encode(envelope: ActionEnvelope): Uint8Array {
    this.#at = 0;
    this.#envelope(envelope, '');
    if (this.#at > maxCanonicalBytes) {
      throw new ActionError('action', `is longer than ${maxCanonicalBytes} canonical bytes`);
    }
    return this.#buffer.subarray(0, this.#at);
  }

  #envelope(envelope: ActionEnvelope, where: string): void {
    this.#account(envelope.account, where);
    this.#integer(envelope.nonce, where, 'nonce');
    if (envelope.nonce_reservation_id === null) {
      this.#literal(literal.noReservation);
    } else {
      this.#literal(literal.reservation);
      this.#string(envelope.nonce_reservation_id, where, 'nonce_reservation_id');
    }
    if (envelope.client_order_id !== undefined) {
      this.#literal(literal.clientOrderId);
      this.#string(envelope.client_order_id, where, 'client_order_id');
    }
    this.#literal(literal.ts);
    this.#integer(envelope.ts, where, 'ts');
    this.#literal(literal.action);
    const { action } = envelope;
    const tag = this.#tags[action.kind];
    if (tag === undefined) throw new ActionError(`${where}action`, `no action ${action.kind}`);
    this.#literal(tag);
    this.#fields(action.kind, action as Fields, where);
    this.#byte(close);
    this.#byte(close);
  }

  /** A bridge signs for few accounts, so what was written for the last one is kept. */
  #account(account: string, where: string): void {
    if (account === this.#lastAccount) {
      this.#literal(this.#lastAccountBytes);
      return;
    }
    const from = this.#at;
    this.#literal(literal.account);
    this.#hex(account, 40, where, 'account');
    this.#literal(literal.nonce);
    this.#lastAccount = account;
    this.#lastAccountBytes = this.#buffer.slice(from, this.#at);
  }

  #fields(shape: ShapeName, fields: Fields, where: string): void {
    const lacksBook = fields.book === null && mayLackBook(shape);
    const omitsBook = lacksBook && this.#contract.variants.bookOnSpot === 'omit';
    for (const step of (omitsBook ? this.#stepsWithoutBook : this.#steps)[shape]) {
      const value = fields[step.name];
      if (step.words !== undefined) {
        const word = step.words.get(value);
        if (word === undefined || (value === null && step.form === 'book' && !lacksBook)) {
          throw new ActionError(where + step.name, `no value ${shown(value)}`);
        }
        this.#literal(word);
      } else {
        this.#literal(step.key);
        this.#value(step.form, value, shape, where, step.name);
      }
    }
    this.#byte(close);
  }

  #value(form: FieldForm, value: unknown, shape: ShapeName, where: string, name: FieldName): void {
    switch (form) {
      case 'amount':
      case 'count':
        this.#integer(value, where, name);
        break;
      case 'orderId':
        this.#hex(value, 64, where, name);
        break;
      case 'orderIdOrNull':
        if (value === null) this.#literal(literal.null);
        else this.#hex(value, 64, where, name);
        break;
      case 'expiry':
        this.#expiry(value, where, name);
        break;
      case 'legs':
        this.#legs(shape === 'SpotQuoteReplace' ? 'SpotLeg' : 'OutcomeLeg', value, where);
        break;
      case 'strategy':
        this.#strategy(value as Strategy, `${where}${name}.`);
        break;
      case 'signedAction':
        this.#signedAction(value as SignedAction, `${where}${name}.`);
        break;
      case 'boolean':
      case 'side':
      case 'book':
      case 'timeInForce':
      case 'stpMode':
      case 'triggerDirection':
      case 'conditionalKind':
        throw new Error(`${form} is written with its key`);
    }
  }

  #expiry(value: unknown, where: string, name: string): void {
    if (value === null) {
      this.#literal(literal.null);
      return;
    }
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new ActionError(where + name, `must be Unix milliseconds, not ${shown(value)}`);
    }
    switch (this.#contract.types.expiresAt) {
      case 'unix_ms':
        this.#digits(value);
        break;
      case 'unix_s':
        if (value % 1000 !== 0) throw new ActionError(where + name, 'must be a whole second');
        this.#digits(value / 1000);
        break;
      case 'rfc3339':
        if (value > 253_402_300_799_999) throw new ActionError(where + name, 'is past year 9999');
        this.#string(new Date(value).toISOString(), where, name);
    }
  }

  #legs(shape: 'SpotLeg' | 'OutcomeLeg', value: unknown, where: string): void {
    if (!Array.isArray(value) || value.length === 0) {
      throw new ActionError(`${where}legs`, 'must be a list of at least one leg');
    }
    this.#byte(0x5b);
    for (let index = 0; index < value.length; index += 1) {
      if (index > 0) this.#byte(comma);
      this.#fields(shape, value[index] as Fields, `${where}legs[${index}].`);
      if (this.#at > maxCanonicalBytes) break;
    }
    this.#byte(0x5d);
  }

  #strategy(strategy: Strategy, where: string): void {
    const params = this.#contract.strategies[strategy.kind];
    if (params === undefined) throw new ActionError(`${where}kind`, `no strategy ${strategy.kind}`);
    for (const name of Object.keys(strategy)) {
      if (name !== 'kind' && !params.some((param) => param === name)) {
        throw new ActionError(where + name, `is no parameter of ${strategy.kind}`);
      }
    }
    this.#literal(literal.strategyKind);
    this.#string(strategy.kind, where, 'kind');
    for (const name of params) {
      this.#byte(comma);
      this.#literal(text.encode(`"${name}":`));
      this.#integer(strategy[name], where, name);
    }
    this.#byte(close);
  }

  #signedAction({ payload, signature }: SignedAction, where: string): void {
    const { kind } = payload.action;
    if (kind !== 'SpotPlaceOrder' && kind !== 'PlaceOrder') {
      throw new ActionError(`${where}payload.action`, `must place an order, not ${kind}`);
    }
    if (signature.bytes.length !== 65) {
      throw new ActionError(`${where}signature.bytes`, 'must be 65 bytes');
    }
    this.#literal(literal.payload);
    this.#envelope(payload, `${where}payload.`);
    this.#literal(literal.scheme);
    this.#string(signature.scheme, where, 'signature.scheme');
    this.#literal(literal.bytes);
    for (let index = 0; index < 65; index += 1) {
      if (index > 0) this.#byte(comma);
      this.#digits(signature.bytes[index] ?? 0);
    }
    this.#literal(literal.endOfSignature);
  }

  #byte(byte: number): void {
    this.#buffer[this.#at++] = byte;
  }

  /** `set` costs as much as a loop over ten bytes. */
  #literal(bytes: Uint8Array): void {
    const { length } = bytes;
    const buffer = this.#buffer;
    let at = this.#at;
    this.#at = at + length;
    if (length > 10) {
      if (this.#at <= maxCanonicalBytes) buffer.set(bytes, at);
      return;
    }
    for (let index = 0; index < length; index += 1) buffer[at++] = bytes[index] as number;
  }

  #hex(value: unknown, digits: number, where: string, name: string): void {
    if (typeof value !== 'string' || value.length !== digits + 2 || !value.startsWith('0x')) {
      throw new ActionError(where + name, `must be 0x and ${digits} lowercase hex digits`);
    }
    const buffer = this.#buffer;
    let at = this.#at;
    buffer[at++] = quote;
    buffer[at++] = zero;
    buffer[at++] = 0x78;
    for (let index = 2; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code < zero || code > 0x66 || (code > 0x39 && code < 0x61)) {
        throw new ActionError(where + name, `must be 0x and ${digits} lowercase hex digits`);
      }
      buffer[at++] = code;
    }
    buffer[at++] = quote;
    this.#at = at;
  }

  #integer(value: unknown, where: string, name: string): void {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) {
      this.#digits(value);
    } else if (typeof value === 'bigint' && value >= 0n && value <= maxSafeAtoms) {
      this.#digits(Number(value));
    } else if (typeof value === 'bigint' && value >= 0n && value <= maxU64) {
      if (value > this.#maxInteger) {
        throw new ActionError(where + name, `${value} is over 2^53-1, which JSON lanes refuse`);
      }
      this.#literal(text.encode(value.toString()));
    } else {
      throw new ActionError(where + name, `must be an exact u64, not ${shown(value)}`);
    }
  }

  /** Decimal digits of a safe integer, from the end, in pieces of eight so that divisions stay in 32 bits. */
  #digits(value: number): void {
    const buffer = this.#buffer;
    const end = this.#at + digitCount(value);
    let at = end;
    let rest = value;
    while (rest >= 1e8) {
      let high = Math.floor(rest / 1e8);
      let low = rest - high * 1e8;
      if (low < 0) {
        high -= 1;
        low += 1e8;
      }
      for (let digit = 0; digit < 8; digit += 1) {
        const next = (low / 10) | 0;
        buffer[--at] = zero + (low - next * 10);
        low = next;
      }
      rest = high;
    }
    let low = rest | 0;
    do {
      const next = (low / 10) | 0;
      buffer[--at] = zero + (low - next * 10);
      low = next;
    } while (low > 0);
    this.#at = end;
  }

  #string(value: unknown, where: string, name: string): void {
    if (typeof value !== 'string' || value.length > 1024) {
      throw new ActionError(where + name, 'must be a string of at most 1024 characters');
    }
    const start = this.#at;
    this.#byte(quote);
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code < 0x20 || code > 0x7e || code === quote || code === 0x5c) {
        this.#at = start;
        this.#escaped(value, where, name);
        return;
      }
      this.#byte(code);
    }
    this.#byte(quote);
  }

  #escaped(value: string, where: string, name: string): void {
    if (/\p{Surrogate}/u.test(value)) throw new ActionError(where + name, 'is no well-formed text');
    this.#literal(text.encode(JSON.stringify(value)));
  }
}

/** Only actions that exist for spot and outcome markets alike may have no book (contract G08). */
export function mayLackBook(shape: ShapeName): boolean {
  return shape === 'PlaceAlgoOrder' || shape === 'PlaceConditionalOrder';
}

function stepsOf(
  names: readonly FieldName[],
  words: Partial<Record<FieldForm, ReadonlyMap<unknown, Uint8Array>>>,
): Step[] {
  return names.map((name, index) => {
    const form = fieldForms[name];
    const key = text.encode(`${index === 0 ? '{' : ','}"${name}":`);
    const values = [...(words[form] ?? [])];
    const joined = values.map(([value, word]) => [value, Buffer.concat([key, word])] as const);
    return { name, form, key, words: values.length === 0 ? undefined : new Map(joined) };
  });
}

function digitCount(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

function fromNames<Name extends string, T>(
  names: readonly Name[],
  make: (name: Name) => T,
): Record<Name, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, T>;
}

/** The values of each form that has few, as they are written; both directions read this table. */
export function wordsOf(
  contract: SigningContract,
): Partial<Record<FieldForm, ReadonlyMap<unknown, Uint8Array>>> {
  const words = (...values: readonly unknown[]) =>
    new Map(values.map((value) => [value, text.encode(JSON.stringify(value))]));
  return {
    boolean: words(true, false),
    side: words('Bid', 'Ask'),
    book: words('YES', 'NO', null),
    timeInForce: words('gtc', 'ioc', 'fok', 'post_only'),
    stpMode: words('cancel_maker', 'cancel_taker', 'reject', 'skip_self', null),
    triggerDirection: words(...contract.enums.triggerDirection),
    conditionalKind: words(...contract.enums.conditionalKind),
  };
}
