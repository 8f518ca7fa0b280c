/**
 * Canonical bytes back to a typed action. Only the one canonical form is read: what the encoder would write
 * differently is refused, so an action that was read is exactly the action that the bytes say. The signer, the
 * recovery from the journal and the compact lane read with it.
 */
import { maxU64 } from '../domain/units.ts';
import {
  type Action,
  type ActionEnvelope,
  ActionError,
  actionKinds,
  type SignedAction,
} from './action.ts';
import { maxCanonicalBytes, mayLackBook, wordsOf } from './canonical.ts';
import {
  type FieldForm,
  type FieldName,
  fieldForms,
  type ShapeName,
  type SigningContract,
  shapeNames,
} from './signing-contract.ts';

const maxDepth = 2;
const maxStringChars = 1024;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tags = actionKinds.map((kind) => ({ kind, tag: `"${kind}":` }));

interface Step {
  readonly name: FieldName;
  readonly form: FieldForm;
  readonly firstKey: string;
  readonly laterKey: string;
}

export class CanonicalReader {
  readonly #contract: SigningContract;
  readonly #words: ReadonlyMap<FieldForm, readonly (readonly [string, unknown])[]>;
  readonly #steps: ReadonlyMap<ShapeName, readonly Step[]>;
  #text = '';
  #at = 0;

