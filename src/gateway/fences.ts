/**
 * Fences (docs/decisions/0196-a-late-action-is-fenced-off.md, contract G22): a cancel of an order that has ended, under
 * the nonce of an action whose outcome nobody knows. The venue takes one action a nonce. Once it has taken the fence, the
 * other can never be applied; while it refuses the fence, the other may be there, and is looked for.
 */
import type { OrderId } from '../domain/units.ts';
import type { Turns } from '../store/turns.ts';
import type { SignedSend } from '../venue/action-json.ts';
import type { Found, Outcome } from '../venue/submission.ts';
import type { ErrandParts } from './errand.ts';

export type FenceParts = Pick<
  ErrandParts,
  'account' | 'maker' | 'nonces' | 'scheme' | 'signer' | 'submitter' | 'clock'
> & {
  readonly turns: Pick<Turns, 'run' | 'after'>;
  /** An order that has ended, for a cancel that must do nothing; null where none is known, or the venue's rule is not. */
  readonly endedOrderId: () => OrderId | null;
  /** Inside a turn: what it changes is recorded at its end. */
  readonly join: () => void;
};

const notKnown: Found = { kind: 'nothing' };

export class Fences {
  readonly #parts: FenceParts;
  /** By the action that they fence off, and no longer than that is of use: signed once, however often they are sent. */
  readonly #fences = new WeakMap<SignedSend, SignedSend>();

  constructor(parts: FenceParts) {
    this.#parts = parts;
  }

  async fence(fenced: SignedSend): Promise<Found> {
    const send = this.#fences.get(fenced) ?? (await this.#made(fenced));
    if (send === undefined) return notKnown;
    this.#fences.set(fenced, send);
    const { outcome } = await this.#parts.submitter.submit({ send, priority: 'cancel' });
    if (outcome.nonce.nonceConsumed === true) this.#consumed(send);
    return isTaken(outcome) ? { kind: 'fenced' } : notKnown;
  }

  /** The stream tells it, too, but the other's owner has waited long enough. */
  #consumed({ nonce }: SignedSend): void {
    const { join, nonces, turns } = this.#parts;
    turns.run(() => {
      join();
      nonces.consumed(Number(nonce));
    });
  }

  /** Recorded, then signed. */
  async #made({ nonce, hash }: SignedSend): Promise<SignedSend | undefined> {
    const { account, clock, join, maker, nonces, scheme, signer, turns } = this.#parts;
    const order_id = this.#parts.endedOrderId();
    if (order_id === null) return undefined;
    const action = { kind: 'Cancel', order_id } as const;
    const ts = clock.now().wallMs;
    const made = maker.make({ account, nonce, nonce_reservation_id: null, ts, action });
    await new Promise<void>((resolve) => {
      turns.run(() => {
        join();
        nonces.signed(Number(nonce), made.hash);
        turns.after(resolve);
      });
    });
    const supersedes = { digest: hash, proof: 'fence' } as const;
    const { canonical, text } = made;
    const signed = await signer.sign({ canonical, made, scheme, supersedes });
    if (signed.kind === 'refused') return undefined;
    const { signature } = signed;
    return { account, nonce, canonical: text, hash: made.hash, signature };
  }
}

/** Only what the venue says of the fence itself counts: of a nonce in use nobody knows who used it. */
function isTaken(outcome: Outcome): boolean {
  return outcome.kind === 'accepted' || outcome.nonce.nonceConsumed === true;
}
