/**
 * Standard output for lines that nobody waits for. What it does not take, such as a file on a full disk, is lost, and
 * the process goes on. The output of pino throws then, and at the end of the process it waits until there is room.
 */
import { write, writeSync } from 'node:fs';

/** A reader that has stopped reading must not fill the memory. */
const mostWaiting = 16 * 1024 ** 2;
const busyMs = 100;

export class LineOutput {
  readonly #descriptor: number;
  #waiting = '';
  #isWriting = false;
  /** The last line was written in part, so the next one needs a line of its own. */
  #isTorn = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#waiting.length > mostWaiting) return;
    this.#waiting += line;
    if (!this.#isWriting) this.#next(this.#taken());
  }

  /** For the end of the process. */
  writeNow(): void {
    try {
      for (let left = this.#taken(); left.length > 0; )
        left = left.subarray(writeSync(this.#descriptor, left));
    } catch {
      // The end of the process does not wait for room.
    }
  }

  #next(bytes: Buffer, isPart = false): void {
    this.#isWriting = bytes.length > 0;
    if (!this.#isWriting) return;
    write(this.#descriptor, bytes, (error, count) => {
      if (error?.code === 'EAGAIN') return setTimeout(() => this.#next(bytes, isPart), busyMs);
      if (error === null && count < bytes.length) return this.#next(bytes.subarray(count), true);
      this.#isTorn = error !== null && (this.#isTorn || isPart);
      this.#next(this.#taken());
    });
  }

  #taken(): Buffer {
    const isNew = this.#isTorn && this.#waiting !== '';
    const bytes = Buffer.from(isNew ? `\n${this.#waiting}` : this.#waiting);
    this.#waiting = '';
    return bytes;
  }
}

export const standardOutput = new LineOutput(1);
process.on('exit', () => standardOutput.writeNow());
