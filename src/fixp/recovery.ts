/**
 * A client's reading of the server's flow (FIXP 1.1, "Recoverable flow"). Messages go to the application once and in
 * order. Missing ones are requested, one request at a time and repeatedly, while later messages wait. Retransmission
 * and Sequence contain the sequence numbers of the messages that follow; a message itself has none.
 */
import type { Instant } from '../runtime/clock.ts';
import { RetransmitRejectCode } from './generated/codes.ts';
import { requestTime } from './request.ts';
import type { FixpCore } from './session-core.ts';
import type { SessionMessageOf } from './session-messages.ts';

interface Asked {
  readonly timestamp: bigint;
  readonly toSeq: number;
  readonly sinceMs: number;
}

const never = Number.POSITIVE_INFINITY;

export class Recovery {
  readonly #core: FixpCore;
  readonly #deliver: (message: Uint8Array, seq: number, now: Instant) => void;
  readonly #queue = new Map<number, Uint8Array>();
  #queuedBytes = 0;
  #asked: Asked | undefined;
  /** The number after the last message that the server is known to have sent. */
  #known = 1;
  /** The number after the retransmission in progress; 0 if there is none. */
  #replayEnd = 0;
  /** The maximum of one request; a server with a lower limit does not announce it. */
  #maxAsked: number;

  constructor(core: FixpCore, deliver: (message: Uint8Array, seq: number, now: Instant) => void) {
    this.#core = core;
    this.#deliver = deliver;
    this.#maxAsked = core.settings.maxRetransmitCount;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** The deadline of the request in progress. */
  get deadlineMs(): number {
    return this.#asked === undefined
      ? never
      : this.#asked.sinceMs + this.#core.settings.gapPatienceMs;
  }

  /** Receives a message, which has the next number of this connection. */
  arrived(message: Uint8Array, now: Instant): void {
    const core = this.#core;
    const seq = core.inSeq;
    core.inSeq += 1;
    this.#known = Math.max(this.#known, core.inSeq);
    if (seq === core.nextIn) {
      this.#take(message, seq, now);
      this.#drain(now);
    } else if (seq > core.nextIn) this.#keep(message, seq);
    if (core.inSeq === this.#replayEnd) this.#replayed();
    this.#ask(now);
  }

  /** Receives the server's next sequence number. */
  follows(nextSeqNo: number, now: Instant): void {
    const core = this.#core;
    if (nextSeqNo < core.nextIn || nextSeqNo > core.settings.maxSeqNo) {
      core.misused(`NextSeqNo is ${nextSeqNo} where ${core.nextIn} is expected`, now);
      return;
    }
    if (this.#replayEnd !== 0) this.#replayed();
    core.inSeq = nextSeqNo;
    this.#known = Math.max(this.#known, nextSeqNo);
    this.#ask(now);
  }

  /** Receives the numbers of the messages that follow now. */
  replay(message: SessionMessageOf<'Retransmission'>, now: Instant): void {
    const { sessionId, requestTimestamp, nextSeqNo, count } = message;
    const core = this.#core;
    const asked = this.#asked;
    const isAsked = requestTimestamp === asked?.timestamp && sessionId === core.flow?.sessionId;
    // More than that would be counted beyond the numbers that are known, and taken again as new messages.
    if (!isAsked || nextSeqNo < core.nextIn || nextSeqNo + count > asked.toSeq + 1) {
      core.misused('a Retransmission that was not requested', now);
      return;
    }
    core.inSeq = nextSeqNo;
    this.#replayEnd = nextSeqNo + count;
  }

  /**
   * If the request was too large, a smaller one follows. Otherwise the messages are not available: the application is
   * informed, and the flow continues after them.
   */
  refused(message: SessionMessageOf<'RetransmitReject'>, now: Instant): void {
    const { code, reason, requestTimestamp } = message;
    const core = this.#core;
    const asked = this.#asked;
    if (requestTimestamp !== asked?.timestamp || core.flow === undefined) return;
    this.#asked = undefined;
    const count = asked.toSeq + 1 - core.nextIn;
    if (code === RetransmitRejectCode.RequestLimitExceeded && count > 1) {
      this.#maxAsked = Math.ceil(count / 10);
      this.#ask(now);
      return;
    }
    const text = `${core.nextIn} to ${asked.toSeq} are not available: ${reason}`;
    core.foldedAlarm('messages_lost', text, now);
    core.outbox.expect(core.flow.inBase + asked.toSeq + 1);
    this.#drain(now);
    this.#ask(now);
  }

  /** A new connection or session id: everything about the old one is discarded. */
  reset(): void {
    this.#queue.clear();
    this.#queuedBytes = 0;
    this.#asked = undefined;
    this.#replayEnd = 0;
    this.#known = 1;
  }

  #replayed(): void {
    this.#replayEnd = 0;
    this.#asked = undefined;
  }

  /** Requests the first missing numbers. After a retransmission the server sends Sequence, so this waits for it. */
  #ask(now: Instant): void {
    const core = this.#core;
    const { flow, ids, nextIn } = core;
    if (flow === undefined || this.#asked !== undefined || nextIn >= this.#known) return;
    if (core.inSeq < this.#known) return;
    const firstQueued = this.#queue.size === 0 ? this.#known : Math.min(...this.#queue.keys());
    const count = Math.min(firstQueued - nextIn, this.#maxAsked);
    core.counts.gaps += 1;
    const timestamp = requestTime(now.wallMs, ids.lastRequestNs);
    ids.lastRequestNs = timestamp;
    this.#asked = { timestamp, toSeq: nextIn + count - 1, sinceMs: now.monoMs };
    const { sessionId } = flow;
    core.post({ name: 'RetransmitRequest', sessionId, timestamp, fromSeqNo: nextIn, count }, now);
  }

  /** Messages beyond the limit are requested again later. */
  #keep(message: Uint8Array, seq: number): void {
    const { maxQueuedMessages, maxQueuedBytes } = this.#core.settings;
    const isFull =
      this.#queue.size >= maxQueuedMessages || this.#queuedBytes + message.length > maxQueuedBytes;
    if (isFull || this.#queue.has(seq)) return;
    this.#queue.set(seq, Buffer.from(message));
    this.#queuedBytes += message.length;
  }

  #drain(now: Instant): void {
    for (;;) {
      const seq = this.#core.nextIn;
      const message = this.#queue.get(seq);
      if (message === undefined) return;
      this.#queue.delete(seq);
      this.#queuedBytes -= message.length;
      this.#take(message, seq, now);
    }
  }

  #take(message: Uint8Array, seq: number, now: Instant): void {
    const { flow, outbox } = this.#core;
    if (flow === undefined) return;
    outbox.expect(flow.inBase + seq + 1);
    this.#deliver(message, seq, now);
  }
}
