/**
 * Tracks the space for the data: within its own limit, and on the disk, where a reserve is kept for work in progress.
 */
import { noQuota } from '../runtime/write-all.ts';
import type { Disk } from './log/disk.ts';
import { Reserve } from './reserve.ts';
import { type Room, StoreFailed } from './store.ts';

export interface SpaceLimits {
  /** The maximum size of the data. New work is refused when less than the reserve is left. */
  readonly maxBytes: number;
  readonly reserveBytes: number;
}

export const reservePath = (path: string) => `${path}-reserve`;

export class Space {
  readonly #limits: SpaceLimits;
  readonly #reserve: Reserve;
  /** Returns how much of the limit is in use. */
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

  /** Called before this many bytes are written; throws when the limit is reached. */
  take(bytes: number): void {
    this.#bytesSinceMeasured += bytes;
    if (this.#bytesSinceMeasured <= this.#limits.reserveBytes / 8) return;
    const { maxBytes } = this.#limits;
    const used = this.#measure();
    if (used > maxBytes)
      throw new StoreFailed(`the store holds ${used} bytes of at most ${maxBytes}`);
  }

  /** Called when the disk is full. Returns false if there is no reserve to free. */
  giveUpReserve(): boolean {
    this.#room = 'reserve';
    return this.#reserve.release();
  }

  /** Measures again while only the reserve is left, and returns why that is so. */
  recheck(): string | undefined {
    if (this.#room === 'plenty') return undefined;
    const used = this.#measure();
    if (this.room === 'plenty') return undefined;
    const { maxBytes, reserveBytes } = this.#limits;
    if (used > maxBytes - reserveBytes)
      return `the data have ${inMb(used)} of at most ${inMb(maxBytes)}`;
    return `the disk, or a quota on it, has less than ${inMb(2 * reserveBytes)} free`;
  }

  #measure(): number {
    this.#bytesSinceMeasured = 0;
    const { maxBytes, reserveBytes } = this.#limits;
    const used = this.#usedBytes();
    this.#room = used <= maxBytes - reserveBytes && this.#reserve.take() ? 'plenty' : 'reserve';
    return used;
  }
}

function inMb(bytes: number): string {
  return `${Math.ceil(bytes / 1024 ** 2)} MB`;
}

/** No space, or a file of the maximum size. */
const fullCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EFBIG']);

/** Recognizes the error code of SQLite (SQLITE_FULL) or of the system. */
export function isFull(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (
    ('errcode' in error && error.errcode === 13) ||
    ('code' in error && fullCodes.has(error.code)) ||
    ('errno' in error && error.errno === noQuota)
  );
}
