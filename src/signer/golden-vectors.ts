/** The start-up proof that our bytes are the venue's: every vector of the profile is recomputed (contract R17, G10). */
import type { Blake3 } from './blake3.ts';
import { CanonicalReader } from './canonical-reader.ts';
import { Derivation } from './digest.ts';
import type { SigningContract } from './signing-contract.ts';

/** A vector differs from the profile, so no signature can be trusted. */
export class GoldenVectorError extends Error {}

/** Throws, naming the vector and what differs. */
export function checkGoldenVectors(contract: SigningContract, blake3: Blake3): void {
  const reader = new CanonicalReader(contract);
  const derivation = new Derivation(contract, blake3);
  for (const { name, canonical, actionHash, orderId, legIds = [] } of contract.signing
    .goldenVectors) {
    const differs = (what: string, expected: string, actual: string) => {
      if (expected === actual) return;
      const text = `golden vector ${name}: ${what} is ${actual}, the profile says ${expected}`;
      throw new GoldenVectorError(text);
    };
    const bytes = new TextEncoder().encode(canonical);
    // Throws where the encoder of this contract would write other bytes.
    reader.read(bytes);
    const hash = Buffer.from(derivation.actionHash(bytes)).toString('hex');
    differs('actionHash', actionHash, `0x${hash}`);
    if (orderId !== undefined) differs('orderId', orderId, derivation.orderId(bytes));
    for (const [index, legId] of legIds.entries()) {
      if (legId !== null) {
        differs(`legIds[${index}]`, legId, derivation.legOrderId(bytes, index));
      }
    }
  }
}
