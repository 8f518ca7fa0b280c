/**
 * Snapshots of an account for its journal. The state is taken at once, which is cheap because an order is never modified,
 * only replaced by its successor. It is written out one piece with each record, so that no turn waits for the whole.
 */
import { type AccountState, joinedState, statePieces } from './record.ts';

/** A start applies about this many records at most. */
const snapshotEvery = 50_000;

export interface Snapshot {
  readonly position: number;
  readonly payload: Uint8Array;
}

export class JournalSnapshots {
  readonly #every: number;
  #recordsSince = 0;
  #position = 0;
  #pieces: Iterator<string> | undefined;
  #written: string[] = [];

  constructor(every = snapshotEvery) {
    this.#every = every;
  }

  /** Called after the record at `position` was written. Returns the snapshot that is now complete; its position is earlier. */
  recorded(position: number, state: () => AccountState<unknown>): Snapshot | undefined {
    this.#recordsSince += 1;
    if (this.#pieces === undefined) {
      if (this.#recordsSince < this.#every) return undefined;
      this.#recordsSince = 0;
      this.#position = position;
      this.#pieces = statePieces(state());
    }
    const { value, done = false } = this.#pieces.next();
    if (!done) {
      this.#written.push(value);
      return undefined;
    }
    const payload = joinedState(this.#written);
    this.#pieces = undefined;
    this.#written = [];
    return { position: this.#position, payload };
  }
}
