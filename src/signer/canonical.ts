/**
 * Canonical JSON of an action envelope, byte for byte (contract A.5, A.6, A.10), from the field table of the profile.
 * The order of keys is never that of a JavaScript object.
 */
import { latestMs, maxSafeAtoms, maxU64 } from '../domain/units.ts';
import {
  type ActionEnvelope,
  ActionError,
  actionKinds,
  type ShapeName,
  type SignedAction,
  type Strategy,
} from './action.ts';
import {
  type FieldForm,
  type FieldName,
  fieldForms,
  type SigningContract,
} from './signing-contract.ts';

/** More than any action needs; what is longer is refused. */
export const maxCanonicalBytes = 65_536;

type Fields = Readonly<Partial<Record<FieldName, unknown>>>;

export class CanonicalEncoder {
  readonly #contract: SigningContract;
  readonly #maxInteger: bigint;
  readonly #words: ReturnType<typeof wordsOf>;

  /** JSON lanes of the venue end at 2^53-1 (contract A.10); `maxU64` is for what never travels as JSON. */
  constructor(
    contract: SigningContract,
    maxInteger: typeof maxSafeAtoms | typeof maxU64 = maxSafeAtoms,
  ) {
    this.#contract = contract;
    this.#maxInteger = maxInteger;
    this.#words = wordsOf(contract);
  }

  encode(envelope: ActionEnvelope): Buffer {
    const canonical = Buffer.from(this.#envelope(envelope, ''));
    if (canonical.length <= maxCanonicalBytes) return canonical;
    throw new ActionError('action', `is longer than ${maxCanonicalBytes} canonical bytes`);
  }

  #envelope(envelope: ActionEnvelope, where: string): string {
    const { account, nonce, nonce_reservation_id, client_order_id, ts, action } = envelope;
    let text = `{"account":${hex(account, 40, `${where}account`)}`;
    text += `,"nonce":${this.#integer(nonce, `${where}nonce`)}`;
    text += `,"nonce_reservation_id":${nonce_reservation_id === null ? null : string(nonce_reservation_id, `${where}nonce_reservation_id`)}`;
    if (client_order_id !== undefined) {
      text += `,"client_order_id":${string(client_order_id, `${where}client_order_id`)}`;
    }
    text += `,"ts":${this.#integer(ts, `${where}ts`)}`;
    const { kind } = action;
    if (!actionKinds.includes(kind)) throw new ActionError(`${where}action`, `no action ${kind}`);
    return `${text},"action":{"${kind}":${this.#fields(kind, action as Fields, where)}}}`;
  }

