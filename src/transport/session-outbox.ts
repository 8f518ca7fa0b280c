/**
 * The messages that a session sends in one transaction, and its outbound sequence numbers, for every protocol. The
 * protocol writes its frames one after the other into a buffer and declares the kind of each. At the end of the
 * transaction the buffer is sent at once, and the records of the messages that can be resent share its bytes.
 */
import type { Effects } from './session.ts';

/** The buffer into which the protocol writes its frames. */
export interface FrameBuffer {
  readonly length: number;
  /** The bytes written since the last `clear`. */
  readonly bytes: Uint8Array;
  clear(): void;
}

/** The sequence numbers of the next message in each direction, as the store has them. */
export interface NextNumbers {
  readonly nextIn: number;
  readonly nextOut: number;
}

/** Kept messages that are adjacent in the buffer, with consecutive numbers. */
interface Run {
  readonly firstSeq: number;
  readonly start: number;
  readonly ends: number[];
}

/** Above this size the buffer is sent within the transaction, so that a long replay does not pile up. */
const fullBytes = 256 * 1024;

export class SessionOutbox {
  readonly #buffer: FrameBuffer;
  readonly #effects: Effects;
  #nextIn: number;
  #nextOut: number;
  /** The end of the last frame that was reported here. */
  #length = 0;
  #runs: Run[] = [];
  #run: Run | undefined;
  #isGathered = false;
  #areNumbersNew = false;

  constructor(buffer: FrameBuffer, effects: Effects, numbers: NextNumbers) {
    this.#buffer = buffer;
    this.#effects = effects;
    this.#nextIn = numbers.nextIn;
    this.#nextOut = numbers.nextOut;
  }

  /** The expected number of the peer's next message. */
  get nextIn(): number {
    return this.#nextIn;
  }

  /** The number of our next message. */
  get nextOut(): number {
    return this.#nextOut;
  }

  expect(nextIn: number): void {
    this.#nextIn = nextIn;
    this.#areNumbersNew = true;
    this.#gather();
  }

  /** The frame that was just written is the next message and can be resent. Returns its number. */
  kept(): number {
    const seq = this.#keep();
    this.#transmitWhenFull();
    return seq;
  }

  /** The frame that was just written is the next message, for a peer that is not connected: it is kept but not sent. */
  keptForLater(): void {
    const transmittedTo = this.#length;
    this.#keep();
    this.#handOver(transmittedTo);
  }

  /** The frame that was just written is the next message. Only its number is kept, because it may contain a secret. */
  numbered(): void {
    this.#nextOut += 1;
    this.#areNumbersNew = true;
    this.unnumbered();
  }

  /** The frame that was just written consumes no number: it is resent, or the protocol does not number it. */
  unnumbered(): void {
    this.#run = undefined;
    this.#length = this.#buffer.length;
    this.#transmitWhenFull();
  }

  /** Sets new numbers; messages that were kept with the old ones are dropped. */
  reset(nextIn: number, nextOut: number): void {
    this.flush();
    this.#nextIn = nextIn;
    this.#nextOut = nextOut;
    this.#effects.record({ kind: 'reset', nextIn, nextOut });
  }

  flush(): void {
    this.#handOver(this.#length);
  }

  #keep(): number {
    if (this.#run === undefined) {
      this.#run = { firstSeq: this.#nextOut, start: this.#length, ends: [] };
      this.#runs.push(this.#run);
    }
    this.#length = this.#buffer.length;
    this.#run.ends.push(this.#length - this.#run.start);
    this.#areNumbersNew = true;
    return this.#nextOut++;
  }

  /** Records everything that was gathered, then sends its first `transmittedTo` bytes. */
  #handOver(transmittedTo: number): void {
    this.#isGathered = false;
    // Small Buffers are allocated from a pool, at a fraction of the cost of an array.
    const bytes = this.#length > 0 ? Buffer.from(this.#buffer.bytes) : undefined;
    if (bytes !== undefined) this.#recordRuns(bytes);
    if (this.#areNumbersNew) {
      this.#areNumbersNew = false;
      this.#effects.record({ kind: 'numbers', nextIn: this.#nextIn, nextOut: this.#nextOut });
    }
    if (bytes === undefined) return;
    const isWhole = transmittedTo === bytes.length;
    if (transmittedTo > 0) {
      this.#effects.transmit(isWhole ? bytes : bytes.subarray(0, transmittedTo));
    }
    this.#buffer.clear();
    this.#length = 0;
  }

  #recordRuns(bytes: Uint8Array): void {
    for (const { firstSeq, start, ends } of this.#runs) {
      const kept = bytes.subarray(start, start + (ends.at(-1) ?? 0));
      this.#effects.record({ kind: 'messages', firstSeq, bytes: kept, ends });
    }
    this.#runs = [];
    this.#run = undefined;
  }

  #transmitWhenFull(): void {
    if (this.#length > fullBytes) this.flush();
    else this.#gather();
  }

  #gather(): void {
    if (this.#isGathered) return;
    this.#isGathered = true;
    this.#effects.gathered();
  }
}
