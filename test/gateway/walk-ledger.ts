/** What the signer of a random walk (`core-walk.ts`) has recorded: one placing action for each nonce (decision 0285). */
import { doubtfulRefusals, type SignRefusal } from '../../src/signer/signer.ts';

interface Recorded {
  readonly hash: string;
  /** How often it may have been recorded. */
  times: number;
}

/** Why it does not sign. It has no other action for a nonce, because none is asked for. */
export const refusals = [
  ...(['unavailable', 'unavailable', 'unavailable', 'unanswered', 'unanswered'] as const),
  ...(['not_recorded', 'rate', 'paused', 'policy', 'expired'] as const),
] as const satisfies readonly SignRefusal[];

export class WalkLedger {
  readonly #recorded = new Map<number, Recorded>();
  readonly #fault: (text: string) => void;

  constructor(fault: (text: string) => void) {
    this.#fault = fault;
  }

  asked(nonce: number, hash: string): void {
    const recorded = this.#recorded.get(nonce) ?? { hash, times: 0 };
    if (recorded.hash !== hash)
      this.#fault(`a second placement is to be signed for nonce ${nonce}`);
    recorded.times += 1;
    this.#recorded.set(nonce, recorded);
  }

  /** What it has recorded before it failed, or an earlier time, stays. */
  refused(nonce: number, hash: string, code: SignRefusal): void {
    const recorded = this.#recorded.get(nonce);
    if (recorded?.hash !== hash || doubtfulRefusals.has(code)) return;
    recorded.times -= 1;
    if (recorded.times === 0) this.#recorded.delete(nonce);
  }
}
