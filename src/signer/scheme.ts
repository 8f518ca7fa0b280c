/** The two signature schemes of the venue over one 32-byte hash, and who signed (contract A.4, G09, G13). */
import { keccak_256 } from '@noble/hashes/sha3.js';
import type { Account } from '../domain/units.ts';
import type { Signature } from './action.ts';
import { type Ecdsa, hasLowS } from './ecdsa.ts';
import type { SigningContract } from './signing-contract.ts';

export const schemes = ['ecdsa', 'eip191'] as const;
export type Scheme = (typeof schemes)[number];

const personalSign = new TextEncoder().encode('\x19Ethereum Signed Message:\n32');

/** The 32 bytes that the key signs for a hash. */
export function signedDigest(scheme: Scheme, hash: Uint8Array): Uint8Array {
  return scheme === 'ecdsa' ? hash : keccak_256(Buffer.concat([personalSign, hash]));
}

/** In the venue's form; `bytes` are r, s and v of `signedDigest`. */
export function signatureOf(
  { vEncoding, schemes: names }: SigningContract['signing'],
  scheme: Scheme,
  bytes: Uint8Array,
): Signature {
  if (vEncoding === '27/28') bytes[64] = (bytes[64] ?? 0) + 27;
  return { scheme: names[scheme], bytes };
}

/** The address that signed, or the fault of the signature. v may be 0, 1, 27 or 28, independently of what we send. */
export function signerOf(
  { requireLowS, schemes: names }: SigningContract['signing'],
  ecdsa: Ecdsa,
  hash: Uint8Array,
  { scheme, bytes }: Signature,
): { readonly address: Account } | { readonly problem: string } {
  const known = schemes.find((candidate) => names[candidate] === scheme);
  if (known === undefined) return { problem: `no signature scheme ${scheme.slice(0, 40)}` };
  if (bytes.length !== 65) return { problem: `a signature has 65 bytes, not ${bytes.length}` };
  const v = bytes[64] ?? 0;
  const recoveryId = v >= 27 ? v - 27 : v;
  if (recoveryId !== 0 && recoveryId !== 1) return { problem: `v is ${v}, not 0, 1, 27 or 28` };
  if (requireLowS && !hasLowS(bytes)) return { problem: 's is not in the lower half' };
  const normal = Uint8Array.from(bytes);
  normal[64] = recoveryId;
  const publicKey = ecdsa.recover(signedDigest(known, hash), normal);
  if (publicKey === undefined) return { problem: 'no key can have made the signature' };
  return { address: addressOf(publicKey) };
}

/** Addresses of the keys that were seen last, because few keys sign most of what is checked. */
const knownAddresses = new Map<string, Account>();
const maxKnownAddresses = 1024;

/** The last 20 bytes of keccak256 over the public key without its prefix. */
export function addressOf(publicKey: Uint8Array): Account {
  const key = Buffer.from(publicKey).toString('latin1');
  const known = knownAddresses.get(key);
  if (known !== undefined) return known;
  const hash = keccak_256(publicKey.subarray(1));
  const address = `0x${Buffer.from(hash.subarray(12)).toString('hex')}` as Account;
  if (knownAddresses.size >= maxKnownAddresses) knownAddresses.clear();
  knownAddresses.set(key, address);
  return address;
}
