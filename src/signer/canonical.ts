/**
 * Canonical JSON of an action envelope, byte for byte (contract A.5, A.6, A.10), written straight into one reusable
 * buffer from the field table of the profile. The order of keys is never that of a JavaScript object.
 */
import { latestMs, maxSafeAtoms, maxU64 } from '../domain/units.ts';
import {
  type Action,
  type ActionEnvelope,
  ActionError,
  actionKinds,
  type ShapeName,
  type SignedAction,
  type Strategy,
  shapeNames,
} from './action.ts';
import {
  type FieldForm,
  type FieldName,
  fieldForms,
  type SigningContract,
} from './signing-contract.ts';

/** More than any action needs; what is longer is refused. */
export const maxCanonicalBytes = 65_536;
/** So many legs fit into an action, however long they are. */
export const mostLegs = 220;

interface Step {
  readonly name: FieldName;
  readonly form: FieldForm;
  /** The brace or comma, the key with quotes, the colon. */
  readonly key: Literal;
  /** For a form of few values: each of them, and the key together with it. */
  readonly words: readonly Word[] | undefined;
}

interface Word {
  readonly value: unknown;
  readonly literal: Literal;
}

/** Fixed bytes, little-endian in words of four; the last word has zeros behind the end. */
interface Literal {
  readonly length: number;
  readonly words: Uint32Array;
}

type Steps = Readonly<Record<ShapeName, readonly Step[]>>;
type Fields = Readonly<Partial<Record<FieldName, unknown>>>;

const close = 0x7d;
const comma = 0x2c;
const quote = 0x22;
const zero = 0x30;
const wordBytes = 4;
/** The two digits of each number below a hundred. */
const digitPairs = Uint16Array.from({ length: 100 }, (_, pair) => {
  const tens = Math.trunc(pair / 10);
  return zero + tens + (zero + pair - tens * 10) * 256;
});
const text = new TextEncoder();
const literal = {
  null: literalOf('null'),
  account: literalOf('{"account":'),
  nonce: literalOf(',"nonce":'),
  reservation: literalOf(',"nonce_reservation_id":'),
  noReservation: literalOf(',"nonce_reservation_id":null'),
  clientOrderId: literalOf(',"client_order_id":'),
  ts: literalOf(',"ts":'),
  payload: literalOf('{"payload":'),
  scheme: literalOf(',"signature":{"scheme":'),
  bytes: literalOf(',"bytes":['),
  endOfSignature: literalOf(']}}'),
  strategyKind: literalOf('{"kind":'),
};

