/**
 * The client's end of a FIXP session, a machine without I/O: it negotiates a session id, or establishes the one that it
 * has, sends an idempotent flow and reads the server's recoverable one. What it sends is not kept: an order that waits
 * is stale, so after NotApplied the application decides whether to send it again.
 */
import { randomBytes } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import type { PeerReject } from '../transport/folded-alarm.ts';
import type { Peer, Session } from '../transport/session.ts';
import type { SessionCounts } from '../transport/session-roster.ts';
import type { FixpAppSession } from './application.ts';
import { writeCredentials } from './credentials.ts';
import { EstablishmentRejectCode, FlowType } from './generated/codes.ts';
import { Recovery } from './recovery.ts';
import { type NamedRequest, requestTime } from './request.ts';
import { type CoreParts, FixpCore, type FixpPhase } from './session-core.ts';
import {
  fixpSchema,
  readSessionMessage,
  type SessionMessage,
  type SessionMessageOf,
  schemaIdOf,
} from './session-messages.ts';
import { type CancelOnDisconnect, type FixpSettings, fixpSessionName } from './settings.ts';

export interface ClientParts extends CoreParts {
  /** 32 hex digits, never the same twice; by chance when absent. */
  readonly newSessionId?: () => string;
}

export class FixpClientSession implements Session, FixpAppSession {
  readonly name: string;
  readonly settings: FixpSettings;
  readonly #core: FixpCore;
  readonly #recovery: Recovery;
  readonly #newSessionId: () => string;
  /** The Negotiate or Establish that waits for its answer. */
  #request: NamedRequest | undefined;
  /** The last number of the server's flow, once it has said so. */
  #theirLast: number | undefined;
  #isReceived = false;

  constructor(parts: ClientParts) {
    this.name = fixpSessionName(parts.settings.principal);
    this.settings = parts.settings;
    this.#newSessionId = parts.newSessionId ?? randomSessionId;
    // What a client said is the server's affair: a new session id begins with the next message.
    parts.ids.handedTo = null;
    this.#core = new FixpCore(this, parts);
    this.#recovery = new Recovery(this.#core, (message, seq, now) =>
      this.#deliver(message, seq, now),
    );
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

  /** Messages that wait for a gap to be filled. */
  get queued(): number {
    return this.#recovery.queued;
  }

  get held(): number {
    return 0;
  }

  get counts(): SessionCounts {
    return this.#core.counts;
  }

  get lastHeardWallMs(): number {
    return this.#core.lastHeardWallMs;
  }

  get cancelOnDisconnect(): CancelOnDisconnect {
    return this.settings.cancelOnDisconnect;
  }

