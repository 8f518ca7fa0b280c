/**
 * Keeps this thread's event loop from going to sleep while an answer or the disk is awaited, or the next question may
 * come. On a machine that sleeps when it can, waking up takes longer than a signature
 * (docs/decisions/0260-what-costs-more-than-it-earns.md).
 */
const awakeMs = 0.2;

export interface LoopParts {
  readonly nowMs: () => number;
  /** Calls back in the next round of the loop, which then does not wait for anything else. */
  readonly nextRound: (callback: () => void) => void;
}

const ownLoop: LoopParts = {
  nowMs: () => performance.now(),
  nextRound: (callback) => void setImmediate(callback),
};

export class SpinBriefly {
  readonly #parts: LoopParts;
  #untilMs = 0;
  #isTurning = false;

  constructor(parts: LoopParts = ownLoop) {
    this.#parts = parts;
  }

  /** For a moment from now on. */
  keep(forMs = awakeMs): void {
    this.#untilMs = this.#parts.nowMs() + forMs;
    if (this.#isTurning) return;
    this.#isTurning = true;
    this.#turn();
  }

  /** What was awaited is there. */
  rest(): void {
    this.#untilMs = 0;
  }

  #turn(): void {
    this.#parts.nextRound(() => {
      this.#isTurning = this.#parts.nowMs() < this.#untilMs;
      if (this.#isTurning) this.#turn();
    });
  }
}
