/**
 * Our flow to the client (FIXP 1.1, "Recoverable flow"): each message has a sequence number and is stored. It is sent
 * at once to a connected client; a client that reconnects requests it. Messages that were never sent under one session
 * id are the first of the next id's flow (docs/decisions/0105-fixp-sessions-and-flows.md).
 */
import type { Instant } from '../runtime/clock.ts';
import type { StoredMessages } from '../transport/session.ts';
import { framingHeaderSize } from './framing.ts';
import { RetransmitRejectCode } from './generated/codes.ts';
import { type Answer, Retransmission } from './retransmission.ts';
import type { FixpCore } from './session-core.ts';
import type { SeqRange } from './session-ids.ts';
import { type SessionMessageOf, writeSessionMessage } from './session-messages.ts';
import { maxSentBytes } from './settings.ts';

type Request = SessionMessageOf<'RetransmitRequest'>;

/** Applied is sent with the next message, and at the latest after this time. */
export const appliedWaitMs = 20;
const never = Number.POSITIVE_INFINITY;

export class RecoverableFlow {
  readonly #core: FixpCore;
  readonly #retransmission: Retransmission;
  /** The store's numbers of the last message announced when the client established, and of the flow's last. */
  #backlogTo = 0;
  #finishedTo: number | undefined;
  /** The numbers to acknowledge with Applied, and the deadline. */
  #applied: SeqRange | undefined;
  #appliedDueMs = never;

  constructor(core: FixpCore) {
    this.#core = core;
    this.#retransmission = new Retransmission(core.settings);
  }