  // What an application and an operator may ask, inside a turn.

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    const core = this.#core;
    if (core.phase !== 'established' || core.nextOut > this.settings.maxSeqNo) return 'full';
    core.frames.put(message);
    core.outbox.numbered();
    core.keepalive.said(now.monoMs);
    return 'sent';
  }

  /** The server's flow is recoverable: it has no use for that. */
  applied(): void {}

  rejected(reject: PeerReject, now: Instant): void {
    this.#core.rejected(reject, now);
  }

  giveUp(text: string, now: Instant): void {
    this.#core.giveUp(text, now);
  }

  /** The last message was sent: the session id is given up once both sides have all. False unless established. */
  finish(now: Instant): boolean {
    const core = this.#core;
    if (core.phase !== 'established') return false;
    core.phase = 'finishing';
    this.#keepAlive(now);
    return true;
  }

  terminate(text: string | undefined, now: Instant): void {
    const core = this.#core;
    if (core.phase === 'connected') core.close(text ?? 'stopped');
    else core.terminate('Finished', text ?? '', now);
  }

  /** A client's numbers are those of its session id: only a new id begins anew. */
  setNumbers(): boolean {
    return false;
  }

  // The host's side.

  opened(_peer: Peer, now: Instant): void {
    this.#core.opened(now);
    this.#recovery.reset();
    this.#theirLast = undefined;
    this.#isReceived = false;
    if (this.#core.flow === undefined) this.#negotiate(now);
    else this.#establish(this.#core.flow.sessionId, now);
  }

  received(bytes: Uint8Array, now: Instant): void {
    this.#core.receive(bytes, now, this.#take);
  }

  tick(now: Instant): number {
    const core = this.#core;
    if (core.isBound && now.monoMs >= this.#recovery.deadlineMs) {
      core.alarm('resend_unanswered', 'a RetransmitRequest of ours was not answered');
      core.terminate('UnspecifiedError', 'RetransmitRequest was not answered', now);
    }
    const dueMs = core.tick(now, () => this.#keepAlive(now));
    return core.isBound ? Math.min(dueMs, this.#recovery.deadlineMs) : dueMs;
  }

  /** A client keeps nothing. */
  fetched(): void {}

  fetchedHeld(): void {}

  flush(): void {
    this.#core.outbox.flush();
  }

  closed(now: Instant): void {
    this.#core.closed(now);
  }

  // What the server says.

  readonly #take = (message: Uint8Array, now: Instant): void => {
    const core = this.#core;
    const heard = schemaIdOf(message) === fixpSchema.id ? readSessionMessage(message) : undefined;
    const isNumbered =
      heard === undefined || heard.name === 'Applied' || heard.name === 'NotApplied';
    if (heard?.name === 'fault') core.giveUp(heard.reason, now);
    else if (heard?.name === 'Terminate') core.terminated(heard.code, heard.reason, now);
    else if (core.phase === 'terminating') return;
    else if (!isNumbered) this.#hear(heard, now);
    else if (core.isBound) this.#recovery.arrived(message, now);
    else core.misused(`an application message is not for a session that is ${core.phase}`, now);
    this.#receivedAll(now);
  };

  #hear(heard: SessionMessage, now: Instant): void {
    if (this.#core.isBound) {
      this.#hearBound(heard, now);
      return;
    }
    // An answer to another request is old, or not meant for us.
    const { sessionId, timestampNs, request } = this.#request ?? {};
    if (!('requestTimestamp' in heard) || heard.requestTimestamp !== timestampNs) return;
    if (heard.sessionId !== sessionId) return;
    if (request === 'Negotiate') this.#negotiated(heard, sessionId, now);
    else this.#answeredEstablish(heard, now);
  }

  #hearBound(heard: SessionMessage, now: Instant): void {
    const core = this.#core;
    switch (heard.name) {
      case 'Sequence':
      case 'Context':
        this.#recovery.follows(heard.nextSeqNo, now);
        return;
      case 'Retransmission':
        this.#recovery.replay(heard, now);
        return;
      case 'RetransmitReject':
        this.#recovery.refused(heard, now);
        return;
      case 'FinishedSending':
        this.#theirLast = heard.lastSeqNo ?? 0;
        this.#recovery.follows(Math.max(this.#theirLast + 1, core.nextIn), now);
        return;
      case 'FinishedReceiving':
        if (core.phase === 'finishing') this.#isReceived = true;
        else core.misused('FinishedReceiving without FinishedSending', now);
        return;
      case 'EstablishmentReject':
        // Of a second Establish, which this client never says.
        return;
      default:
        core.misused(`${heard.name} does not fit this session and its flows`, now);
    }
  }

  #negotiated(heard: SessionMessage, sessionId: string, now: Instant): void {
    const core = this.#core;
    if (heard.name === 'NegotiationResponse') {
      core.ids.begin(sessionId, FlowType.Idempotent, core.outbox);
      core.saveIds();
      core.phase = 'negotiated';
      this.#establish(sessionId, now);
    } else if (heard.name === 'NegotiationReject') this.#refused(heard);
  }

  #answeredEstablish(heard: SessionMessage, now: Instant): void {
    const core = this.#core;
    if (heard.name === 'EstablishmentReject') {
      const isLost = heard.code === EstablishmentRejectCode.Unnegotiated;
      if (isLost) core.ids.end(core.outbox.nextOut - 1);
      if (isLost) core.saveIds();
      this.#refused(heard);
    } else if (heard.name === 'EstablishmentAck') {
      this.#request = undefined;
      core.established(heard.keepaliveInterval, now);
      this.#recovery.follows(heard.nextSeqNo ?? core.nextIn, now);
      if (core.phase === 'established') {
        core.effects.loggedOn();
        core.application.onEstablished?.(this, now);
      }
    }
  }

  #refused({ name, reason }: { readonly name: string; readonly reason: string }): void {
    this.#core.alarm('refused', `${name}: ${reason}`);
    this.#core.close(reason);
  }

  #deliver(message: Uint8Array, seq: number, now: Instant): void {
    const { application } = this.#core;
    if (schemaIdOf(message) !== fixpSchema.id) {
      application.onMessage(message, seq, this, now);
      return;
    }
    const told = readSessionMessage(message);
    if (told.name !== 'Applied' && told.name !== 'NotApplied') return;
    const range = { fromSeq: told.fromSeqNo, toSeq: told.fromSeqNo + told.count - 1 };
    if (told.name === 'Applied') application.onApplied?.(range, this, now);
    else application.onNotApplied?.(range, this, now);
  }

  /** Says so when the server's flow is finished and here; the server then ends the session. */
  #receivedAll(now: Instant): void {
    const core = this.#core;
    const { flow } = core;
    if (this.#theirLast === undefined || core.nextIn <= this.#theirLast) return;
    if (core.phase !== 'finishing' || !this.#isReceived || flow === undefined) return;
    this.#theirLast = undefined;
    core.say({ name: 'FinishedReceiving', sessionId: flow.sessionId }, now);
    core.ids.end(core.outbox.nextOut - 1);
    core.saveIds();
    core.phase = 'terminating';
    core.isGraceful = true;
    core.endReason = 'the session is finalized';
    core.deadlineMs = now.monoMs + this.settings.terminateWaitMs;
  }

  // What we say.

  #negotiate(now: Instant): void {
    const sessionId = this.#newSessionId();
    const { timestampNs, credentials } = this.#sign('Negotiate', sessionId, now);
    const clientFlow = FlowType.Idempotent;
    const message = { name: 'Negotiate', sessionId, clientFlow, credentials } as const;
    this.#core.say({ ...message, timestamp: timestampNs }, now);
  }

  #establish(sessionId: string, now: Instant): void {
    const { timestampNs, credentials } = this.#sign('Establish', sessionId, now);
    const { cancelOnDisconnect, keepaliveMs } = this.settings;
    const establish: SessionMessageOf<'Establish'> = {
      name: 'Establish',
      sessionId,
      timestamp: timestampNs,
      keepaliveInterval: keepaliveMs,
      nextSeqNo: this.#core.nextOut,
      cancelOnDisconnectType: cancelOnDisconnect.type ?? undefined,
      codTimeoutWindow: cancelOnDisconnect.windowMs ?? undefined,
      credentials,
    };
    this.#core.say(establish, now);
  }

  #sign(request: NamedRequest['request'], sessionId: string, now: Instant) {
    const { ids } = this.#core;
    const timestampNs = requestTime(now.wallMs, ids.lastRequestNs);
    ids.lastRequestNs = timestampNs;
    this.#request = { request, sessionId, timestampNs };
    const { credentials, principal } = this.settings;
    const proof = credentials?.() ?? { username: principal };
    return { timestampNs, credentials: writeCredentials(proof) };
  }

  #keepAlive(now: Instant): void {
    const core = this.#core;
    if (core.flow === undefined) return;
    const { sessionId } = core.flow;
    const lastSeqNo = core.nextOut - 1 || undefined;
    if (core.phase === 'finishing')
      core.say({ name: 'FinishedSending', sessionId, lastSeqNo }, now);
    else core.say({ name: 'Sequence', nextSeqNo: core.nextOut }, now);
  }
}

/** A random UUID, RFC 4122 version 4. */
function randomSessionId(): string {
  const bytes = randomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex');
}
