/**
 * One key and its location: in this process, in a token (`token-key.ts`) or at a remote service (`kms-key.ts`). Those
 * elsewhere give a different signature each time, with a high s as often as not and without a recovery id; all of them
 * are converted to the one form that the venue accepts (docs/decisions/0275-keys-outside-the-process.md).
 */
import { type Ecdsa, lowS } from './ecdsa.ts';

export interface KeyHolder {
  /** 65 bytes, uncompressed. */
  readonly publicKey: Uint8Array;
  /** Why it cannot sign at present; undefined if it can. */
  readonly problem: string | undefined;
  /** r, s and v of a digest, with a low s and v 0 or 1. From elsewhere a promise, which a `KeyFailure` rejects. */
  sign(digest: Uint8Array): Uint8Array | Promise<Uint8Array>;
  close(): void;
}

/** The key did not sign; the message is for the operator and has nothing secret in it. */
export class KeyFailure extends Error {}

/** A remote signature must arrive before the bridge gives up after 500 ms, so that the answer can give the reason. */
export const patienceMs = 400;
/** Digests that wait for one key elsewhere; beyond, requests are refused before anything is recorded. */
export const mostWaiting = 256;

export function localKey(ecdsa: Ecdsa, secretKey: Uint8Array): KeyHolder {
  let isClosed = false;
  return {
    publicKey: ecdsa.publicKey(secretKey),
    get problem() {
      return isClosed ? 'it is closed' : undefined;
    },
    // A ledger that is slow may have recorded an action for a key that was replaced long ago.
    sign: (digest) =>
      isClosed ? Promise.reject(new KeyFailure('it is closed')) : ecdsa.sign(digest, secretKey),
    close() {
      isClosed = true;
      secretKey.fill(0);
    },
  };
}

/** Adds the recovery id to r and s. A signature that does not recover to the key is of another key or digest. */
export function completed(
  ecdsa: Ecdsa,
  publicKey: Uint8Array,
  digest: Uint8Array,
  rAndS: Uint8Array,
): Uint8Array {
  if (rAndS.length !== 64) {
    throw new KeyFailure(`a signature has 64 bytes, and ${rAndS.length} came`);
  }
  const signature = new Uint8Array(65);
  signature.set(lowS(rAndS));
  for (const recoveryId of [0, 1]) {
    signature[64] = recoveryId;
    const found = ecdsa.recover(digest, signature);
    if (found !== undefined && Buffer.compare(found, publicKey) === 0) return signature;
  }
  throw new KeyFailure('what came is no signature of this key for this action');
}
