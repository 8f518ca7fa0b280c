/**
 * The nonces of one account (contract A.11, R22, R23): any unused number from the floor up to the window's end, in any
 * order and with gaps; the floor only moves past numbers without a gap.
 */
export type NonceRefusal = 'nonce_below_floor' | 'nonce_outside_window' | 'nonce_replayed';

export interface NonceRecord {
  floor: number;
  readonly used: Set<number>;
  /** Reserved but not consumed: they hold the floor (contract G20, `holds_floor`). */
  readonly held: Set<number>;
}

export class NonceWindow {
  readonly size: number;
  readonly record: NonceRecord;
  /** Nonces of requests that the venue has received but not applied; a restart drops both. */
  readonly #claimed = new Set<number>();

  constructor(size: number, record: NonceRecord = { floor: 0, used: new Set(), held: new Set() }) {
    this.size = size;
    this.record = record;
  }

  /** The lowest acceptable nonce, which is also the next usable one. */
  get floor(): number {
    return this.record.floor;
  }

  check(nonce: number): NonceRefusal | undefined {
    const { floor, held, used } = this.record;
    if (nonce < floor) return 'nonce_below_floor';
    if (nonce >= floor + this.size) return 'nonce_outside_window';
    const isTaken = [used, held, this.#claimed].some((taken) => taken.has(nonce));
    return isTaken ? 'nonce_replayed' : undefined;
  }

  /** Consumes a nonce that `check` has accepted, or a held one. */
  consume(nonce: number): void {
    const { record } = this;
    record.held.delete(nonce);
    record.used.add(nonce);
    while (record.used.delete(record.floor)) record.floor += 1;
  }

  hold(nonce: number): void {
    this.record.held.add(nonce);
  }

  claim(nonce: number): void {
    this.#claimed.add(nonce);
  }

  unclaim(nonce: number): void {
    this.#claimed.delete(nonce);
  }
}
