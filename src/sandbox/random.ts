/** Integers from a seed (xorshift32), so that the same seed gives the same market and the same faults. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    // Zero is the one state that xorshift never leaves; multiplication spreads neighbouring seeds.
    this.#state = Math.imul(seed + 1, 0x9e3779b1) | 0 || 1;
    for (let warmUp = 0; warmUp < 4; warmUp += 1) this.#next();
  }

  get state(): number {
    return this.#state;
  }

  /** Goes on where `state` was read. */
  restore(state: number): void {
    this.#state = state;
  }

  /** An integer from 0 up to, not including, `bound`. */
  below(bound: number): number {
    return (this.#next() >>> 0) % bound;
  }

  #next(): number {
    let state = this.#state;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.#state = state;
    return state;
  }
}