  constructor(contract: SigningContract) {
    this.#contract = contract;
    this.#words = new Map(
      Object.entries(wordsOf(contract)).map(([form, words]) => [
        form as FieldForm,
        [...words.keys()].map((value) => [JSON.stringify(value), value] as const),
      ]),
    );
    this.#steps = new Map(
      shapeNames.map((shape) => [shape, contract.variants[shape].map((name) => stepOf(name))]),
    );
  }

  read(canonical: Uint8Array): ActionEnvelope {
    if (canonical.length > maxCanonicalBytes) {
      throw new ActionError('action', `is longer than ${maxCanonicalBytes} canonical bytes`);
    }
    this.#text = decoded(canonical);
    this.#at = 0;
    const envelope = this.#envelope('', 1);
    if (this.#at !== this.#text.length) throw new ActionError('action', 'has bytes after its end');
    return envelope;
  }

  #envelope(where: string, depth: number): ActionEnvelope {
    this.#expect('{"account":', where, 'account');
    const account = this.#hex(40, where, 'account') as ActionEnvelope['account'];
    this.#expect(',"nonce":', where, 'nonce');
    const nonce = this.#integer(where, 'nonce');
    this.#expect(',"nonce_reservation_id":', where, 'nonce_reservation_id');
    const reservation = this.#take('null') ? null : this.#string(where, 'nonce_reservation_id');
    const clientOrderId = this.#take(',"client_order_id":')
      ? this.#string(where, 'client_order_id')
      : undefined;
    this.#expect(',"ts":', where, 'ts');
    const ts = this.#count(where, 'ts');
    this.#expect(',"action":{', where, 'action');
    const action = this.#action(where, depth);
    this.#expect('}}', where, 'action');
    return clientOrderId === undefined
      ? { account, nonce, nonce_reservation_id: reservation, ts, action }
      : {
          account,
          nonce,
          nonce_reservation_id: reservation,
          client_order_id: clientOrderId,
          ts,
          action,
        };
  }

  #action(where: string, depth: number): Action {
    for (const { kind, tag } of tags) {
      if (!this.#take(tag)) continue;
      return this.#fields(kind, { kind }, where, depth) as unknown as Action;
    }
    throw new ActionError(`${where}action`, 'has no known name');
  }

  /** Adds the members of `shape` to `fields`. */
  #fields(
    shape: ShapeName,
    fields: Record<string, unknown>,
    where: string,
    depth: number,
  ): Record<string, unknown> {
    const mayOmitBook = this.#contract.variants.bookOnSpot === 'omit' && mayLackBook(shape);
    let isFirst = true;
    for (const { name, form, firstKey, laterKey } of this.#steps.get(shape) ?? []) {
      const key = isFirst ? firstKey : laterKey;
      if (form === 'book' && mayOmitBook) {
        fields[name] = this.#take(key) ? this.#word(form, where, name) : null;
        if (fields[name] === null) continue;
      } else {
        this.#expect(key, where, name);
        fields[name] = this.#value(form, shape, where, name, depth);
      }
      isFirst = false;
    }
    this.#expect('}', where, shape);
    return fields;
  }

  #value(form: FieldForm, shape: ShapeName, where: string, name: string, depth: number): unknown {
    switch (form) {
      case 'amount':
        return this.#integer(where, name);
      case 'count':
        return this.#count(where, name);
      case 'boolean':
      case 'side':
      case 'timeInForce':
      case 'stpMode':
      case 'triggerDirection':
      case 'conditionalKind':
        return this.#word(form, where, name);
      case 'book': {
        const book = this.#word(form, where, name);
        if (book === null && !mayLackBook(shape)) throw new ActionError(where + name, 'is missing');
        return book;
      }
      case 'orderId':
        return this.#hex(64, where, name);
      case 'orderIdOrNull':
        return this.#take('null') ? null : this.#hex(64, where, name);
      case 'expiry':
        return this.#take('null') ? null : this.#expiry(where, name);
      case 'legs':
        return this.#legs(shape === 'SpotQuoteReplace' ? 'SpotLeg' : 'OutcomeLeg', where, depth);
      case 'strategy':
        return this.#strategy(`${where}${name}.`);
      case 'signedAction':
        return this.#signedAction(`${where}${name}.`, depth);
    }
  }

  #legs(shape: ShapeName, where: string, depth: number): unknown[] {
    const legs: unknown[] = [];
    this.#expect('[', where, 'legs');
    do legs.push(this.#fields(shape, {}, `${where}legs[${legs.length}].`, depth));
    while (this.#take(','));
    this.#expect(']', where, 'legs');
    return legs;
  }

  #strategy(where: string): unknown {
    this.#expect('{"kind":', where, 'kind');
    const kinds = ['iceberg', 'twap', 'vwap'] as const;
    const kind = kinds.find((name) => this.#take(`"${name}"`));
    if (kind === undefined) throw new ActionError(`${where}kind`, 'has no known name');
    const params: Record<string, unknown> = {};
    for (const name of this.#contract.strategies[kind]) {
      this.#expect(`,"${name}":`, where, name);
      params[name] =
        fieldForms[name] === 'count' ? this.#count(where, name) : this.#integer(where, name);
    }
    this.#expect('}', where, kind);
    return { kind, ...params };
  }

  #signedAction(where: string, depth: number): SignedAction {
    if (depth >= maxDepth) throw new ActionError(where, 'is nested too deep');
    this.#expect('{"payload":', where, 'payload');
    const payload = this.#envelope(`${where}payload.`, depth + 1);
    const { kind } = payload.action;
    if (kind !== 'SpotPlaceOrder' && kind !== 'PlaceOrder') {
      throw new ActionError(`${where}payload.action`, `must place an order, not ${kind}`);
    }
    this.#expect(',"signature":{"scheme":', where, 'signature');
    const scheme = this.#string(where, 'signature.scheme');
    const bytes = new Uint8Array(65);
    for (let index = 0; index < 65; index += 1) {
      this.#expect(index === 0 ? ',"bytes":[' : ',', where, 'signature.bytes');
      const byte = this.#count(where, 'signature.bytes');
      if (byte > 255) throw new ActionError(`${where}signature.bytes`, `${byte} is no byte`);
      bytes[index] = byte;
    }
    this.#expect(']}}', where, 'signature.bytes');
    return { payload, signature: { scheme, bytes } };
  }

  #take(wanted: string): boolean {
    if (!this.#text.startsWith(wanted, this.#at)) return false;
    this.#at += wanted.length;
    return true;
  }

  #expect(wanted: string, where: string, name: string): void {
    if (!this.#take(wanted)) {
      throw new ActionError(where + name, `expected ${wanted} at character ${this.#at}`);
    }
  }

  #word(form: FieldForm, where: string, name: string): unknown {
    for (const [spelled, value] of this.#words.get(form) ?? []) {
      if (this.#take(spelled)) return value;
    }
    throw new ActionError(where + name, 'has no value of its list');
  }

  #hex(digits: 40 | 64, where: string, name: string): string {
    const from = this.#at + 1;
    const end = from + 2 + digits;
    if (!this.#text.startsWith('"0x', this.#at) || this.#text.charCodeAt(end) !== quote) {
      throw new ActionError(where + name, `must be 0x and ${digits} lowercase hex digits`);
    }
    for (let at = from + 2; at < end; at += 1) {
      const code = this.#text.charCodeAt(at);
      if (code < 0x30 || code > 0x66 || (code > 0x39 && code < 0x61)) {
        throw new ActionError(where + name, `must be 0x and ${digits} lowercase hex digits`);
      }
    }
    this.#at = end + 1;
    return this.#text.slice(from, end);
  }

  #integer(where: string, name: string): bigint {
    const value = this.#digits(where, name);
    return typeof value === 'bigint' ? value : BigInt(value);
  }

  /** A number while it is safe, a bigint beyond. */
  #digits(where: string, name: string): number | bigint {
    const from = this.#at;
    let at = from;
    let value = 0;
    for (;;) {
      const digit = this.#text.charCodeAt(at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
      at += 1;
    }
    const length = at - from;
    const hasLeadingZero = length > 1 && this.#text.charCodeAt(from) === 0x30;
    if (length >= 1 && length <= 20 && !hasLeadingZero) {
      this.#at = at;
      if (value <= Number.MAX_SAFE_INTEGER) return value;
      const exact = BigInt(this.#text.slice(from, at));
      if (exact <= maxU64) return exact;
    }
    throw new ActionError(where + name, 'must be an exact u64');
  }

  #count(where: string, name: string): number {
    const value = this.#digits(where, name);
    if (typeof value === 'number') return value;
    throw new ActionError(where + name, `${value} is over 2^53-1`);
  }

  #expiry(where: string, name: string): number {
    switch (this.#contract.types.expiresAt) {
      case 'unix_ms':
        return this.#count(where, name);
      case 'unix_s': {
        const ms = this.#count(where, name) * 1000;
        if (Number.isSafeInteger(ms)) return ms;
        throw new ActionError(where + name, 'is past the end of time');
      }
      case 'rfc3339': {
        const spelled = this.#string(where, name);
        const ms = Date.parse(spelled);
        if (Number.isSafeInteger(ms) && new Date(ms).toISOString() === spelled) return ms;
        throw new ActionError(where + name, 'is no RFC 3339 time');
      }
    }
  }

  #string(where: string, name: string): string {
    return this.#plainString() ?? this.#escapedString(where, name);
  }

  /** Nearly every string: printable ASCII without escapes. */
  #plainString(): string | undefined {
    const text = this.#text;
    const from = this.#at + 1;
    if (text.charCodeAt(this.#at) !== quote) return undefined;
    for (let at = from; at <= from + maxStringChars; at += 1) {
      const code = text.charCodeAt(at);
      if (code === quote) {
        this.#at = at + 1;
        return text.slice(from, at);
      }
      if (!(code >= 0x20 && code <= 0x7e) || code === backslash) return undefined;
    }
    return undefined;
  }

  #escapedString(where: string, name: string): string {
    stringPattern.lastIndex = this.#at;
    const found = stringPattern.exec(this.#text)?.[0];
    if (found !== undefined && found.length <= 6146) {
      this.#at += found.length;
      const value: string = JSON.parse(found);
      if (JSON.stringify(value) === found && value.length <= maxStringChars) return value;
    }
    throw new ActionError(
      where + name,
      `must be a canonical string of at most ${maxStringChars} characters`,
    );
  }
}

function stepOf(name: FieldName): Step {
  const key = `"${name}":`;
  return { name, form: fieldForms[name], firstKey: `{${key}`, laterKey: `,${key}` };
}

function decoded(canonical: Uint8Array): string {
  try {
    return decoder.decode(canonical);
  } catch {
    throw new ActionError('action', 'is no UTF-8');
  }
}

const quote = 0x22;
const backslash = 0x5c;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these.
const stringPattern = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/y;
