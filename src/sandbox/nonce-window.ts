/**
 * The nonces of one account (contract A.11, R22, R23): any unused number from the floor up to the window's end, in
 * any order and with gaps; the floor moves only past numbers without a gap.
 */
export type NonceRefusal = 'nonce_below_floor' | 'nonce_outside_window' | 'nonce_replayed';

export interface NonceSnapshot {
  readonly floor: number;
  readonly used: readonly number[];
  readonly held: readonly number[];
}

export class NonceWindow {
  readonly size: number;
  #floor: number;
  readonly #used: Set<number>;
  // Spoken for, but not consumed: they hold the floor (contract G20, `holds_floor`).
  readonly #held: Set<number>;
  /** Those of requests that the venue has received and not applied yet; a restart forgets both. */
  readonly #claimed = new Set<number>();

  constructor(
    size: number,
    { floor, used, held }: NonceSnapshot = { floor: 0, used: [], held: [] },
  ) {
    this.size = size;
    this.#floor = floor;
    this.#used = new Set(used);
    this.#held = new Set(held);
  }

  /** The lowest nonce that is still acceptable, which is also the next usable one. */
  get floor(): number {
    return this.#floor;
  }

  check(nonce: number): NonceRefusal | undefined {
    if (nonce < this.#floor) return 'nonce_below_floor';
    if (nonce >= this.#floor + this.size) return 'nonce_outside_window';
    const isTaken = [this.#used, this.#held, this.#claimed].some((taken) => taken.has(nonce));
    return isTaken ? 'nonce_replayed' : undefined;
  }

  /** Takes a nonce that `check` has let through, or one that is held. */
  consume(nonce: number): void {
    this.#held.delete(nonce);
    this.#used.add(nonce);
    while (this.#used.delete(this.#floor)) this.#floor += 1;
  }

  hold(nonce: number): void {
    this.#held.add(nonce);
  }

  claim(nonce: number): void {
    this.#claimed.add(nonce);
  }

  unclaim(nonce: number): void {
    this.#claimed.delete(nonce);
  }

  snapshot(): NonceSnapshot {
    return { floor: this.#floor, used: [...this.#used], held: [...this.#held] };
  }
}
