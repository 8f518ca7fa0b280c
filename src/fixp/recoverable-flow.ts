/**
 * Our flow to the client (FIXP 1.1, "Recoverable flow"): each message has a number and is kept, said at once to a client
 * that is there and asked for by one that comes back. What was never said under one session id begins the next
 * (docs/decisions/0105-fixp-sessions-and-flows.md).
 */
import type { Instant } from '../runtime/clock.ts';
import type { StoredMessages } from '../transport/session.ts';
import { framingHeaderSize } from './framing.ts';
import { RetransmitRejectCode } from './generated/codes.ts';
import { type Answer, Retransmission } from './retransmission.ts';
import type { FixpCore } from './session-core.ts';
import type { SeqRange } from './session-ids.ts';
import { type SessionMessageOf, writeSessionMessage } from './session-messages.ts';

type Request = SessionMessageOf<'RetransmitRequest'>;

/** Applied goes out with the next message, at the latest after this. */
export const appliedWaitMs = 20;
const never = Number.POSITIVE_INFINITY;

export class RecoverableFlow {
  readonly #core: FixpCore;
  readonly #retransmission: Retransmission;
  /** Numbers of the store: what the client was told of when it came, and what we finished with. */
  #backlogTo = 0;
  #finishedTo: number | undefined;
  /** What the client is to be told of as Applied, and by when. */
  #applied: SeqRange | undefined;
  #appliedDueMs = never;

  constructor(core: FixpCore) {
    this.#core = core;
    this.#retransmission = new Retransmission(core.settings);
    core.ids.handedTo ??= core.outbox.nextOut - 1;
  }

  /** Messages that no client has been handed yet. */
  get held(): number {
    const { ids, outbox } = this.#core;
    return ids.handedTo === null ? 0 : outbox.nextOut - 1 - ids.handedTo;
  }

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    const core = this.#core;
    this.settle(now);
    const { maxMessageBytes, maxHeldMessages } = core.settings;
    if (message.length > maxMessageBytes)
      throw new RangeError(
        `a message of ${message.length} bytes is longer than ${maxMessageBytes}`,
      );
    if (core.phase === 'established') {
      core.frames.put(message);
      core.outbox.kept();
      core.liveness.sent(now.monoMs);
      if (core.nextOut > core.settings.maxSeqNo) this.#usedUp(now);
      return 'sent';
    }
    this.park();
    if (this.held >= maxHeldMessages) {
      core.alarm('held_full', `${this.held} messages wait for the client`);
      return 'full';
    }
    core.frames.put(message);
    core.outbox.keptForLater();
    return 'held';
  }

  /** Applied and NotApplied have a number in our flow, as messages of the application have. */
  tell(name: 'Applied' | 'NotApplied', { fromSeq, toSeq }: SeqRange, now: Instant): void {
    this.send(writeSessionMessage({ name, fromSeqNo: fromSeq, count: toSeq - fromSeq + 1 }), now);
  }

  /** Tells of it with the next message, or soon: a write to the client at once would hold up the order itself. */
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

  /** Says Applied of what waits for it; to a client that is going, its next EstablishmentAck says as much. */
  settle(now: Instant): void {
    const range = this.#applied;
    if (range === undefined) return;
    this.#forget();
    if (this.#core.phase === 'established') this.tell('Applied', range, now);
  }

  /** The client is there and is told how far the numbers go. */
  bound(): void {
    const { ids, outbox } = this.#core;
    this.#finishedTo = undefined;
    this.#backlogTo = outbox.nextOut - 1;
    if (this.held === 0) ids.handedTo = null;
  }

  /** No more goes out on this connection: notes how far the client was handed our messages. */
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

  /** What follows waits for the next session id. */
  finish(now: Instant): void {
    this.park();
    this.#finishedTo ??= this.#core.outbox.nextOut - 1;
    this.#sendFinished(now);
  }

  /** The client has all of it: the id is dead. */
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
        core.alarm('resend_loop', verdict.reason);
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
      core.alarm('beyond_retention', `${reason} and were asked for`);
      this.#reject(request, 'OutOfRange', reason, now);
      return;
    }
    const { sessionId, timestamp: requestTimestamp } = request;
    const nextSeqNo = fromSeq - flow.outBase;
    core.post({ name: 'Retransmission', sessionId, requestTimestamp, nextSeqNo, count }, now);
    // The store keeps frames as they first went out.
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

  /** Messages that waited went out at last; what came behind the last of them was said as it came. */
  #handed(fromSeq: number, toSeq: number): void {
    const { ids } = this.#core;
    if (ids.handedTo === null || fromSeq > ids.handedTo + 1) return;
    ids.handedTo = Math.max(ids.handedTo, toSeq);
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
