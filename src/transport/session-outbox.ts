/**
 * What a session sends in one turn, and where its numbers are; the same for every protocol. The protocol writes its
 * frames one after the other into a buffer and says after each one what it was. At the end of the turn the buffer goes
 * out as one transmission, and the records of the messages that may be asked for again share its bytes.
 */
import type { Effects } from './session.ts';

/** Where a protocol writes its frames. */
export interface FrameBuffer {
  readonly length: number;
  /** What was written since the last `clear`. */
  readonly bytes: Uint8Array;
  clear(): void;
}

/** Kept messages that are next to each other in the buffer, with consecutive numbers. */
interface Run {
  readonly firstSeq: number;
  readonly start: number;
  readonly ends: number[];
}

/** Beyond this the buffer is transmitted within the turn, so that a long replay does not pile up. */
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

  constructor(
    buffer: FrameBuffer,
    effects: Effects,
    numbers: { readonly nextIn: number; readonly nextOut: number },
  ) {
    this.#buffer = buffer;
    this.#effects = effects;
    this.#nextIn = numbers.nextIn;
    this.#nextOut = numbers.nextOut;
  }

  /** The number that the peer's next message should have. */
  get nextIn(): number {
    return this.#nextIn;
  }

  /** The number that our next message will have. */
  get nextOut(): number {
    return this.#nextOut;
  }

  expect(nextIn: number): void {
    this.#nextIn = nextIn;
    this.#areNumbersNew = true;
    this.#gather();
  }

  /** The frame just written is the next message and may be asked for again. Returns its number. */
  kept(): number {
    const seq = this.#keep();
    this.#transmitWhenFull();
    return seq;
  }

  /** The frame just written is the next message, for a peer that is away: it is kept and not transmitted. */
  keptForLater(): void {
    const transmittedTo = this.#length;
    this.#keep();
    this.#handOver(transmittedTo);
  }

  /** The frame just written is the next message. Only its number is kept: it may carry a secret. */
  numbered(): void {
    this.#nextOut += 1;
    this.#areNumbersNew = true;
    this.unnumbered();
  }

  /** The frame just written takes no number: it is a message sent again, or one that the protocol does not count. */
  unnumbered(): void {
    this.#run = undefined;
    this.#length = this.#buffer.length;
    this.#transmitWhenFull();
  }

  /** New numbers; what was kept under the old ones is dropped. */
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

  /** Records what was gathered, then transmits the first `transmittedTo` bytes of it. */
  #handOver(transmittedTo: number): void {
    this.#isGathered = false;
    // A small Buffer comes from a pool, which costs a fraction of allocating an array.
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
