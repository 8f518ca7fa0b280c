/**
 * A gap in what the peer sent: which numbers were asked for, and the later messages that wait for it to be filled
 * (FIX 4.4 volume 2, "Message recovery"). One ResendRequest(2) for a gap; a large one is asked for in chunks. What
 * finds no room in the queue is left to the peer's next resend.
 */
import type { Message } from './message.ts';

export interface GapLimits {
  readonly resendChunk: number;
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
}

/** `endSeqNo` 0 asks for all there is. */
export interface ResendRange {
  readonly beginSeqNo: number;
  readonly endSeqNo: number;
}

export class Gap {
  readonly #limits: GapLimits;
  readonly #queue = new Map<number, Message | 'done'>();
  #queuedBytes = 0;
  /** The last number missing, and the last one asked for; 0 when nothing is missing. */
  #lastMissing = 0;
  #asked = 0;
  #since = 0;

  constructor(limits: GapLimits) {
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#lastMissing !== 0;
  }

  /** When there was last progress, on the monotonic clock; infinite while nothing is missing. */
  get sinceMs(): number {
    return this.isOpen ? this.#since : Number.POSITIVE_INFINITY;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** A message came before its turn: it waits. `done` marks a number whose message was dealt with out of turn. */
  keep(seq: number, message: Message | 'done'): void {
    if (this.#queue.has(seq)) return;
    const bytes = message === 'done' ? 0 : message.raw.length;
    const { maxQueuedMessages, maxQueuedBytes } = this.#limits;
    if (this.#queue.size >= maxQueuedMessages) return;
    if (this.#queuedBytes + bytes > maxQueuedBytes) return;
    this.#queue.set(seq, message === 'done' ? message : message.detach());
    this.#queuedBytes += bytes;
  }

  /** `seq` came where `expected` should have. What to ask for, or undefined if that was done. */
  found(expected: number, seq: number, monoMs: number): ResendRange | undefined {
    if (this.isOpen) return undefined;
    this.#lastMissing = seq - 1;
    return this.#ask(expected, monoMs);
  }

  /** The expected number moved on. What to ask for next, or undefined. */
  filledTo(expected: number, monoMs: number): ResendRange | undefined {
    if (!this.isOpen) return undefined;
    this.#since = monoMs;
    if (expected > this.#lastMissing) {
      this.#lastMissing = 0;
      return undefined;
    }
    return expected > this.#asked ? this.#ask(expected, monoMs) : undefined;
  }

  /** The message that waits under this number, taken out. */
  take(seq: number): Message | 'done' | undefined {
    if (this.#queue.size === 0) return undefined;
    const message = this.#queue.get(seq);
    if (message === undefined) return undefined;
    this.#queue.delete(seq);
    if (message !== 'done') this.#queuedBytes -= message.raw.length;
    return message;
  }

  /** Numbers below were skipped over: what waited there is of no use. */
  dropBelow(seq: number): void {
    for (const key of [...this.#queue.keys()]) if (key < seq) this.take(key);
  }

  clear(): void {
    this.#queue.clear();
    this.#queuedBytes = 0;
    this.#lastMissing = 0;
    this.#asked = 0;
  }

  #ask(beginSeqNo: number, monoMs: number): ResendRange {
    this.#since = monoMs;
    const { resendChunk } = this.#limits;
    if (this.#lastMissing - beginSeqNo < resendChunk) {
      this.#asked = this.#lastMissing;
      return { beginSeqNo, endSeqNo: 0 };
    }
    this.#asked = beginSeqNo + resendChunk - 1;
    return { beginSeqNo, endSeqNo: this.#asked };
  }
}
