/**
 * The server's end of a FIXP session (docs/ARCHITECTURE.md, "Session"), a state machine without I/O: the client's flow
 * is idempotent or none, ours is recoverable. The host calls it with bytes and time; an application and an operator
 * call it within a transaction of the host. `#onSession` and `#onBound` are the table of allowed messages by state; any
 * other message ends the session.
 */
import type { Instant } from '../runtime/clock.ts';
import { type Authenticator, type Credentials, everyone } from '../transport/authentication.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Peer, StoredMessages } from '../transport/session.ts';
import {
  type Doorkeeper,
  type Establish,
  type Negotiate,
  objectionToEstablish,
  objectionToNegotiate,
  type Refusal,
  rejectOf,
  strangerReject,
} from './admission.ts';
import { readCredentials } from './credentials.ts';
import { FlowType } from './generated/codes.ts';
import { IdempotentFlow, maxCount } from './idempotent-flow.ts';
import { RecoverableFlow } from './recoverable-flow.ts';
import { type CoreParts, FixpCore } from './session-core.ts';
import type { SeqRange } from './session-ids.ts';
import {
  fixpSchema,
  readSessionMessage,
  type SessionMessage,
  type SessionMessageOf,
  schemaIdOf,
} from './session-messages.ts';

export interface ServerParts extends CoreParts {
  /** Without an authenticator, any client that names a user of the session is admitted. */
  readonly authenticate?: Authenticator;
}

export class FixpServerSession extends FixpCore {
  readonly #ours: RecoverableFlow;
  readonly #theirs: IdempotentFlow;
  readonly #authenticate: Authenticator;
  #peer: Peer = { address: '' };
  #isAdmitted = false;
  /** The credentials that were admitted on this connection, until it is established. */
  #shown: Credentials | undefined;

  constructor(parts: ServerParts) {
    super(parts);
    this.#authenticate = parts.authenticate ?? everyone;
    this.#ours = new RecoverableFlow(this);
    this.#theirs = new IdempotentFlow(this, this.#ours);
  }

  override get held(): number {
    return this.#ours.held;
  }

