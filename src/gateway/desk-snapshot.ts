/**
 * Snapshots of a desk for its journal. The state is taken at once, for an order never changes and is replaced by the
 * order that comes of it; it is written out a piece with each record, so that no turn waits for the whole.
 */
import { joinedState, type SavedDesk, statePieces } from './desk-record.ts';

/** A start applies at most so many records, about. */
const snapshotEvery = 50_000;

export interface Snapshot {
  readonly position: number;
  readonly payload: Uint8Array;
}

export class DeskSnapshots {
  readonly #every: number;
  #recordsSince = 0;
  #position = 0;
  #pieces: Iterator<string> | undefined;
  #written: string[] = [];

  constructor(every = snapshotEvery) {
    this.#every = every;
  }

  /** After a record, which is at `position`: the snapshot that is finished with it, of a position before. */
  recorded(position: number, state: () => SavedDesk): Snapshot | undefined {
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
