/**
 * Users' passwords at rest: a salted scrypt hash, never the password. The cost is kept at some milliseconds because many
 * clients may come at once; sources that fail are locked out, so guessing stays slow (docs/SECURITY.md).
 *
 *   scrypt$N$r$p$salt$hash      salt and hash in base64url
 */
import { randomBytes, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';

const cost = { N: 4096, r: 8, p: 1 } as const;
/** Whatever a hash file says, no more memory and time than this is spent on it. */
const maxCost = 2 ** 17;
const hashBytes = 32;
const form = /^scrypt\$(\d{1,6})\$(\d{1,2})\$(\d{1,2})\$([\w-]{16,64})\$([\w-]{43})$/;

export interface SecretHash {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export function hashSecret(secret: string, salt = randomBytes(16)): string {
  const hash = scryptSync(secret, salt, hashBytes, cost);
  const { N, r, p } = cost;
  return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Undefined where the text is no such hash, or one that costs too much. */
export function parseSecretHash(text: string): SecretHash | undefined {
  const parts = form.exec(text.trim());
  if (parts === null) return undefined;
  const [, N, r, p, salt = '', hash = ''] = parts;
  const costs = { N: Number(N), r: Number(r), p: Number(p) };
  const isPowerOfTwo = costs.N > 1 && (costs.N & (costs.N - 1)) === 0;
  if (!isPowerOfTwo || costs.r < 1 || costs.p < 1) return undefined;
  // RFC 7914 has no larger N.
  if (costs.N >= 2 ** (16 * costs.r) || costs.N * costs.r * costs.p > maxCost) return undefined;
  return {
    ...costs,
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  };
}

/** Compared where nobody has that name, so that the time of an answer does not tell who is known. */
export const decoy: SecretHash = {
  ...cost,
  salt: randomBytes(16),
  hash: randomBytes(hashBytes),
};

/** On one of the system's threads; what cannot be computed is not right. */
export function isSecret(given: string, { N, r, p, salt, hash }: SecretHash): Promise<boolean> {
  const made = new Promise<Buffer>((resolve, reject) => {
    scrypt(given, salt, hashBytes, { N, r, p }, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
  return made.then(
    (key) => timingSafeEqual(key, hash),
    () => false,
  );
}
