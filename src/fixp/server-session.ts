/**
 * The server's end of a FIXP session (docs/ARCHITECTURE.md, "Session"), a machine without I/O: the client's flow is
 * idempotent or none, ours is recoverable. The host calls it with bytes and time, an application and an operator inside
 * a turn of the host. `#hear` and `#hearBound` are the table of what may be said when; all else ends the session.
 */
import type { Instant } from '../runtime/clock.ts';
import { type Authenticator, type Credentials, everyone } from '../transport/authentication.ts';
import type { PeerReject } from '../transport/folded-alarm.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Peer, Session, StoredMessages } from '../transport/session.ts';
import type { SessionCounts } from '../transport/session-roster.ts';
import {
  type Doorkeeper,
  type Establish,
  establishmentReject,
  type Negotiate,
  objectionToEstablish,
  objectionToNegotiate,
  type Refusal,
  strangerReject,
} from './admission.ts';
import type { FixpAppSession } from './application.ts';
import { readCredentials } from './credentials.ts';
import { FlowType } from './generated/codes.ts';
import { IdempotentFlow } from './idempotent-flow.ts';
import { RecoverableFlow } from './recoverable-flow.ts';
import { type CoreParts, FixpCore, type FixpPhase } from './session-core.ts';
import type { SeqRange } from './session-ids.ts';
import {
  fixpSchema,
  readSessionMessage,
  type SessionMessage,
  type SessionMessageOf,
  schemaIdOf,
} from './session-messages.ts';
import { type CancelOnDisconnect, type FixpSettings, fixpSessionName } from './settings.ts';

export interface ServerParts extends CoreParts {
  /** Without one, whoever names a user of the session is let in. */
  readonly authenticate?: Authenticator;
}

export class FixpServerSession implements Session, FixpAppSession {
  readonly name: string;
  readonly settings: FixpSettings;
  readonly #core: FixpCore;
  readonly #ours: RecoverableFlow;
  readonly #theirs: IdempotentFlow;
  readonly #authenticate: Authenticator;
  #peer: Peer = { address: '' };
  #isAdmitted = false;
  /** What this connection was let in with, until it is established. */
  #shown: Credentials | undefined;

  constructor(parts: ServerParts) {
    this.name = fixpSessionName(parts.settings.principal);
    this.settings = parts.settings;
    this.#authenticate = parts.authenticate ?? everyone;
    this.#core = new FixpCore(this, parts);
    this.#ours = new RecoverableFlow(this.#core);
    this.#theirs = new IdempotentFlow(this.#core, this.#ours);
  }

  // What may be seen. Numbers are those of the current session id.

  get phase(): FixpPhase {
    return this.#core.phase;
  }

  get sessionId(): string | undefined {
    return this.#core.flow?.sessionId;
  }

  get nextIn(): number {
    return this.#core.nextIn;
  }

  get nextOut(): number {
    return this.#core.nextOut;
  }

  /** Nothing waits for a gap in an idempotent flow. */
  get queued(): number {
    return 0;
  }

  /** Messages that no client has been handed yet. */
  get held(): number {
    return this.#ours.held;
  }

  get counts(): SessionCounts {
    return this.#core.counts;
  }

  get lastHeardWallMs(): number {
    return this.#core.lastHeardWallMs;
  }

  get cancelOnDisconnect(): CancelOnDisconnect {
    return this.#core.cancelOnDisconnect;
  }

