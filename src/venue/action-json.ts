/**
 * A signed action as the venue's HTTP parsers take it (contract A.4, A.9, G68). The members are the canonical bytes
 * themselves, so nothing is encoded twice; only place orders have input names of their own.
 */
import type { Account } from '../domain/units.ts';
import type { Signature } from '../signer/action.ts';

/** One signed action, ready to send: what J1 has recorded. */
export interface SignedSend {
  readonly account: Account;
  readonly nonce: bigint;
  readonly canonical: Uint8Array;
  /** The 32 bytes that were signed. */
  readonly actionHash: Uint8Array;
  readonly signature: Signature;
}

const inputTags = { SpotPlaceOrder: 'SpotPlaceOrder', PlaceOrder: 'OutcomePlaceOrder' } as const;
const inputNames: Readonly<Record<string, string>> = {
  market: 'marketId',
  book: 'outcome',
  stp_mode: 'stpMode',
  time_in_force: 'timeInForce',
  is_market: 'isMarket',
  reduce_only: 'reduceOnly',
  expires_at: 'expiresAt',
};

/** A place order within its action member; its values hold no braces, and JSON strings no bare quotes. */
const placeOrder = /"action":\{"(SpotPlaceOrder|PlaceOrder)":\{([^}]*)\}/;
const fieldName = /"(\w+)":/g;
const byteTexts = Array.from({ length: 256 }, (_, byte) => String(byte));

export function signedActionJson(
  { canonical, signature }: SignedSend,
  names: 'documented' | 'canonical',
): string {
  const envelope = Buffer.from(canonical.buffer, canonical.byteOffset, canonical.length).toString();
  const payload = names === 'canonical' ? envelope : withInputNames(envelope);
  let bytes = '';
  for (const byte of signature.bytes) bytes += `,${byteTexts[byte]}`;
  const scheme = JSON.stringify(signature.scheme);
  return `{"payload":${payload},"signature":{"scheme":${scheme},"bytes":[${bytes.slice(1)}]}}`;
}

function withInputNames(envelope: string): string {
  return envelope.replace(placeOrder, (_, tag: keyof typeof inputTags, fields: string) => {
    const renamed = fields.replace(fieldName, (whole, name: string) => {
      const input = inputNames[name];
      return input === undefined ? whole : `"${input}":`;
    });
    return `"action":{"${inputTags[tag]}":{${renamed}}`;
  });
}

const seen = /"ts":(\d+),"action":\{"(\w+)"/;

/** What sending needs to know of an action: when it was made, and whether it only cancels. */
export function glance(canonical: Uint8Array): { readonly ts: number; readonly isCancel: boolean } {
  const { buffer, byteOffset, length } = canonical;
  const [, ts, kind] = Buffer.from(buffer, byteOffset, length).toString('latin1').match(seen) ?? [];
  if (ts === undefined || kind === undefined) throw new Error('these are no canonical bytes');
  return { ts: Number(ts), isCancel: kind.startsWith('Cancel') };
}

/** The body of a JSON batch (contract A.13): version 1, each action with its own signature. */
export function batchJson(actions: readonly string[], idempotencyKey: string): string {
  return `{"version":1,"actions":[${actions.join(',')}],"idempotencyKey":"${idempotencyKey}"}`;
}
