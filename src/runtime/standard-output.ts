/**
 * Standard output for lines that nobody waits for. What it does not take, such as a file on a full disk, is lost, and
 * the process goes on. The output of pino throws then, and at the end of the process it waits until there is room.
 * Lines are written at once: threads of the system that wait for a slow disk must not hold up an alarm.
 */
import { writeSync } from 'node:fs';

/** A reader that has stopped reading must not fill the memory. */
const mostWaiting = 16 * 1024 ** 2;
const busyMs = 100;
const lineEnd = '\n'.charCodeAt(0);

export class LineOutput {
  readonly #descriptor: number;
  #bytes: Buffer = Buffer.alloc(0);
  #waiting = '';
  /** The last line was written in part, so the next one needs a line of its own. */
  #isTorn = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  write(line: string): void {
    if (this.#waiting.length > mostWaiting) return;
    this.#waiting += line;
    if (this.#retry === undefined) this.writeNow();
  }

  /** Also for the end of the process, which does not wait for room. */
  writeNow(): void {
    this.#retry = undefined;
    try {
      while (this.#bytes.length + this.#waiting.length > 0) this.#writeOn();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#retry = setTimeout(() => this.writeNow(), busyMs).unref();
      } else this.#bytes = Buffer.alloc(0);
    }
  }

  #writeOn(): void {
    if (this.#bytes.length === 0) {
      this.#bytes = Buffer.from(this.#isTorn ? `\n${this.#waiting}` : this.#waiting);
      this.#waiting = '';
    }
    const count = writeSync(this.#descriptor, this.#bytes);
    if (count > 0) this.#isTorn = this.#bytes[count - 1] !== lineEnd;
    this.#bytes = this.#bytes.subarray(count);
  }
}

export const standardOutput = new LineOutput(1);
process.on('exit', () => standardOutput.writeNow());