  // What an application and an operator may ask, inside a turn.

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    return this.#ours.send(message, now);
  }

  applied(range: SeqRange, now: Instant): void {
    this.#ours.applied(range, now);
  }

  rejected(reject: PeerReject, now: Instant): void {
    this.#core.rejected(reject, now);
  }

  giveUp(text: string, now: Instant): void {
    this.#core.giveUp(text, now);
  }

  terminate(text: string | undefined, now: Instant): void {
    const core = this.#core;
    if (core.phase === 'connected') core.close(text ?? 'stopped');
    else core.terminate('Finished', text ?? '', now);
  }

  /** Sets the numbers of the current session id; false while there is a connection, or no id. */
  setNumbers(nextIn: number, nextOut: number): boolean {
    const { flow, ids, outbox, phase } = this.#core;
    if (phase !== 'down' || flow === undefined) return false;
    // What waits for the client stays, and begins with the number that was set.
    const handedTo = ids.handedTo ?? outbox.nextOut - 1;
    const outBase = handedTo - (nextOut - 1);
    ids.rebase({ inBase: outbox.nextIn - nextIn, outBase, outFrom: handedTo + 1 });
    this.#core.saveIds();
    return true;
  }

  /** Whether this request may take the session; undefined if so. No state that outlives the connection changes. */
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

  opened(peer: Peer, now: Instant): void {
    this.#peer = peer;
    this.#core.opened(now);
    if (!this.#isAdmitted) this.#core.close('the first message was not examined');
    this.#isAdmitted = false;
  }

  received(bytes: Uint8Array, now: Instant): void {
    this.#core.receive(bytes, now, this.#take);
  }

  proceed(now: Instant): void {
    this.#core.proceed(now, this.#take);
  }

  tick(now: Instant): number {
    const ours = this.#ours;
    if (now.monoMs >= ours.deadlineMs) ours.settle(now);
    return Math.min(
      this.#core.tick(now, () => ours.keepAlive(now)),
      ours.deadlineMs,
    );
  }

  fetched(piece: StoredMessages, now: Instant): void {
    this.#ours.fetched(piece, now);
  }

  /** Messages that wait have numbers here; none is held without. */
  fetchedHeld(): void {}

  flush(): void {
    this.#core.outbox.flush();
  }

  closed(now: Instant): void {
    this.#shown = undefined;
    this.#ours.park();
    this.#ours.stop();
    this.#core.closed(now);
  }

  // What the client says.

  readonly #take = (message: Uint8Array, now: Instant): void => {
    const core = this.#core;
    if (schemaIdOf(message) !== fixpSchema.id) {
      if (core.phase !== 'terminating') this.#theirs.take(message, now);
      return;
    }
    const heard = readSessionMessage(message);
    if (heard.name === 'fault') core.giveUp(heard.reason, now);
    else this.#hear(heard, now);
  };

  #hear(heard: SessionMessage, now: Instant): void {
    const core = this.#core;
    const { phase } = core;
    if (heard.name === 'Terminate') this.#terminated(heard, now);
    else if (phase === 'terminating') return;
    else if (phase === 'connected' && heard.name === 'Negotiate') this.#negotiate(heard, now);
    else if (heard.name === 'Establish') this.#establish(heard, now);
    else if (core.isBound) this.#hearBound(heard, now);
    else core.misused(`${heard.name} is not for a session that is ${phase}`, now);
  }

  /** While established or finishing. */
  #hearBound(heard: SessionMessage, now: Instant): void {
    const core = this.#core;
    const isMine = !('sessionId' in heard) || heard.sessionId === this.sessionId;
    const { isNumbered } = this.#theirs;
    // A RetransmitRequest may be for an earlier id.
    if (heard.name === 'RetransmitRequest') this.#ours.retransmit(heard, now);
    else if (!isMine) core.misused(`${heard.name} of another SessionId`, now);
    else if (heard.name === 'Sequence' && isNumbered) this.#theirs.sequence(heard.nextSeqNo, now);
    else if (heard.name === 'Context' && isNumbered) this.#theirs.sequence(heard.nextSeqNo, now);
    else if (heard.name === 'UnsequencedHeartbeat' && !isNumbered) return;
    else if (heard.name === 'FinishedSending') this.#finishedSending(heard, now);
    else if (heard.name === 'FinishedReceiving' && core.phase === 'finishing') this.#finished(now);
    else core.misused(`${heard.name} does not fit this session and its flows`, now);
  }

  #negotiate({ sessionId, timestamp, clientFlow }: Negotiate, now: Instant): void {
    const core = this.#core;
    core.ids.begin(sessionId, clientFlow, core.outbox);
    core.ids.lastRequestNs = timestamp;
    core.saveIds();
    core.phase = 'negotiated';
    core.say(
      {
        name: 'NegotiationResponse',
        sessionId,
        requestTimestamp: timestamp,
        serverFlow: FlowType.Recoverable,
        credentials: Buffer.alloc(0),
      },
      now,
    );
    core.application.onNegotiated?.(this, now);
  }

  #establish(request: Establish, now: Instant): void {
    const core = this.#core;
    if (core.isBound) {
      const twice = establishmentReject(request, 'AlreadyEstablished', 'it is established already');
      core.say(twice.answer, now);
      return;
    }
    // The first message of a connection was examined before it got the session.
    const isFirst = core.phase === 'connected';
    const refusal = isFirst ? undefined : this.#objectionTo(request, now);
    this.#shown = undefined;
    if (refusal === undefined) {
      this.#bind(request, now);
      return;
    }
    core.say(refusal.answer, now);
    core.close(refusal.answer.reason);
  }

  /** Nothing is found out for a connection that could have shown what it was let in with. */
  #objectionTo(request: Establish, now: Instant): Refusal | undefined {
    const bound = { shown: this.#shown };
    const objection = objectionToEstablish(request, this.#door(false), this.#peer, now, bound);
    if (!(objection instanceof PendingVerdict)) return objection;
    objection.giveUp();
    return strangerReject(request);
  }

  #bind(request: Establish, now: Instant): void {
    const core = this.#core;
    const { sessionId, timestamp, keepaliveInterval } = request;
    core.established(keepaliveInterval, now);
    core.cancelOnDisconnect = {
      type: request.cancelOnDisconnectType ?? null,
      windowMs: request.codTimeoutWindow ?? null,
    };
    if (timestamp > core.ids.lastRequestNs) core.ids.lastRequestNs = timestamp;
    this.#ours.bound();
    core.saveIds();
    core.say(
      {
        name: 'EstablishmentAck',
        sessionId,
        requestTimestamp: timestamp,
        keepaliveInterval: this.settings.keepaliveMs,
        nextSeqNo: core.nextOut,
        lastIncomingSeqNo: core.nextIn - 1,
      },
      now,
    );
    this.#theirs.resume(request.nextSeqNo, now);
    core.effects.loggedOn();
    core.application.onEstablished?.(this, now);
  }

  #finishedSending({ lastSeqNo }: SessionMessageOf<'FinishedSending'>, now: Instant): void {
    const core = this.#core;
    this.#theirs.sequence(lastSeqNo === undefined ? core.inSeq : lastSeqNo + 1, now);
    const { flow } = core;
    if (!core.isBound || flow === undefined) return;
    this.#ours.settle(now);
    core.phase = 'finishing';
    core.say({ name: 'FinishedReceiving', sessionId: flow.sessionId }, now);
    this.#ours.finish(now);
  }

  /** Each side has all that the other sent. */
  #finished(now: Instant): void {
    this.#core.terminate('Finished', 'the session is finalized', now);
    this.#ours.finished();
  }

  #terminated(heard: SessionMessageOf<'Terminate'>, now: Instant): void {
    const core = this.#core;
    const isMine = core.phase === 'terminating' || heard.sessionId === this.sessionId;
    if (isMine) core.terminated(heard.code, heard.reason, now);
    else core.misused('Terminate of another SessionId', now);
  }

  #door(isStopped: boolean): Doorkeeper {
    const { ids, phase } = this.#core;
    return { settings: this.settings, authenticate: this.#authenticate, ids, phase, isStopped };
  }
}
