/**
 * What the rest of the bridge sees of the signer. An action goes in as its canonical bytes; the signer reads the
 * typed action out of them, writes the bytes itself, applies its policy, records nonce and digest, and signs.
 */
import type { Account } from '../domain/units.ts';
import type { Signature } from './action.ts';
import type { MadeAction } from './made-action.ts';
import type { Warrant } from './nonce-types.ts';
import type { Scheme } from './scheme.ts';

export interface SignRequest {
  readonly canonical: Uint8Array;
  /** What they are the bytes of, for a signer that shares its memory with the caller. */
  readonly made?: MadeAction;
  readonly scheme: Scheme;
  /** Set where the nonce was signed before, for an action that is dead or that a cancel is to fence off. */
  readonly supersedes: { readonly digest: string; readonly proof: Warrant } | null;
}

/** In the order of their numbers on the wire, from 1. */
export const signRefusals = [
  /** No canonical bytes of an action, or not the ones that the signer would write. */
  'unreadable',
  'policy',
  'rate',
  'expired',
  /** The nonce was signed for another action: an alarm. `digest` says which. */
  'other_digest',
  'nonce_too_old',
  /** Nothing was recorded, so nothing was signed. */
  'not_recorded',
  /** The signer did not answer in time; the action was never handed on. */
  'unavailable',
] as const;
export type SignRefusal = (typeof signRefusals)[number];

export type SignResult =
  | { readonly kind: 'signed'; readonly digest: Uint8Array; readonly signature: Signature }
  | {
      readonly kind: 'refused';
      readonly code: SignRefusal;
      readonly text: string;
      /**
       * The digest that the nonce was signed for before, hex, and still is: with `other_digest`, and with `unavailable`
       * where the request superseded one and never reached the signer.
       */
      readonly digest: string | null;
    };

export interface Signer {
  /** Requests are recorded in the order of the calls. Never rejects: a fault is a refusal. */
  sign(request: SignRequest): Promise<SignResult>;
  /**
   * Where the signer is told: by nonce the digests, in hex, that the journal of the account holds. Before anything is
   * signed for it.
   */
  recall?(account: Account, digests: ReadonlyMap<number, string>): void;
  /** The address of the key that signs for each account. */
  readonly keys: ReadonlyMap<Account, Account>;
  close(): Promise<void>;
}

export function refusal(code: SignRefusal, text: string, digest: string | null = null): SignResult {
  return { kind: 'refused', code, text, digest };
}
