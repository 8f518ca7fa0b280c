/**
 * What a session says in one turn, and where its numbers stand. Frames lie one behind the other in one buffer and go
 * out as one transmission at the end of the turn; the records of the messages to be kept share its bytes. Numbers here
 * are the store's; `session-ids.ts` says what they are on the wire.
 */
import type { Effects } from '../transport/session.ts';
import { type ByteOrder, framingHeaderSize, writeFramingHeader } from './framing.ts';

/** Kept messages that stand side by side in the buffer, with consecutive numbers. */
interface Run {
  readonly firstSeq: number;
  readonly start: number;
  readonly ends: number[];
}

/** Beyond this the buffer is handed over within the turn, so that a long answer does not pile up. */
const fullBytes = 256 * 1024;

export class Outbox {
  readonly #order: ByteOrder;
  readonly #effects: Effects;
  #nextIn: number;
  #nextOut: number;
  #buffer = Buffer.allocUnsafe(4096);
  #length = 0;
  #runs: Run[] = [];
  #run: Run | undefined;
  #isGathered = false;
  #areNumbersNew = false;

  constructor(
    order: ByteOrder,
    effects: Effects,
    numbers: { readonly nextIn: number; readonly nextOut: number },
  ) {
    this.#order = order;
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

  /** A numbered message, kept for a retransmission and said. */
  kept(message: Uint8Array): void {
    if (this.#run === undefined) {
      this.#run = { firstSeq: this.#nextOut, start: this.#length, ends: [] };
      this.#runs.push(this.#run);
    }
    this.#nextOut += 1;
    this.#areNumbersNew = true;
    this.#put(message);
    this.#run.ends.push(this.#length - this.#run.start);
    this.#grown();
  }

  /** A numbered message for a peer that is away: kept, and not said. */
  stored(message: Uint8Array): void {
    this.flush();
    this.kept(message);
    this.#record(false);
  }

  /** A numbered message that is said and not kept. */
  passing(message: Uint8Array): void {
    this.#nextOut += 1;
    this.#areNumbersNew = true;
    this.unnumbered(message);
  }

  /** A message without a number. */
  unnumbered(message: Uint8Array): void {
    this.#run = undefined;
    this.#put(message);
    this.#grown();
  }

  /** A frame of the store once more; the store keeps frames as they first went out. */
  again(frame: Uint8Array): void {
    this.unnumbered(frame.subarray(framingHeaderSize));
  }

  flush(): void {
    this.#record(true);
  }

  #record(isSaid: boolean): void {
    this.#isGathered = false;
    // A small Buffer comes from a pool, which costs a fraction of an array of its own.
    const bytes =
      this.#length > 0 ? Buffer.from(this.#buffer.subarray(0, this.#length)) : undefined;
    for (const { firstSeq, start, ends } of this.#runs) {
      const kept = bytes?.subarray(start, start + (ends.at(-1) ?? 0)) ?? this.#buffer;
      this.#effects.record({ kind: 'messages', firstSeq, bytes: kept, ends });
    }
    this.#runs = [];
    this.#run = undefined;
    if (this.#areNumbersNew) {
      this.#areNumbersNew = false;
      this.#effects.record({ kind: 'numbers', nextIn: this.#nextIn, nextOut: this.#nextOut });
    }
    this.#length = 0;
    if (bytes !== undefined && isSaid) this.#effects.transmit(bytes);
  }

  #put(message: Uint8Array): void {
    const size = framingHeaderSize + message.length;
    if (this.#buffer.length < this.#length + size) {
      const grown = Buffer.allocUnsafe(2 * (this.#length + size));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    writeFramingHeader(this.#buffer, this.#length, size, this.#order);
    this.#buffer.set(message, this.#length + framingHeaderSize);
    this.#length += size;
  }

  #grown(): void {
    if (this.#length > fullBytes) this.flush();
    else this.#gather();
  }

  #gather(): void {
    if (this.#isGathered) return;
    this.#isGathered = true;
    this.#effects.gathered();
  }
}
