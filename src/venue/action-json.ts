/**
 * Formats a signed action for the venue's HTTP parsers (contract A.4, A.9, G68). The members are the canonical bytes
 * themselves, so nothing is encoded twice; only place orders have other member names as input.
 */
import type { Account } from '../domain/units.ts';
import type { Signature } from '../signer/action.ts';
import type { HttpRequest } from './http-client.ts';

/** One signed action, ready to send; J1 has recorded it. */
export interface SignedSend {
  readonly account: Account;
  readonly nonce: bigint;
  /** The canonical bytes as text. */
  readonly canonical: string;
  /** The 32 bytes that were signed, in hex without 0x. */
  readonly hash: string;
  readonly signature: Signature;
  /** Set if another key than the preferred one signed; such bytes need another Idempotency-Key (decision 0296). */
  readonly otherKey?: Account | undefined;
  /** The request, prepared before its record was durable. */
  readonly request?: HttpRequest;
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

/** A place order within its action member. Its values contain no braces, and its strings no unescaped quotes. */
const placeOrder = /"action":\{"(SpotPlaceOrder|PlaceOrder)":\{([^}]*)\}/;
const inputName = new RegExp(`"(${Object.keys(inputNames).join('|')})":`, 'g');

const digits = Buffer.alloc(1024);
const [zero, comma] = [48, 44];

export function signedActionJson(
  { canonical, signature }: Pick<SignedSend, 'canonical' | 'signature'>,
  names: 'documented' | 'canonical',
): string {
  const payload = names === 'canonical' ? canonical : withInputNames(canonical);
  const bytes = listOf(signature.bytes);
  const scheme = JSON.stringify(signature.scheme);
  return `{"payload":${payload},"signature":{"scheme":${scheme},"bytes":[${bytes}]}}`;
}

/** Concatenates the parts in a third of the time that join takes. */
function listOf(bytes: Uint8Array): string {
  let at = 0;
  for (const byte of bytes) {
    if (byte >= 100) digits[at++] = zero + Math.trunc(byte / 100);
    if (byte >= 10) digits[at++] = zero + (Math.trunc(byte / 10) % 10);
    digits[at++] = zero + (byte % 10);
    digits[at++] = comma;
  }
  return digits.toString('latin1', 0, Math.max(0, at - 1));
}

function withInputNames(envelope: string): string {
  return envelope.replace(placeOrder, (_, tag: keyof typeof inputTags, fields: string) => {
    const renamed = fields.replace(inputName, (_, name: string) => `"${inputNames[name]}":`);
    return `"action":{"${inputTags[tag]}":{${renamed}}`;
  });
}

const tagStart = '"action":{"';
const madeAt = /"ts":(\d+),"action":\{"/;

/** Whether an action only cancels. */
export function isCancel(canonical: string): boolean {
  const at = canonical.indexOf(tagStart);
  if (at < 0) throw new Error('this is not canonical text');
  return canonical.startsWith('Cancel', at + tagStart.length);
}

/** The time in the action's envelope. */
export function madeAtMs(canonical: string): number {
  const [, ts] = madeAt.exec(canonical) ?? [];
  if (ts === undefined) throw new Error('this is not canonical text');
  return Number(ts);
}

/** The body of a JSON batch (contract A.13): version 1, each action with its own signature. */
export function batchJson(actions: readonly string[], idempotencyKey: string): string {
  return `{"version":1,"actions":[${actions.join(',')}],"idempotencyKey":"${idempotencyKey}"}`;
}
