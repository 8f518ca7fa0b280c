/**
 * The signer as the rest of the bridge uses it. An action goes in as its canonical bytes; the signer reads the
 * typed action out of them, writes the bytes itself, applies its policy, records nonce and digest, and signs.
 */
import type { Account } from '../domain/units.ts';
import type { Signature } from './action.ts';
import type { MadeAction } from './made-action.ts';
import type { Scheme } from './scheme.ts';

export interface SignRequest {
  readonly canonical: Uint8Array;
  /** The action of these bytes, for a signer that shares its memory with the caller. */
  readonly made?: MadeAction;
  readonly scheme: Scheme;
  /** A key that the venue has refused: if the account has another one, that signs. */
  readonly refusedKey?: Account | undefined;
}

/** In the order of their wire codes, from 1. */
export const signRefusals = [
  /** Not the canonical bytes of an action, or not those that the signer would write. */
  'unreadable',
  'policy',
  'rate',
  'expired',
  /** A person has stopped all placements at the signer. */
  'paused',
  /** Another placing action was signed with the nonce: an alarm. */
  'other_digest',
  'nonce_too_old',
  /** The record failed, so nothing was signed. */
  'not_recorded',
  /** The signer never got the request. */
  'unavailable',
  /** The signer or its key did not respond in time, so the action may be recorded and signed. Nothing was handed on. */
  'unanswered',
] as const;
export type SignRefusal = (typeof signRefusals)[number];

/** Those that resolve by themselves. */
export const passingRefusals: ReadonlySet<SignRefusal> = new Set([
  'rate',
  'paused',
  'unavailable',
  'unanswered',
  'not_recorded',
]);
/** Those after which the signer may have recorded the digest. */
export const doubtfulRefusals: ReadonlySet<SignRefusal> = new Set(['unanswered', 'not_recorded']);

export type SignResult =
  | {
      readonly kind: 'signed';
      readonly digest: Uint8Array;
      readonly signature: Signature;
      /** The address of the key that signed. */
      readonly key: Account;
    }
  | {
      readonly kind: 'refused';
      readonly code: SignRefusal;
      readonly text: string;
    };

export interface Signer {
  /** Requests are recorded in the order of the calls. Never rejects: a fault is a refusal. */
  sign(request: SignRequest): Promise<SignResult>;
  /**
   * Hands over what the journal of the account has, before anything is signed for it: the nonce floor, and by nonce the
   * digests of placing actions, in hex.
   */
  recall(account: Account, floor: number, digests: ReadonlyMap<number, string>): void;
  /** Why no placement can be signed at the moment, because the signer cannot be reached or cannot record. */
  readonly away?: string | undefined;
  /** The address of the key that signs for each account; of two, the newer one. */
  readonly keys: ReadonlyMap<Account, Account>;
  /** Reads its configured keys again; a remote signer does so separately. If they do not fit, it rejects, unchanged. */
  reload?(): Promise<void>;
  close(): Promise<void>;
}

export function refusal(code: SignRefusal, text: string): SignResult {
  return { kind: 'refused', code, text };
}
