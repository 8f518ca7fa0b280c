/** The start-up proof that our bytes are the venue's: every vector of the profile is recomputed (contract R17, G10). */
import { maxU64 } from '../domain/units.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalEncoder } from './canonical.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import type { GoldenVector, SigningContract } from './signing-contract.ts';

/** One byte of a vector is not as the profile says: nothing that is signed with it can be trusted. */
export class GoldenVectorError extends Error {}

/** Throws, naming the vector and what differs. */
export function checkGoldenVectors(contract: SigningContract, blake3: Blake3): void {
  const check = new VectorCheck(contract, blake3);
  for (const vector of contract.signing.goldenVectors) check.run(vector);
}

class VectorCheck {
  readonly #encoder: CanonicalEncoder;
  readonly #reader: CanonicalReader;
  readonly #derivation: Derivation;

  constructor(contract: SigningContract, blake3: Blake3) {
    this.#encoder = new CanonicalEncoder(contract, maxU64);
    this.#reader = new CanonicalReader(contract);
    this.#derivation = new Derivation(contract, blake3);
  }

  run({ name, canonical, actionHash, orderId, legIds }: GoldenVector): void {
    const differs = (what: string, expected: string, actual: string) => {
      if (expected === actual) return;
      const text = `golden vector ${name}: ${what} is ${actual}, the profile says ${expected}`;
      throw new GoldenVectorError(text);
    };
    const bytes = Uint8Array.from(
      this.#encoder.encode(this.#reader.read(new TextEncoder().encode(canonical))),
    );
    differs('canonical', canonical, new TextDecoder().decode(bytes));
    const hash = Buffer.from(this.#derivation.actionHash(bytes)).toString('hex');
    differs('actionHash', actionHash, `0x${hash}`);
    if (orderId !== undefined) differs('orderId', orderId, this.#derivation.orderId(bytes));
    for (const [index, legId] of (legIds ?? []).entries()) {
      if (legId !== null) {
        differs(`legIds[${index}]`, legId, this.#derivation.legOrderId(bytes, index));
      }
    }
  }
}
