/**
 * Turns canonical bytes back into a typed action. The action is written again and must give the same bytes, so only the
 * one canonical form is read, and an action that was read is exactly the action that the bytes describe.
 */
import { type maxSafeAtoms, maxU64 } from '../domain/units.ts';
import {
  type Action,
  type ActionEnvelope,
  ActionError,
  actionKinds,
  type ShapeName,
} from './action.ts';
import { CanonicalEncoder, maxCanonicalBytes, mayLackBook } from './canonical.ts';
import {
  type FieldForm,
  type FieldName,
  fieldForms,
  type SigningContract,
} from './signing-contract.ts';

type Members = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class CanonicalReader {
  readonly #contract: SigningContract;
  readonly #encoder: CanonicalEncoder;

  /** `maxInteger` as in the encoder. */
  constructor(contract: SigningContract, maxInteger: typeof maxSafeAtoms | typeof maxU64 = maxU64) {
    this.#contract = contract;
    this.#encoder = new CanonicalEncoder(contract, maxInteger);
  }

  read(canonical: Uint8Array): ActionEnvelope {
    if (canonical.length > maxCanonicalBytes) {
      throw new ActionError('action', `is longer than ${maxCanonicalBytes} canonical bytes`);
    }
    const envelope = this.#envelope(parsed(canonical), '');
    if (Buffer.compare(this.#encoder.encode(envelope), canonical) === 0) return envelope;
    throw new ActionError('action', 'is not in canonical form');
  }

  /** The encoder checks each value, so that they need only have the types of an envelope here. */
  #envelope(json: unknown, where: string): ActionEnvelope {
    const { account, nonce, nonce_reservation_id, client_order_id, ts, action } = members(
      json,
      where,
    );
    const byKind = members(action, `${where}action`);
    const kind = actionKinds.find((name) => Object.hasOwn(byKind, name));
    if (kind === undefined) throw new ActionError(`${where}action`, 'has no known name');
    const fields = this.#fields(kind, byKind[kind], where);
    return {
      account,
      nonce: amount(nonce),
      nonce_reservation_id,
      ...(client_order_id !== undefined && { client_order_id }),
      ts: count(ts, `${where}ts`),
      action: { kind, ...fields } as Action,
    } as ActionEnvelope;
  }

  #fields(shape: ShapeName, json: unknown, where: string): Members {
    const written = members(json, where + shape);
    const fields: Record<string, unknown> = {};
    for (const name of this.#contract.variants[shape]) {
      fields[name] = this.#value(fieldForms[name], written[name], shape, where + name);
    }
    return fields;
  }

  #value(form: FieldForm, value: unknown, shape: ShapeName, where: string): unknown {
    switch (form) {
      case 'amount':
        return amount(value);
      case 'count':
        return count(value, where);
      case 'book':
        return value === undefined && mayLackBook(shape) ? null : value;
      case 'expiry':
        return this.#expiry(value);
      case 'legs': {
        const leg = shape === 'SpotQuoteReplace' ? 'SpotLeg' : 'OutcomeLeg';
        return list(value, where).map((one, index) =>
          this.#fields(leg, one, `${where}[${index}].`),
        );
      }
      case 'strategy':
        return this.#strategy(members(value, where), `${where}.`);
      case 'signedAction': {
        const { payload, signature } = members(value, where);
        const { scheme, bytes } = members(signature, `${where}.signature`);
        return {
          payload: this.#envelope(payload, `${where}.payload.`),
          signature: {
            scheme,
            bytes: Uint8Array.from(list(bytes, `${where}.signature.bytes`) as number[]),
          },
        };
      }
      default:
        return value;
    }
  }

  #strategy({ kind, ...params }: Members, where: string): unknown {
    if (typeof kind !== 'string' || !Object.hasOwn(this.#contract.strategies, kind)) {
      throw new ActionError(`${where}kind`, 'has no known name');
    }
    const typed = Object.entries(params).map(([name, value]) => [
      name,
      fieldForms[name as FieldName] === 'count' ? count(value, where + name) : amount(value),
    ]);
    return { kind, ...Object.fromEntries(typed) };
  }

  #expiry(value: unknown): unknown {
    const { expiresAt } = this.#contract.types;
    if (expiresAt === 'unix_s' && typeof value === 'number') return value * 1000;
    return expiresAt === 'rfc3339' && typeof value === 'string' ? Date.parse(value) : value;
  }
}

function parsed(canonical: Uint8Array): unknown {
  try {
    const text = decoder.decode(canonical);
    // Few actions have an integer that a number may not hold, and to look at every value takes twice the time.
    return JSON.parse(text, /:\d{16}/.test(text) ? exact : undefined);
  } catch (error) {
    throw new ActionError('action', `is no JSON: ${(error as Error).message}`);
  }
}

/** An integer that a number does not hold exactly is a bigint. */
function exact(_key: string, value: unknown, context?: { readonly source: string }): unknown {
  const isLong = typeof value === 'number' && !Number.isSafeInteger(value);
  return isLong ? BigInt(context?.source ?? '') : value;
}

function amount(value: unknown): unknown {
  return Number.isSafeInteger(value) ? BigInt(value as number) : value;
}

function count(value: unknown, where: string): unknown {
  if (typeof value === 'bigint') throw new ActionError(where, `${value} is over 2^53-1`);
  return value;
}

function members(json: unknown, where: string): Members {
  if (typeof json === 'object' && json !== null) return json as Members;
  throw new ActionError(where, 'is no object');
}

function list(json: unknown, where: string): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw new ActionError(where, 'is no list');
}
