/**
 * Reserved disk space. When the disk is full the file is deleted, so that work in progress can still be recorded while
 * new work is refused (docs/ARCHITECTURE.md, "Durability").
 */
import { dirname } from 'node:path';
import type { Disk } from './log/disk.ts';

const piece = Buffer.alloc(1024 * 1024);

export class Reserve {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #bytes: number;
  #isHeld = false;

  constructor(disk: Disk, path: string, bytes: number) {
    this.#disk = disk;
    this.#path = path;
    this.#bytes = bytes;
  }

  /** Takes the space if the disk has twice as much free, so that a nearly full disk does not make it alternate. */
  take(): boolean {
    this.#isHeld ||= this.#fileSize() === this.#bytes || (this.#hasRoom() && this.#fill());
    return this.#isHeld;
  }

  /** Frees the space; returns false if there was none. */
  release(): boolean {
    const wasHeld = this.#isHeld;
    this.#disk.remove(this.#path);
    this.#isHeld = false;
    return wasHeld;
  }

  #hasRoom(): boolean {
    return this.#disk.freeBytes(dirname(this.#path)) >= 2 * this.#bytes;
  }

  #fileSize(): number {
    if (!this.#disk.has(this.#path)) return 0;
    using file = this.#disk.open(this.#path, 'read');
    return file.size();
  }

  /** Writes real blocks: a sparse file would reserve nothing. A failing disk gives no reserve. */
  #fill(): boolean {
    try {
      this.#disk.remove(this.#path);
      using file = this.#disk.open(this.#path, 'new');
      for (let at = 0; at < this.#bytes; at += piece.length) {
        file.write(piece.subarray(0, Math.min(piece.length, this.#bytes - at)), at);
      }
      file.syncNow();
      return true;
    } catch {
      return this.release();
    }
  }
}