  // Calls for applications and operators, inside a transaction.

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    return this.#ours.send(message, now);
  }

  override applied(range: SeqRange, now: Instant): void {
    this.#ours.applied(range, now);
  }

  /** Numbers that an operator skips must fit into one NotApplied. */
  get maxNumber(): number {
    return this.flow === undefined ? 0 : Math.min(this.settings.maxSeqNo, maxCount);
  }

  /** Sets the numbers of the current session id; false while there is a connection, or no id. */
  setNumbers(nextIn: number, nextOut: number): boolean {
    const { flow, ids, outbox, phase } = this;
    if (phase !== 'down' || flow === undefined) return false;
    // Stored messages for the client remain, and start at the new number.
    const handedTo = ids.handedTo ?? outbox.nextOut - 1;
    const outBase = handedTo - (nextOut - 1);
    if (nextIn > this.nextIn) ids.missed({ fromSeq: this.nextIn, toSeq: nextIn - 1 });
    ids.rebase({ inBase: outbox.nextIn - nextIn, outBase, outFrom: handedTo + 1 }, nextIn);
    this.saveIds();
    this.application.onReset?.();
    return true;
  }

  /** Returns why this request may not take the session; undefined if it may. It changes only the connection's state. */
  examine(
    request: Negotiate | Establish,
    peer: Peer,
    now: Instant,
    isStopped: boolean,
  ): Refusal | PendingVerdict | undefined {
    const door = this.#door(isStopped);
    const verdict =
      request.name === 'Negotiate'
        ? objectionToNegotiate(request, door, peer, now)
        : objectionToEstablish(request, door, peer, now);
    this.#isAdmitted = verdict === undefined;
    if (this.#isAdmitted) this.#shown = readCredentials(request.credentials);
    return verdict;
  }

  // The host's side.

  override opened(peer: Peer, now: Instant): void {
    this.#peer = peer;
    super.opened(peer, now);
    if (!this.#isAdmitted) this.close('the first message was not examined');
    this.#isAdmitted = false;
  }

  override tick(now: Instant): number {
    const ours = this.#ours;
    if (now.monoMs >= ours.deadlineMs) ours.settle(now);
    return Math.min(super.tick(now), ours.deadlineMs);
  }

  fetched(piece: StoredMessages, now: Instant): void {
    this.#ours.fetched(piece, now);
  }

  override closed(now: Instant): void {
    this.#shown = undefined;
    this.#ours.park();
    this.#ours.stop();
    super.closed(now);
  }

  protected keepAlive(now: Instant): void {
    this.#ours.keepAlive(now);
  }

  // Messages of the client.

  protected take(message: Uint8Array, now: Instant): void {
    if (schemaIdOf(message) !== fixpSchema.id) {
      if (this.phase !== 'terminating') this.#theirs.take(message, now);
      return;
    }
    const received = readSessionMessage(message);
    if (received.name === 'fault') this.giveUp(received.reason, now);
    else this.#onSession(received, now);
  }

  #onSession(received: SessionMessage, now: Instant): void {
    const { phase } = this;
    if (received.name === 'Terminate') this.#terminated(received, now);
    else if (phase === 'terminating') return;
    else if (phase === 'connected' && received.name === 'Negotiate') this.#negotiate(received, now);
    else if (received.name === 'Establish') this.#establish(received, now);
    else if (this.isBound) this.#onBound(received, now);
    else this.misused(`${received.name} is not for a session that is ${phase}`, now);
  }

  /** Handles messages while established or finishing. */
  #onBound(received: SessionMessage, now: Instant): void {
    const isMine = !('sessionId' in received) || received.sessionId === this.sessionId;
    const { isNumbered } = this.#theirs;
    // A RetransmitRequest may refer to an earlier id.
    if (received.name === 'RetransmitRequest') this.#ours.retransmit(received, now);
    else if (!isMine) this.misused(`${received.name} of another SessionId`, now);
    else if ((received.name === 'Sequence' || received.name === 'Context') && isNumbered)
      this.#theirs.sequence(received.nextSeqNo, now);
    else if (received.name === 'UnsequencedHeartbeat' && !isNumbered) return;
    else if (received.name === 'FinishedSending') this.#finishedSending(received, now);
    else if (received.name === 'FinishedReceiving' && this.phase === 'finishing')
      this.#finished(now);
    else this.misused(`${received.name} does not fit this session and its flows`, now);
  }

  #negotiate({ sessionId, timestamp, clientFlow }: Negotiate, now: Instant): void {
    this.ids.begin(sessionId, clientFlow, this.outbox);
    this.ids.lastRequestNs = timestamp;
    this.saveIds();
    this.phase = 'negotiated';
    this.post(
      {
        name: 'NegotiationResponse',
        sessionId,
        requestTimestamp: timestamp,
        serverFlow: FlowType.Recoverable,
        credentials: Buffer.alloc(0),
      },
      now,
    );
    this.application.onReset?.();
  }

  #establish(request: Establish, now: Instant): void {
    if (this.isBound) {
      const twice = rejectOf(request, 'AlreadyEstablished', 'it is established already');
      this.post(twice.answer, now);
      return;
    }
    // The first message of a connection was checked before it got the session.
    const isFirst = this.phase === 'connected';
    const refusal = isFirst ? undefined : this.#objectionTo(request, now);
    this.#shown = undefined;
    if (refusal === undefined) {
      this.#bind(request, now);
      return;
    }
    this.post(refusal.answer, now);
    this.close(refusal.answer.reason);
  }

  /** A connection that could have repeated its accepted credentials is not checked again. */
  #objectionTo(request: Establish, now: Instant): Refusal | undefined {
    const bound = { shown: this.#shown };
    const objection = objectionToEstablish(request, this.#door(false), this.#peer, now, bound);
    if (!(objection instanceof PendingVerdict)) return objection;
    objection.giveUp();
    return strangerReject(request);
  }

  #bind(request: Establish, now: Instant): void {
    const { sessionId, timestamp, keepaliveInterval } = request;
    this.established(keepaliveInterval, now);
    this.cancelOnDisconnect = {
      type: request.cancelOnDisconnectType ?? null,
      windowMs: request.codTimeoutWindow ?? null,
    };
    if (timestamp > this.ids.lastRequestNs) this.ids.lastRequestNs = timestamp;
    this.#ours.bound();
    this.saveIds();
    this.post(
      {
        name: 'EstablishmentAck',
        sessionId,
        requestTimestamp: timestamp,
        keepaliveInterval: this.settings.keepaliveMs,
        nextSeqNo: this.nextOut,
        lastIncomingSeqNo: this.nextIn - 1,
      },
      now,
    );
    this.#theirs.resume(request.nextSeqNo, now);
    this.effects.loggedOn();
    this.application.onEstablished?.(this, now);
  }

  #finishedSending({ lastSeqNo }: SessionMessageOf<'FinishedSending'>, now: Instant): void {
    this.#theirs.sequence(lastSeqNo === undefined ? this.inSeq : lastSeqNo + 1, now);
    const { flow } = this;
    if (!this.isBound || flow === undefined) return;
    this.#ours.settle(now);
    this.phase = 'finishing';
    this.post({ name: 'FinishedReceiving', sessionId: flow.sessionId }, now);
    this.#ours.finish(now);
  }

  /** Each side has everything that the other sent. */
  #finished(now: Instant): void {
    this.endWith('Finished', 'the session is finalized', now);
    this.#ours.finished();
  }

  #terminated(received: SessionMessageOf<'Terminate'>, now: Instant): void {
    const isMine = this.phase === 'terminating' || received.sessionId === this.sessionId;
    if (isMine) this.terminated(received.code, received.reason, now);
    else this.misused('Terminate of another SessionId', now);
  }

  #door(isStopped: boolean): Doorkeeper {
    const { ids, phase } = this;
    return { settings: this.settings, authenticate: this.#authenticate, ids, phase, isStopped };
  }
}
