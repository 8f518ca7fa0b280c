/**
 * A gap in the peer's messages: the numbers that were requested, and the later messages queued until it is filled (FIX
 * 4.4 volume 2, "Message recovery"). There is one ResendRequest(2) per gap; a large gap is requested in chunks.
 * Messages that do not fit into the queue are requested again later.
 */
import type { Message } from './message.ts';
import type { SessionSettings } from './session-settings.ts';

type GapLimits = Pick<SessionSettings, 'resendChunk' | 'maxQueuedMessages' | 'maxQueuedBytes'>;

/** `endSeqNo` 0 requests everything. */
export interface ResendRange {
  readonly beginSeqNo: number;
  readonly endSeqNo: number;
}

export class Gap {
  readonly #limits: GapLimits;
  readonly #queue = new Map<number, Message | 'done'>();
  #queuedBytes = 0;
  /** No queued number is below this one. */
  #lowest = Number.POSITIVE_INFINITY;
  /** The last missing number, and the last one requested; 0 if nothing is missing. */
  #lastMissing = 0;
  #asked = 0;
  #since = 0;

  constructor(limits: GapLimits) {
    this.#limits = limits;
  }

  get isOpen(): boolean {
    return this.#lastMissing !== 0;
  }

  /** The time of the last progress, on the monotonic clock; infinite if nothing is missing. */
  get sinceMs(): number {
    return this.isOpen ? this.#since : Number.POSITIVE_INFINITY;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Queues a message that arrived out of order. `done` marks a number whose message was processed out of order. */
  keep(seq: number, message: Message | 'done'): void {
    if (this.#queue.has(seq)) return;
    const bytes = message === 'done' ? 0 : message.raw.length;
    const { maxQueuedMessages, maxQueuedBytes } = this.#limits;
    if (this.#queue.size >= maxQueuedMessages) return;
    if (this.#queuedBytes + bytes > maxQueuedBytes) return;
    this.#queue.set(seq, message === 'done' ? message : message.detach());
    this.#queuedBytes += bytes;
    this.#lowest = Math.min(this.#lowest, seq);
  }

  /** `seq` arrived instead of `expected`. Returns the range to request; undefined if it has been requested already. */
  found(expected: number, seq: number, monoMs: number): ResendRange | undefined {
    if (this.isOpen) return undefined;
    this.#lastMissing = seq - 1;
    return this.#ask(expected, monoMs);
  }

  /** The expected number advanced. Returns the next range to request, if any. */
  filledTo(expected: number, monoMs: number): ResendRange | undefined {
    if (!this.isOpen) return undefined;
    this.#since = monoMs;
    if (expected > this.#lastMissing) {
      this.#lastMissing = 0;
      return undefined;
    }
    return expected > this.#asked ? this.#ask(expected, monoMs) : undefined;
  }

  /** Removes and returns the message that is queued with this number. */
  take(seq: number): Message | 'done' | undefined {
    if (this.#queue.size === 0) return undefined;
    const message = this.#queue.get(seq);
    if (message === undefined) return undefined;
    this.#queue.delete(seq);
    if (message !== 'done') this.#queuedBytes -= message.raw.length;
    return message;
  }

  /**
   * Lower numbers were skipped: queued messages below this number are dropped. Called for each message that fills the
   * gap, so it looks through a long queue only after as large a step.
   */
  dropBelow(seq: number): void {
    if (seq - this.#lowest <= this.#queue.size) {
      for (; this.#lowest < seq; this.#lowest += 1) this.take(this.#lowest);
      return;
    }
    let lowest = Number.POSITIVE_INFINITY;
    for (const key of this.#queue.keys()) {
      if (key < seq) this.take(key);
      else lowest = Math.min(lowest, key);
    }
    this.#lowest = lowest;
  }

  clear(): void {
    this.#queue.clear();
    this.#queuedBytes = 0;
    this.#lowest = Number.POSITIVE_INFINITY;
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
