/**
 * What the rest of the bridge sees of the signer. An action goes in as its canonical bytes; the signer reads the
 * typed action out of them, writes the bytes itself, applies its policy, records nonce and digest, and signs.
 */
import type { Account } from '../domain/units.ts';
import type { Signature } from './action.ts';
import type { MadeAction } from './made-action.ts';
import type { Scheme } from './scheme.ts';

export interface SignRequest {
  readonly canonical: Uint8Array;
  /** What they are the bytes of, for a signer that shares its memory with the caller. */
  readonly made?: MadeAction;
  readonly scheme: Scheme;
  /** A key that the venue has refused: if the account has another one, that signs. */
  readonly refusedKey?: Account | undefined;
}

/** In the order of their numbers on the wire, from 1. */
export const signRefusals = [
  /** No canonical bytes of an action, or not the ones that the signer would write. */
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
  /** The signer was never asked. */
  'unavailable',
  /** The signer or its key was asked and did not answer in time, so it may be recorded and signed. Nothing was handed on. */
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
   * What the journal of the account knows, before anything is signed for it: the nonce floor, and by nonce the digests of placing
   * actions, in hex.
   */
  recall(account: Account, floor: number, digests: ReadonlyMap<number, string>): void;
  /** The address of the key that signs for each account; of two, the newer one. */
  readonly keys: ReadonlyMap<Account, Account>;
  /** Reads the keys of its configuration again; a signer elsewhere has its own way. Rejects, and changes nothing, if they do not fit. */
  reload?(): Promise<void>;
  close(): Promise<void>;
}

export function refusal(code: SignRefusal, text: string): SignResult {
  return { kind: 'refused', code, text };
}