  #fields(shape: ShapeName, fields: Fields, where: string): string {
    const { variants } = this.#contract;
    const omitsBook = variants.bookOnSpot === 'omit' && fields.book === null && mayLackBook(shape);
    let text = '';
    for (const name of variants[shape]) {
      if (omitsBook && name === 'book') continue;
      const value = this.#value(fieldForms[name], fields[name], shape, where + name);
      text += `${text === '' ? '{' : ','}"${name}":${value}`;
    }
    return `${text}}`;
  }

  #value(form: FieldForm, value: unknown, shape: ShapeName, where: string): string {
    switch (form) {
      case 'amount':
      case 'count':
        return this.#integer(value, where);
      case 'orderId':
        return hex(value, 64, where);
      case 'orderIdOrNull':
        return value === null ? 'null' : hex(value, 64, where);
      case 'expiry':
        return value === null ? 'null' : this.#expiry(value, where);
      case 'legs':
        return this.#legs(shape === 'SpotQuoteReplace' ? 'SpotLeg' : 'OutcomeLeg', value, where);
      case 'strategy':
        return this.#strategy(value as Strategy, where);
      case 'signedAction':
        return this.#signedAction(value as SignedAction, where);
      default: {
        const word = this.#words[form].get(value);
        const lacksBook = form === 'book' && value === null && !mayLackBook(shape);
        if (word !== undefined && !lacksBook) return word;
        throw new ActionError(where, `no value ${shown(value)}`);
      }
    }
  }

  #expiry(value: unknown, where: string): string {
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      throw new ActionError(where, `must be Unix milliseconds, not ${shown(value)}`);
    }
    switch (this.#contract.types.expiresAt) {
      case 'unix_ms':
        return String(value);
      case 'unix_s':
        if (value % 1000 !== 0) throw new ActionError(where, 'must be a whole second');
        return String(value / 1000);
      case 'rfc3339':
        if (value > latestMs) throw new ActionError(where, 'is past year 9999');
        return string(new Date(value).toISOString(), where);
    }
  }

  #legs(shape: 'SpotLeg' | 'OutcomeLeg', value: unknown, where: string): string {
    if (!Array.isArray(value) || value.length === 0) {
      throw new ActionError(where, 'must be a list of at least one leg');
    }
    const legs = value.map((leg, index) => this.#fields(shape, leg, `${where}[${index}].`));
    return `[${legs.join(',')}]`;
  }

  #strategy(strategy: Strategy, where: string): string {
    const { kind } = strategy;
    const params = this.#contract.strategies[kind];
    if (params === undefined) throw new ActionError(`${where}.kind`, `no strategy ${kind}`);
    for (const name of Object.keys(strategy)) {
      if (name !== 'kind' && !params.some((param) => param === name)) {
        throw new ActionError(`${where}.${name}`, `is no parameter of ${kind}`);
      }
    }
    let text = `{"kind":${string(kind, `${where}.kind`)}`;
    for (const name of params) {
      text += `,"${name}":${this.#integer(strategy[name], `${where}.${name}`)}`;
    }
    return `${text}}`;
  }

  #signedAction({ payload, signature }: SignedAction, where: string): string {
    const { kind } = payload.action;
    if (kind !== 'SpotPlaceOrder' && kind !== 'PlaceOrder') {
      throw new ActionError(`${where}.payload.action`, `must place an order, not ${kind}`);
    }
    const { bytes, scheme } = signature;
    if (bytes.length !== 65) throw new ActionError(`${where}.signature.bytes`, 'must be 65 bytes');
    const placed = this.#envelope(payload, `${where}.payload.`);
    const by = string(scheme, `${where}.signature.scheme`);
    return `{"payload":${placed},"signature":{"scheme":${by},"bytes":[${bytes.join(',')}]}}`;
  }

  #integer(value: unknown, where: string): string {
    const isExact = typeof value === 'bigint' ? value <= maxU64 : Number.isSafeInteger(value);
    const integer = value as number | bigint;
    if (!isExact || integer < 0) {
      throw new ActionError(where, `must be an exact u64, not ${shown(value)}`);
    }
    if (integer <= this.#maxInteger) return integer.toString();
    throw new ActionError(where, `${value} is over 2^53-1, which JSON lanes refuse`);
  }
}

/** Only actions that exist for spot and outcome markets alike may have no book (contract G08). */
export function mayLackBook(shape: ShapeName): boolean {
  return shape === 'PlaceAlgoOrder' || shape === 'PlaceConditionalOrder';
}

function hex(value: unknown, digits: 40 | 64, where: string): string {
  const form = digits === 40 ? /^0x[0-9a-f]{40}$/ : /^0x[0-9a-f]{64}$/;
  if (typeof value === 'string' && form.test(value)) return `"${value}"`;
  throw new ActionError(where, `must be 0x and ${digits} lowercase hex digits`);
}

function string(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.length > 1024) {
    throw new ActionError(where, 'must be a string of at most 1024 characters');
  }
  if (value.isWellFormed()) return JSON.stringify(value);
  throw new ActionError(where, 'is no well-formed text');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value);
}

/** The values of each form that has few, as they are written. */
function wordsOf({ enums }: SigningContract) {
  const words = (...values: readonly unknown[]): ReadonlyMap<unknown, string> =>
    new Map(values.map((value) => [value, JSON.stringify(value)]));
  return {
    boolean: words(true, false),
    side: words('Bid', 'Ask'),
    book: words('YES', 'NO', null),
    timeInForce: words('gtc', 'ioc', 'fok', 'post_only'),
    stpMode: words('cancel_maker', 'cancel_taker', 'reject', 'skip_self', null),
    triggerDirection: words(...enums.triggerDirection),
    conditionalKind: words(...enums.conditionalKind),
  };
}
