/**
 * An action with the bytes that our own encoder wrote of it, and their hash. Nothing else makes one, so a signer that
 * shares its memory with the caller need neither read nor write those bytes again (docs/decisions/0042-the-signer.md).
 */
import { hexOf } from '../runtime/hex.ts';
import type { ActionEnvelope } from './action.ts';
import type { Blake3 } from './blake3.ts';
import { CanonicalEncoder } from './canonical.ts';
import { Derivation } from './digest.ts';
import type { SigningContract } from './signing-contract.ts';

export interface ActionMaker {
  readonly derivation: Derivation;
  make(envelope: ActionEnvelope): MadeAction;
}

export class MadeAction {
  readonly contract: SigningContract;
  readonly envelope: ActionEnvelope;
  readonly canonical: Uint8Array;
  /** The same as text. */
  readonly text: string;
  /** The 32 bytes that are signed. */
  readonly digest: Uint8Array;
  /** The same as 64 hex digits. */
  readonly hash: string;

  static maker(contract: SigningContract, blake3: Blake3): ActionMaker {
    const encoder = new CanonicalEncoder(contract);
    const derivation = new Derivation(contract, blake3);
    const make = (envelope: ActionEnvelope) => {
      const canonical = encoder.encode(envelope).slice();
      return new MadeAction(contract, envelope, canonical, derivation.actionHash(canonical));
    };
    return { derivation, make };
  }

  private constructor(
    contract: SigningContract,
    envelope: ActionEnvelope,
    canonical: Uint8Array,
    digest: Uint8Array,
  ) {
    this.contract = contract;
    this.envelope = envelope;
    this.canonical = canonical;
    this.text = Buffer.from(canonical.buffer, canonical.byteOffset, canonical.length).toString();
    this.digest = digest;
    this.hash = hexOf(digest);
  }
}
