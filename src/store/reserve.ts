/**
 * Disk space that is ours already. When the disk is full the file is given up, and what is under way can still be
 * recorded while new work is refused (docs/ARCHITECTURE.md, "Durability").
 */
import { closeSync, fsyncSync, openSync, rmSync, statfsSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const piece = Buffer.alloc(1024 * 1024);

export class Reserve {
  readonly #path: string;
  readonly #bytes: number;
  #isHeld = false;

  constructor(path: string, bytes: number) {
    this.#path = path;
    this.#bytes = bytes;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** Takes the space if the disk has twice as much, so that a nearly full disk does not go back and forth. */
  take(): boolean {
    if (this.#isHeld) return true;
    if (this.#fileSize() === this.#bytes) return this.#held(true);
    const { bavail, bsize } = statfsSync(dirname(this.#path));
    if (bavail * bsize < 2 * this.#bytes) return this.#held(false);
    try {
      this.#fill();
      return this.#held(true);
    } catch {
      return this.release();
    }
  }

  /** Gives the space back; false when there was none to give. */
  release(): boolean {
    const wasHeld = this.#isHeld;
    rmSync(this.#path, { force: true });
    this.#isHeld = false;
    return wasHeld;
  }

  #held(isHeld: boolean): boolean {
    this.#isHeld = isHeld;
    return isHeld;
  }

  #fileSize(): number {
    return statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Real blocks: a file that is only made long would own nothing. */
  #fill(): void {
    const file = openSync(this.#path, 'w', 0o600);
    try {
      for (let left = this.#bytes; left > 0; left -= piece.length) {
        writeSync(file, piece, 0, Math.min(left, piece.length));
      }
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}
