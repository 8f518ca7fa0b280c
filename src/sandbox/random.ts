/** Integers from a seed (xorshift32), so that the same seed gives the same market and the same faults. */
export class SeededRandom {
  /** The complete state from which the next integers follow. */
  readonly record: { state: number };

  constructor(record: { state: number }) {
    this.record = record;
  }

  static of(seed: number): SeededRandom {
    // Zero is the only state that xorshift never leaves; the multiplication spreads adjacent seeds.
    const random = new SeededRandom({ state: Math.imul(seed + 1, 0x9e3779b1) | 0 || 1 });
    for (let warmUp = 0; warmUp < 4; warmUp += 1) random.below(1);
    return random;
  }

  /** An integer from 0 up to but not including `bound`. */
  below(bound: number): number {
    let { state } = this.record;
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    this.record.state = state;
    return (state >>> 0) % bound;
  }
}
