/**
 * Our answer to a RetransmitRequest (FIXP 1.1, "Recoverable flow"): Retransmission, the messages and Sequence, all in
 * one piece, so that no live message can come between them. The store is read in pieces, and live messages pass in the
 * meantime. A response may contain less than requested; the requester continues. One request is processed at a time,
 * and one may be queued.
 */
import type { StoredMessages } from '../transport/session.ts';
import type { RetransmitRejectCode, TerminationCode } from './generated/codes.ts';
import type { Flow } from './session-ids.ts';
import type { SessionMessageOf } from './session-messages.ts';
import type { FixpSettings } from './settings.ts';

type Request = SessionMessageOf<'RetransmitRequest'>;

export type Verdict =
  /** Another request is being answered; afterwards `next` returns this one. */
  | { readonly kind: 'wait' }
  /** Sequence numbers of the store. */
  | { readonly kind: 'fetch'; readonly fromSeq: number; readonly toSeq: number }
  | {
      readonly kind: 'reject';
      readonly code: keyof typeof RetransmitRejectCode;
      readonly reason: string;
    }
  | {
      readonly kind: 'terminate';
      readonly code: keyof typeof TerminationCode;
      readonly reason: string;
    };

/** The messages read for the request in progress. */
export interface Answer {
  readonly request: Request;
  /** Sequence numbers of the store; `oldestKept` is above `fromSeq` if the requested messages are no longer kept. */
  readonly fromSeq: number;
  readonly oldestKept: number;
  readonly flow: Flow;
  readonly frames: readonly Uint8Array[];
}

type Limits = Pick<
  FixpSettings,
  'maxRetransmitCount' | 'maxRetransmitBytes' | 'maxRequestCount' | 'maxFutileRequests'
>;

interface UnderWay {
  readonly request: Request;
  readonly flow: Flow;
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly frames: Uint8Array[];
  bytes: number;
}

export class Retransmission {
  readonly #limits: Limits;
  #underWay: UnderWay | undefined;
  #next: Request | undefined;
  #futile = 0;
  #lastAsked = '';

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** `lastOut` is the store's number of this flow's last message, if the flow is active. */
  ask(request: Request, flow: Flow | undefined, lastOut: number): Verdict {
    if (this.#underWay !== undefined && this.#next === undefined) {
      this.#next = request;
      return { kind: 'wait' };
    }
    if (this.#underWay !== undefined) {
      const reason = 'a RetransmitRequest is being answered, and another waits';
      return { kind: 'terminate', code: 'ReRequestInProgress', reason };
    }
    const { maxRequestCount, maxRetransmitCount } = this.#limits;
    const { fromSeqNo, count } = request;
    if (flow === undefined)
      return this.#refused('InvalidSession', 'this SessionId has no messages');
    if (count > maxRequestCount)
      return this.#refused('RequestLimitExceeded', `Count is at most ${maxRequestCount}`);
    const first = flow.outFrom - flow.outBase;
    const last = (flow.outEnd ?? lastOut) - flow.outBase;
    if (count === 0 || fromSeqNo < first || fromSeqNo + count - 1 > last)
      return this.#refused('OutOfRange', `there are the numbers ${first} to ${last}`);
    const asked = `${request.sessionId} ${fromSeqNo} ${count}`;
    this.#futile = asked === this.#lastAsked ? this.#futile + 1 : 0;
    this.#lastAsked = asked;
    if (this.#isFutile) return tooOften('the same messages were requested too often');
    const fromSeq = flow.outBase + fromSeqNo;
    const toSeq = fromSeq + Math.min(count, maxRetransmitCount) - 1;
    this.#underWay = { request, flow, fromSeq, toSeq, frames: [], bytes: 0 };
    return { kind: 'fetch', fromSeq, toSeq };
  }

  /** Adds a piece and responds when there is enough. Later pieces are ignored. */
  piece({ messages, oldestKept, done }: StoredMessages): Answer | undefined {
    const current = this.#underWay;
    if (current === undefined) return undefined;
    const { request, flow, fromSeq, toSeq, frames } = current;
    for (const { seq, bytes } of messages) {
      if (seq !== fromSeq + frames.length || seq > toSeq) continue;
      frames.push(bytes);
      current.bytes += bytes.length;
    }
    if (!done && current.bytes < this.#limits.maxRetransmitBytes) return undefined;
    this.#underWay = undefined;
    return { request, flow, fromSeq, oldestKept, frames };
  }

  /** Returns the request that was queued. */
  next(): Request | undefined {
    const waiting = this.#next;
    this.#next = undefined;
    return waiting;
  }

  /** The connection has closed: pieces that are still being read are ignored. */
  stop(): void {
    this.#underWay = undefined;
    this.#next = undefined;
    this.#futile = 0;
    this.#lastAsked = '';
  }

  get #isFutile(): boolean {
    return this.#futile >= this.#limits.maxFutileRequests;
  }

  #refused(code: keyof typeof RetransmitRejectCode, reason: string): Verdict {
    this.#futile += 1;
    return this.#isFutile ? tooOften(reason) : { kind: 'reject', code, reason };
  }
}

function tooOften(reason: string): Verdict {
  return { kind: 'terminate', code: 'ReRequestOutOfBounds', reason };
}
