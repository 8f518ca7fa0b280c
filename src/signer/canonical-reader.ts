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
  fieldForms,
  type ShapeName,
  type SigningContract,
} from './signing-contract.ts';

const maxDepth = 2;

export class CanonicalReader {
  readonly #contract: SigningContract;
  readonly #words: ReadonlyMap<FieldForm, ReadonlyMap<string, unknown>>;
  #text = '';
  #at = 0;

  constructor(contract: SigningContract) {
    this.#contract = contract;
    const spelled = new Map<FieldForm, ReadonlyMap<string, unknown>>();
    for (const [form, words] of Object.entries(wordsOf(contract))) {
      const byText = new Map([...words].map(([value]) => [JSON.stringify(value), value]));
      spelled.set(form as FieldForm, byText);
    }
    this.#words = spelled;
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
      ? { client_order_id: this.#string(where, 'client_order_id') }
      : {};
    this.#expect(',"ts":', where, 'ts');
    const ts = this.#count(where, 'ts');
    this.#expect(',"action":{', where, 'action');
    const kind = actionKinds.find((name) => this.#take(`"${name}":`));
    if (kind === undefined) throw new ActionError(`${where}action`, 'has no known name');
    const action = { kind, ...this.#fields(kind, where, depth) } as Action;
    this.#expect('}}', where, 'action');
    return { account, nonce, nonce_reservation_id: reservation, ...clientOrderId, ts, action };
  }

  #fields(shape: ShapeName, where: string, depth: number): Record<string, unknown> {
    const { variants } = this.#contract;
    const fields: Record<string, unknown> = {};
    let separator = '{';
    for (const name of variants[shape]) {
      const key = `${separator}"${name}":`;
      if (name === 'book' && variants.bookOnSpot === 'omit' && mayLackBook(shape)) {
        fields[name] = this.#take(key) ? this.#word('book', where, name) : null;
        if (fields[name] === null) continue;
      } else {
        this.#expect(key, where, name);
        fields[name] = this.#value(fieldForms[name], shape, where, name, depth);
      }
      separator = ',';
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
    do legs.push(this.#fields(shape, `${where}legs[${legs.length}].`, depth));
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

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #hex(digits: 40 | 64, where: string, name: string): string {
    const found = this.#match(digits === 40 ? accountPattern : orderIdPattern);
    if (found !== undefined) return found.slice(1, -1);
    throw new ActionError(where + name, `must be 0x and ${digits} lowercase hex digits`);
  }

  #integer(where: string, name: string): bigint {
    const found = this.#match(integerPattern);
    const value = found === undefined ? -1n : BigInt(found);
    if (value < 0n || value > maxU64) throw new ActionError(where + name, 'must be an exact u64');
    return value;
  }

  #count(where: string, name: string): number {
    const value = this.#integer(where, name);
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
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
    const found = this.#match(stringPattern);
    if (found !== undefined && found.length <= 6146) {
      const value: string = JSON.parse(found);
      if (JSON.stringify(value) === found && value.length <= 1024) return value;
    }
    throw new ActionError(where + name, 'must be a canonical string of at most 1024 characters');
  }
}

function decoded(canonical: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(canonical);
  } catch {
    throw new ActionError('action', 'is no UTF-8');
  }
}

const accountPattern = /"0x[0-9a-f]{40}"/y;
const orderIdPattern = /"0x[0-9a-f]{64}"/y;
const integerPattern = /(?:0|[1-9][0-9]{0,19})(?![0-9.eE])/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes exactly these.
const stringPattern = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/y;
