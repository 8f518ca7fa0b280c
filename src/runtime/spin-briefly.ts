/**
 * Keeps this thread's event loop awake while a response, the disk or the next request is expected. On a machine that
 * sleeps as soon as it can, waking up takes longer than a signature (docs/decisions/0260-performance-choices.md).
 */
const awakeMs = 0.2;

export interface LoopParts {
  readonly nowMs: () => number;
  /** Calls back in the next round of the loop, which therefore does not block. */
  readonly nextRound: (callback: () => void) => void;
}

const ownLoop: LoopParts = {
  nowMs: () => performance.now(),
  nextRound: (callback) => void setImmediate(callback),
};

export class SpinBriefly {
  readonly #parts: LoopParts;
  #untilMs = 0;
  #isSpinning = false;

  constructor(parts: LoopParts = ownLoop) {
    this.#parts = parts;
  }

  /** Stays awake for a moment from now on. */
  keep(forMs = awakeMs): void {
    this.#untilMs = this.#parts.nowMs() + forMs;
    if (this.#isSpinning) return;
    this.#isSpinning = true;
    this.#spin();
  }

  /** The expected event has arrived. */
  rest(): void {
    this.#untilMs = 0;
  }

  #spin(): void {
    this.#parts.nextRound(() => {
      this.#isSpinning = this.#parts.nowMs() < this.#untilMs;
      if (this.#isSpinning) this.#spin();
    });
  }
}
