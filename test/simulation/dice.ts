/** Chance from a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    for (let i = 0; i < 4; i += 1) this.next();
  }

  /** Further chance from the same seed, which leaves this one's as it is. */
  branch(): Dice {
    return new Dice(this.#state ^ 0x5bd1e995);
  }

  /** From 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  /** True so many times in a thousand. */
  hits(perMille: number): boolean {
    return this.below(1_000) < perMille;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}
