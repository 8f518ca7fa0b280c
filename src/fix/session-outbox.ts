/**
 * What a session says in one turn, and where its numbers stand. Frames lie one behind the other in one buffer and go
 * out as one transmission at the end of the turn; the records of the messages to be kept share its bytes.
 */
import type { Effects } from '../transport/session.ts';
import { Framer, type HeaderExtras, type SessionHeader } from './framer.ts';

/** Application messages that stand side by side in the buffer, with consecutive numbers. */
interface Run {
  readonly firstSeq: number;
  readonly start: number;
  readonly ends: number[];
}

/** Beyond this the buffer is handed over within the turn, so that a long replay does not pile up. */
const fullBytes = 256 * 1024;

export class Outbox {
  readonly #framer: Framer;
  readonly #effects: Effects;
  #nextIn: number;
  #nextOut: number;
  #length = 0;
  #runs: Run[] = [];
  #run: Run | undefined;
  #isGathered = false;
  #areNumbersNew = false;

  constructor(
    header: SessionHeader,
    effects: Effects,
    numbers: { readonly nextIn: number; readonly nextOut: number },
  ) {
    this.#framer = new Framer(header);
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

  /** An application message, kept for a resend. Answers its number. */
  application(msgType: string, wallMs: number, body: Uint8Array, extras?: HeaderExtras): number {
    const seq = this.#nextOut++;
    if (this.#run === undefined) {
      this.#run = { firstSeq: seq, start: this.#length, ends: [] };
      this.#runs.push(this.#run);
    }
    const end = this.#length + this.#framer.frame(msgType, seq, wallMs, body, extras).length;
    this.#run.ends.push(end - this.#run.start);
    this.#areNumbersNew = true;
    this.#grow(end);
    return seq;
  }

  /** An administrative message, of which only the number is kept: a Logon may carry a secret. */
  admin(msgType: string, wallMs: number, body: Uint8Array, extras?: HeaderExtras): void {
    const seq = this.#nextOut++;
    this.#run = undefined;
    this.#areNumbersNew = true;
    this.#grow(this.#length + this.#framer.frame(msgType, seq, wallMs, body, extras).length);
  }

  /** An administrative message in the place of old ones, under their number. */
  inPlaceOf(
    seq: number,
    msgType: string,
    wallMs: number,
    body: Uint8Array,
    extras: HeaderExtras,
  ): void {
    this.#run = undefined;
    this.#grow(this.#length + this.#framer.frame(msgType, seq, wallMs, body, extras).length);
  }

  /** A kept message once more, as a possible duplicate. */
  again(stored: Uint8Array, wallMs: number): void {
    this.#run = undefined;
    this.#grow(this.#length + this.#framer.reframe(stored, wallMs).length);
  }

  /** New numbers; what was kept under the old ones is dropped. */
  reset(nextIn: number, nextOut: number): void {
    this.flush();
    this.#nextIn = nextIn;
    this.#nextOut = nextOut;
    this.#effects.record({ kind: 'reset', nextIn, nextOut });
  }

  flush(): void {
    this.#isGathered = false;
    // A small Buffer comes from a pool, which costs a fraction of an array of its own.
    const bytes = this.#length > 0 ? Buffer.from(this.#framer.frames) : undefined;
    if (bytes !== undefined) this.#recordRuns(bytes);
    if (this.#areNumbersNew) {
      this.#areNumbersNew = false;
      this.#effects.record({ kind: 'numbers', nextIn: this.#nextIn, nextOut: this.#nextOut });
    }
    if (bytes === undefined) return;
    this.#effects.transmit(bytes);
    this.#framer.clear();
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

  #grow(length: number): void {
    this.#length = length;
    if (length > fullBytes) this.flush();
    else this.#gather();
  }

  #gather(): void {
    if (this.#isGathered) return;
    this.#isGathered = true;
    this.#effects.gathered();
  }
}
