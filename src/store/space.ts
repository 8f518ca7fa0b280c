/** How much space the data has: within its own limit, and on the disk, where a reserve is kept for work in progress. */
import type { Disk } from './log/disk.ts';
import { Reserve } from './reserve.ts';
import { type Room, StoreFailed } from './store.ts';

export interface SpaceLimits {
  /** The data's largest size; below it by the reserve, new work is refused. */
  readonly maxBytes: number;
  readonly reserveBytes: number;
}

export const reservePath = (path: string) => `${path}-reserve`;

export class Space {
  readonly #limits: SpaceLimits;
  readonly #reserve: Reserve;
  /** How much of the limit is in use now. */
  readonly #usedBytes: () => number;
  #bytesSinceMeasured = 0;
  #room: Room = 'plenty';

  constructor(disk: Disk, path: string, limits: SpaceLimits, usedBytes: () => number) {
    this.#limits = limits;
    this.#reserve = new Reserve(disk, reservePath(path), limits.reserveBytes);
    this.#usedBytes = usedBytes;
    this.#measure();
  }

  get room(): Room {
    return this.#room;
  }

  /** Called before so many bytes are written; throws when the limit is reached. */
  take(bytes: number): void {
    this.#bytesSinceMeasured += bytes;
    if (this.#bytesSinceMeasured <= this.#limits.reserveBytes / 8) return;
    const { maxBytes } = this.#limits;
    const used = this.#measure();
    if (used > maxBytes)
      throw new StoreFailed(`the store holds ${used} bytes of at most ${maxBytes}`);
  }

  /** The disk is full. Returns false if there is no reserve to free. */
  giveUpReserve(): boolean {
    this.#room = 'reserve';
    return this.#reserve.release();
  }

  #measure(): number {
    this.#bytesSinceMeasured = 0;
    const { maxBytes, reserveBytes } = this.#limits;
    const used = this.#usedBytes();
    this.#room = used <= maxBytes - reserveBytes && this.#reserve.take() ? 'plenty' : 'reserve';
    return used;
  }
}

/** The error code of SQLite (SQLITE_FULL) or of the system. */
export function isFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    ('errcode' in error && error.errcode === 13) || ('code' in error && error.code === 'ENOSPC')
  );
}