export class CanonicalEncoder {
  readonly #buffer = new Uint8Array(maxCanonicalBytes + wordBytes);
  readonly #view = new DataView(this.#buffer.buffer);
  readonly #steps: Steps;
  /** Used if the profile omits the book of a spot market (contract G08). */
  readonly #stepsWithoutBook: Steps;
  readonly #tags: Readonly<Record<Action['kind'], Literal>>;
  readonly #contract: SigningContract;
  readonly #maxInteger: bigint;
  #at = 0;
  #lastAccount = '';
  #lastAccountLiteral = literalOf('');

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
    this.#tags = fromNames(actionKinds, (kind) => literalOf(`,"action":{"${kind}":`));
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
      this.#literal(this.#lastAccountLiteral);
      return;
    }
    const from = this.#at;
    this.#literal(literal.account);
    this.#hex(account, 40, where, 'account');
    this.#literal(literal.nonce);
    this.#lastAccount = account;
    this.#lastAccountLiteral = literalOf(this.#buffer.subarray(from, this.#at));
  }

  #fields(shape: ShapeName, fields: Fields, where: string): void {
    const lacksBook = fields.book === null && mayLackBook(shape);
    const omitsBook = lacksBook && this.#contract.variants.bookOnSpot === 'omit';
    for (const step of (omitsBook ? this.#stepsWithoutBook : this.#steps)[shape]) {
      const value = fields[step.name];
      if (step.words !== undefined) {
        const literal = literalFor(step.words, value);
        if (literal === undefined || (value === null && step.form === 'book' && !lacksBook)) {
          throw new ActionError(where + step.name, `no value ${shown(value)}`);
        }
        this.#literal(literal);
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
        if (value > latestMs) throw new ActionError(where + name, 'is past year 9999');
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
      this.#literal(literalOf(`"${name}":`));
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

  /** In whole words, because `set` costs as much as thirty of them; what is written too much is written over. */
  #literal({ length, words }: Literal): void {
    const view = this.#view;
    let at = this.#at;
    this.#at = at + length;
    if (this.#at > maxCanonicalBytes) return;
    for (let index = 0; index < words.length; index += 1) {
      view.setUint32(at, words[index] as number, true);
      at += wordBytes;
    }
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
    // Exact up to 2^53-1, and a bigint beyond becomes a number beyond.
    const rounded = typeof value === 'bigint' ? Number(value) : value;
    if (typeof rounded === 'number' && Number.isSafeInteger(rounded) && rounded >= 0) {
      this.#digits(rounded);
    } else if (typeof value === 'bigint' && value >= 0n && value <= maxU64) {
      if (value > this.#maxInteger) {
        throw new ActionError(where + name, `${value} is over 2^53-1, which JSON lanes refuse`);
      }
      this.#literal(literalOf(value.toString()));
    } else {
      throw new ActionError(where + name, `must be an exact u64, not ${shown(value)}`);
    }
  }

  /**
   * Decimal digits of a safe integer, two at a time from the end; eight by eight, so that divisions stay in 32 bits. A
   * quotient below 2^27 is never rounded up to the next whole number.
   */
  #digits(value: number): void {
    const start = this.#at;
    let at = start + digitCount(value);
    this.#at = at;
    if (at > maxCanonicalBytes) return;
    let rest = value;
    for (; rest >= 1e8; at -= 8) {
      const high = Math.floor(rest / 1e8);
      let low = (rest - high * 1e8) | 0;
      for (let pairAt = at - 2; pairAt >= at - 8; pairAt -= 2) low = this.#pair(low, pairAt);
      rest = high;
    }
    let low = rest | 0;
    for (; low >= 10; at -= 2) low = this.#pair(low, at - 2);
    if (at > start) this.#buffer[at - 1] = zero + low;
  }

  /** Writes the last two digits and returns the others. */
  #pair(low: number, at: number): number {
    const rest = (low / 100) | 0;
    this.#view.setUint16(at, digitPairs[low - rest * 100] as number, true);
    return rest;
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
    this.#literal(literalOf(JSON.stringify(value)));
  }
}

/** Only actions that exist for spot and outcome markets alike may have no book (contract G08). */
export function mayLackBook(shape: ShapeName): boolean {
  return shape === 'PlaceAlgoOrder' || shape === 'PlaceConditionalOrder';
}

function stepsOf(
  names: readonly FieldName[],
  words: Partial<Record<FieldForm, ReadonlyMap<unknown, string>>>,
): Step[] {
  return names.map((name, index) => {
    const form = fieldForms[name];
    const key = `${index === 0 ? '{' : ','}"${name}":`;
    const values = [...(words[form] ?? [])];
    const joined = values.map(([value, word]) => ({ value, literal: literalOf(key + word) }));
    return { name, form, key: literalOf(key), words: values.length === 0 ? undefined : joined };
  });
}

/** A list of five at most is faster looked through than hashed. */
function literalFor(words: readonly Word[], value: unknown): Literal | undefined {
  for (const word of words) if (word.value === value) return word.literal;
  return undefined;
}

function literalOf(written: string | Uint8Array): Literal {
  const bytes = typeof written === 'string' ? text.encode(written) : written;
  const { length } = bytes;
  const padded = new DataView(new ArrayBuffer(Math.ceil(length / wordBytes) * wordBytes));
  new Uint8Array(padded.buffer).set(bytes);
  const words = new Uint32Array(padded.byteLength / wordBytes);
  for (let at = 0; at < padded.byteLength; at += wordBytes) {
    words[at / wordBytes] = padded.getUint32(at, true);
  }
  return { length, words };
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

/** The values of each form that has few, as they are written. */
function wordsOf(
  contract: SigningContract,
): Partial<Record<FieldForm, ReadonlyMap<unknown, string>>> {
  const words = (...values: readonly unknown[]) =>
    new Map(values.map((value) => [value, JSON.stringify(value)]));
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