  /** The number of messages that were never sent to a client. */
  get held(): number {
    const { ids, outbox } = this.#core;
    return ids.handedTo === null ? 0 : outbox.nextOut - 1 - ids.handedTo;
  }

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    const core = this.#core;
    this.settle(now);
    if (message.length > maxSentBytes)
      throw new RangeError(`a message of ${message.length} bytes is longer than ${maxSentBytes}`);
    if (core.phase === 'established') {
      core.frames.put(message);
      core.outbox.kept();
      core.liveness.sent(now.monoMs);
      if (core.nextOut > core.settings.maxSeqNo) this.#usedUp(now);
      return 'sent';
    }
    this.park();
    if (this.held >= core.settings.maxHeldMessages) {
      core.foldedAlarm('held_full', `${this.held} messages wait for the client`, now);
      return 'full';
    }
    core.frames.put(message);
    core.outbox.keptForLater();
    return 'held';
  }

  /** Applied and NotApplied have numbers in our flow, like application messages. */
  report(name: 'Applied' | 'NotApplied', { fromSeq, toSeq }: SeqRange, now: Instant): void {
    this.send(writeSessionMessage({ name, fromSeqNo: fromSeq, count: toSeq - fromSeq + 1 }), now);
  }

  /** Sends Applied with the next message, or soon: an immediate write to the client would delay the order itself. */
  applied(range: SeqRange, now: Instant): void {
    const waiting = this.#applied;
    if (waiting?.toSeq === range.fromSeq - 1) {
      this.#applied = { fromSeq: waiting.fromSeq, toSeq: range.toSeq };
      return;
    }
    this.settle(now);
    this.#applied = range;
    this.#appliedDueMs = now.monoMs + appliedWaitMs;
  }

  /** When `settle` is due. */
  get deadlineMs(): number {
    return this.#appliedDueMs;
  }

  /** Sends Applied for the pending numbers. A client that is disconnecting gets them in its next EstablishmentAck. */
  settle(now: Instant): void {
    const range = this.#applied;
    if (range === undefined) return;
    this.#forget();
    if (this.#core.phase === 'established') this.report('Applied', range, now);
  }

  /** The client is connected and receives the current sequence number. */
  bound(): void {
    const { ids, outbox } = this.#core;
    this.#finishedTo = undefined;
    this.#backlogTo = outbox.nextOut - 1;
    if (this.held === 0) ids.handedTo = null;
  }

  /** Sends nothing more on this connection, and records how far the client received our messages. */
  park(): void {
    const { ids, outbox } = this.#core;
    if (ids.handedTo !== null) return;
    ids.handedTo = outbox.nextOut - 1;
    this.#core.saveIds();
  }

  stop(): void {
    this.#retransmission.stop();
    this.#forget();
  }

  keepAlive(now: Instant): void {
    const core = this.#core;
    if (core.phase === 'finishing') this.#sendFinished(now);
    else core.post({ name: 'Sequence', nextSeqNo: core.nextOut }, now);
  }

  /** Later messages wait for the next session id. */
  finish(now: Instant): void {
    this.park();
    this.#finishedTo ??= this.#core.outbox.nextOut - 1;
    this.#sendFinished(now);
  }

  /** The client has everything, so the session id ends. */
  finished(): void {
    const { ids, outbox } = this.#core;
    const last = this.#finishedTo ?? outbox.nextOut - 1;
    ids.handedTo = Math.max(ids.handedTo ?? 0, last);
    ids.end(last);
    this.#core.saveIds();
  }

  retransmit(request: Request, now: Instant): void {
    const core = this.#core;
    const flow = core.ids.find(request.sessionId);
    const lastOut = this.#finishedTo ?? core.outbox.nextOut - 1;
    const verdict = this.#retransmission.ask(request, flow, lastOut);
    switch (verdict.kind) {
      case 'wait':
        return;
      case 'fetch':
        core.counts.resends += 1;
        core.effects.fetch(verdict.fromSeq, verdict.toSeq);
        return;
      case 'reject':
        this.#reject(request, verdict.code, verdict.reason, now);
        return;
      case 'terminate':
        core.foldedAlarm('resend_loop', verdict.reason, now);
        core.endWith(verdict.code, verdict.reason, now);
        return;
    }
  }

  fetched(piece: StoredMessages, now: Instant): void {
    const core = this.#core;
    if (!core.isBound) return;
    const answer = this.#retransmission.piece(piece);
    if (answer === undefined) return;
    this.#answer(answer, now);
    const next = this.#retransmission.next();
    if (next !== undefined) this.retransmit(next, now);
  }

  #answer({ request, flow, fromSeq, oldestKept, frames }: Answer, now: Instant): void {
    const core = this.#core;
    const count = frames.length;
    if (count === 0) {
      const reason = `the numbers below ${oldestKept - flow.outBase} are no longer kept`;
      core.foldedAlarm('beyond_retention', `${reason} but were requested`, now);
      this.#reject(request, 'OutOfRange', reason, now);
      this.#handed(fromSeq, oldestKept - 1);
      return;
    }
    const { sessionId, timestamp: requestTimestamp } = request;
    const nextSeqNo = fromSeq - flow.outBase;
    core.post({ name: 'Retransmission', sessionId, requestTimestamp, nextSeqNo, count }, now);
    // The store keeps frames as they were first sent.
    for (const frame of frames) {
      core.frames.put(frame.subarray(framingHeaderSize));
      core.outbox.unnumbered();
    }
    this.keepAlive(now);
    this.#handed(fromSeq, fromSeq + count - 1);
  }

  #forget(): void {
    this.#applied = undefined;
    this.#appliedDueMs = never;
  }

  #reject(
    { sessionId, timestamp: requestTimestamp }: Request,
    code: keyof typeof RetransmitRejectCode,
    reason: string,
    now: Instant,
  ): void {
    const answer = { name: 'RetransmitReject', sessionId, requestTimestamp, reason } as const;
    this.#core.post({ ...answer, code: RetransmitRejectCode[code] }, now);
  }

  /** The queued messages were sent or are gone; those after the last of them were sent as they arrived. */
  #handed(fromSeq: number, toSeq: number): void {
    const { ids } = this.#core;
    // A client may ask for the same messages again and again, and the record has every id.
    if (ids.handedTo === null || fromSeq > ids.handedTo + 1 || toSeq <= ids.handedTo) return;
    ids.handedTo = toSeq;
    if (ids.handedTo >= this.#backlogTo) ids.handedTo = this.#finishedTo ?? null;
    this.#core.saveIds();
  }

  #sendFinished(now: Instant): void {
    const { flow } = this.#core;
    if (flow === undefined || this.#finishedTo === undefined) return;
    const lastSeqNo = this.#finishedTo - flow.outBase || undefined;
    this.#core.post({ name: 'FinishedSending', sessionId: flow.sessionId, lastSeqNo }, now);
  }

  #usedUp(now: Instant): void {
    const core = this.#core;
    const text = 'the numbers of this session are used up: negotiate a new one';
    core.alarm('numbers_ending', text);
    core.endWith('Finished', text, now);
    this.park();
    core.ids.end(core.outbox.nextOut - 1);
    core.saveIds();
  }
}
