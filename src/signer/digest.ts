/** Hashes over canonical bytes: what is signed, and the ids that the venue derives (contract A.10, G02, G15). */
import type { OrderId } from '../domain/units.ts';
import { hexOf } from '../runtime/hex.ts';
import type { ActionEnvelope } from './action.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalEncoder, maxCanonicalBytes } from './canonical.ts';
import type { SigningContract } from './signing-contract.ts';

type ChildIndex = SigningContract['orderId']['leg'];

/** A buffer that begins with the domain for good; what is hashed under it is copied behind. */
interface Domain {
  readonly buffer: Uint8Array;
  readonly length: number;
}

export class Derivation {
  readonly #blake3: Blake3;
  readonly #action: Domain;
  readonly #order: Domain;
  readonly #leg: ChildIndex;
  readonly #nested: CanonicalEncoder;

  constructor(contract: SigningContract, blake3: Blake3) {
    const { domains } = contract.signing;
    this.#blake3 = blake3;
    this.#action = domainOf(domains.action, contract.service.name);
    this.#order = domainOf(domains.orderId, contract.service.name);
    this.#leg = contract.orderId.leg;
    this.#nested = new CanonicalEncoder(contract);
  }

  /** The 32 bytes that are signed. */
  actionHash(canonical: Uint8Array): Uint8Array {
    return this.#hash(this.#action, canonical);
  }

  /** The id of a placed order, and of the parent of an algo or a stored conditional. */
  orderId(canonical: Uint8Array): OrderId {
    return toOrderId(this.#hash(this.#order, canonical));
  }

  /** The id of leg `index` of a quote replace; legs that only cancel count, too. */
  legOrderId(canonical: Uint8Array, index: number): OrderId {
    return toOrderId(this.#hash(this.#order, canonical, childBytes(this.#leg, index)));
  }

  /** The order that a stored conditional will place: its own envelope decides the id. */
  triggeredOrderId(nested: ActionEnvelope): OrderId {
    return this.orderId(this.#nested.encode(nested));
  }

  #hash(domain: Domain, canonical: Uint8Array, suffix?: Uint8Array): Uint8Array {
    const { buffer } = domain;
    buffer.set(canonical, domain.length);
    let length = domain.length + canonical.length;
    if (suffix !== undefined) {
      buffer.set(suffix, length);
      length += suffix.length;
    }
    return this.#blake3(buffer.subarray(0, length));
  }
}

/** Room behind the canonical bytes for the index of a child. */
const suffixBytes = 20;

function domainOf(template: string, serviceName: string): Domain {
  const name = new TextEncoder().encode(template.replaceAll('{NAME}', serviceName));
  const buffer = new Uint8Array(name.length + maxCanonicalBytes + suffixBytes);
  buffer.set(name);
  return { buffer, length: name.length };
}

/** The orders that an action creates: one, one for each leg (null where a leg only cancels), or none. */
export type NewOrders =
  | { readonly kind: 'none' }
  | { readonly kind: 'order'; readonly orderId: OrderId }
  | { readonly kind: 'legs'; readonly legIds: readonly (OrderId | null)[] }
  | { readonly kind: 'conditional'; readonly orderId: OrderId; readonly triggeredId: OrderId };

export function newOrders(
  derivation: Derivation,
  { action }: ActionEnvelope,
  canonical: Uint8Array,
): NewOrders {
  switch (action.kind) {
    case 'SpotPlaceOrder':
    case 'PlaceOrder':
    case 'PlaceAlgoOrder':
      return { kind: 'order', orderId: derivation.orderId(canonical) };
    case 'SpotQuoteReplace':
    case 'QuoteReplace': {
      const legIds = action.legs.map(({ qty }, index) =>
        qty === 0n ? null : derivation.legOrderId(canonical, index),
      );
      return { kind: 'legs', legIds };
    }
    case 'PlaceConditionalOrder':
      return {
        kind: 'conditional',
        orderId: derivation.orderId(canonical),
        triggeredId: derivation.triggeredOrderId(action.signed_trigger_order.payload),
      };
    case 'Cancel':
    case 'AmendOrder':
    case 'CancelAlgoOrder':
    case 'CancelConditionalOrder':
      return { kind: 'none' };
  }
}

function toOrderId(hash: Uint8Array): OrderId {
  return `0x${hexOf(hash)}` as OrderId;
}

function childBytes({ base, encoding }: ChildIndex, index: number): Uint8Array {
  const number = index + base;
  if (encoding === 'ascii') return new TextEncoder().encode(String(number));
  const bytes = new DataView(new ArrayBuffer(encoding.startsWith('u32') ? 4 : 8));
  const isLittle = encoding.endsWith('le');
  if (bytes.byteLength === 4) bytes.setUint32(0, number, isLittle);
  else bytes.setBigUint64(0, BigInt(number), isLittle);
  return new Uint8Array(bytes.buffer);
}
