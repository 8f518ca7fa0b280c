/**
 * Passwords are stored as salted scrypt hashes. A new hash costs 128 MiB and some tenths of a second, so somebody who
 * steals the file can try few passwords. Other threads than the trading thread check them, few at a time
 * (docs/decisions/0220-logons-and-passwords.md).
 *
 *   scrypt$N$r$p$salt$hash      salt and hash in base64url
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';

export interface ScryptCost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const standardCost: ScryptCost = { N: 2 ** 17, r: 8, p: 1 };
/** The cost for secrets that protect nothing, such as those of a demo. */
export const lightCost: ScryptCost = { N: 4096, r: 8, p: 1 };

/** The most memory and time that a hash file can demand: those of a new hash. */
const maxWork = workOf(standardCost);
const maxmem = 256 * 1024 ** 2;
const hashBytes = 32;
const form = /^scrypt\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,64})\$([\w-]{43})$/;

export interface SecretHash extends ScryptCost {
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export function hashSecret(secret: string, { N, r, p } = standardCost): string {
  const salt = randomBytes(16);
  const hash = scryptSync(secret, salt, hashBytes, { N, r, p, maxmem });
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Returns undefined if the text is not such a hash, or is too expensive. */
export function parseSecretHash(text: string): SecretHash | undefined {
  const parts = form.exec(text.trim());
  if (parts === null) return undefined;
  const [, N, r, p, salt = '', hash = ''] = parts;
  const costs = { N: Number(N), r: Number(r), p: Number(p) };
  const isPowerOfTwo = costs.N > 1 && (costs.N & (costs.N - 1)) === 0;
  if (!isPowerOfTwo || costs.r < 1 || costs.p < 1) return undefined;
  // RFC 7914 allows no larger N.
  if (costs.N >= 2 ** (16 * costs.r) || workOf(costs) > maxWork) return undefined;
  return {
    ...costs,
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

export function isCheaperThanNew(hash: SecretHash): boolean {
  return workOf(hash) < maxWork;
}

/**
 * A hash for unknown names that costs as much as the most expensive of these, so that response times do not reveal
 * which names exist. Undefined if there are no passwords.
 */
export function decoyOf(hashes: Iterable<SecretHash>): SecretHash | undefined {
  const [costliest] = [...hashes].sort((a, b) => workOf(b) - workOf(a));
  return costliest && { ...costliest, salt: randomBytes(16), hash: randomBytes(hashBytes) };
}

/** Takes some tenths of a second. If the hash cannot be computed, the password counts as wrong. */
export function isSecret(given: string, { N, r, p, salt, hash }: SecretHash): boolean {
  try {
    return timingSafeEqual(scryptSync(given, salt, hashBytes, { N, r, p, maxmem }), hash);
  } catch {
    return false;
  }
}

function workOf({ N, r, p }: ScryptCost): number {
  return N * r * p;
}
