/**
 * Proofs that a password was right before, so that it is accepted without scrypt. A guess costs little against a proof,
 * so proofs are only in memory: of this process, and of the nodes of a cluster, which tell each other
 * (docs/decisions/0220-logons-and-passwords.md).
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { keepLatest } from '../../runtime/keep-latest.ts';
import type { SecretHash } from './secret-hash.ts';

const bytes = (count: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * count}}$`));
export const passwordProof = z.object({
  /** The digest of the stored hash: a changed password has no proof. */
  of: bytes(32),
  salt: bytes(16),
  /** Nobody can make or test it without the stored hash, which is part of its key. */
  mac: bytes(32),
});
export type PasswordProof = z.output<typeof passwordProof>;

/** Far more than a cluster has users. */
export const maxProofs = 10_000;

export class PasswordProofs {
  /** By stored hash, the oldest first. */
  readonly #proofs = new Map<string, PasswordProof>();
  readonly #onProof: (proof: PasswordProof) => void;

  /** `onProof` is called with each proof that this process has made. */
  constructor(onProof: (proof: PasswordProof) => void = () => {}) {
    this.#onProof = onProof;
  }

  get all(): readonly PasswordProof[] {
    return [...this.#proofs.values()];
  }

  /** The password has just been found to be right. */
  add(password: string, hash: SecretHash): void {
    const salt = randomBytes(16);
    const mac = macOf(password, hash, salt).toString('hex');
    const proof = { of: nameOf(hash), salt: salt.toString('hex'), mac };
    this.take([proof]);
    this.#onProof(proof);
  }

  /** Takes the proofs of another process. */
  take(proofs: Iterable<PasswordProof>): void {
    for (const proof of proofs) keepLatest(this.#proofs, proof.of, proof, maxProofs);
  }

  /** False if the password is wrong or was not given before. */
  has(password: string, hash: SecretHash): boolean {
    const proof = this.#proofs.get(nameOf(hash));
    if (proof === undefined) return false;
    const mac = macOf(password, hash, Buffer.from(proof.salt, 'hex'));
    return timingSafeEqual(mac, Buffer.from(proof.mac, 'hex'));
  }
}

function nameOf({ hash, salt }: SecretHash): string {
  return createHash('sha256').update(salt).update(hash).digest('hex');
}

function macOf(password: string, { hash }: SecretHash, salt: Buffer): Buffer {
  return createHmac('sha256', Buffer.concat([hash, salt]))
    .update(password)
    .digest();
}
