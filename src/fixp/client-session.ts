/**
 * The client's end of a FIXP session, a state machine without I/O. It negotiates a session id, or establishes its
 * current one, sends an idempotent flow and reads the server's recoverable one. Its messages are not stored: an order
 * that waited is outdated, so after NotApplied the application decides whether to send it again.
 */
import { randomUUID } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import type { Peer } from '../transport/session.ts';
import { writeCredentials } from './credentials.ts';
import { EstablishmentRejectCode, FlowType } from './generated/codes.ts';
import { Recovery } from './recovery.ts';
import { type NamedRequest, requestTime } from './request.ts';
import { type CoreParts, FixpCore } from './session-core.ts';
import {
  fixpSchema,
  readSessionMessage,
  type SessionMessage,
  type SessionMessageOf,
  schemaIdOf,
} from './session-messages.ts';

export interface ClientParts extends CoreParts {
  /** Returns 32 hex digits, never the same twice; the default is random. */
  readonly newSessionId?: () => string;
}

export class FixpClientSession extends FixpCore {
  readonly #recovery: Recovery;
  readonly #newSessionId: () => string;
  /** The Negotiate or Establish that waits for a response, and the time of the request before it. */
  #request: (NamedRequest & { readonly beforeNs: bigint }) | undefined;
  /** The last number of the server's flow, from its FinishedSending. */
  #theirLast: number | undefined;
  #isReceived = false;

  constructor(parts: ClientParts) {
    super(parts);
    this.#newSessionId = parts.newSessionId ?? (() => randomUUID().replaceAll('-', ''));
    // The server keeps track of what a client has sent: a new session id starts with the next message.
    parts.ids.handedTo = null;
    this.#recovery = new Recovery(this, (message, seq, now) => this.#deliver(message, seq, now));
  }

  override get queued(): number {
    return this.#recovery.queued;
  }

  // Calls for applications and operators, inside a transaction.

  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full' {
    if (this.phase !== 'established' || this.nextOut > this.settings.maxSeqNo) return 'full';
    this.frames.put(message);
    this.outbox.numbered();
    this.liveness.sent(now.monoMs);
    return 'sent';
  }

  /** The last message was sent: the session id ends once both sides have everything. False unless established. */
  finish(now: Instant): boolean {
    if (this.phase !== 'established') return false;
    this.phase = 'finishing';
    this.keepAlive(now);
    return true;
  }

  /** The server's sequence numbers belong to the session id: only a new id restarts them. */
  get maxNumber(): number {
    return this.flow === undefined ? 0 : 1;
  }

  /** Gives up the session id, so that the next connection negotiates one; false while connected, or without an id. */
  setNumbers(nextIn: number, nextOut: number): boolean {
    if (this.phase !== 'down' || Math.max(nextIn, nextOut) > this.maxNumber) return false;
    this.ids.end(this.outbox.nextOut - 1);
    this.saveIds();
    return true;
  }

  // The host's side.

  override opened(peer: Peer, now: Instant): void {
    super.opened(peer, now);
    this.#recovery.reset();
    this.#theirLast = undefined;
    this.#isReceived = false;
    if (this.sessionId === undefined) this.#negotiate(now);
    else this.#establish(this.sessionId, now);
  }

  override tick(now: Instant): number {
    if (this.isBound && now.monoMs >= this.#recovery.deadlineMs) {
      this.alarm('resend_unanswered', 'a RetransmitRequest of ours was not answered');
      this.endWith('UnspecifiedError', 'RetransmitRequest was not answered', now);
    }
    const dueMs = super.tick(now);
    return this.isBound ? Math.min(dueMs, this.#recovery.deadlineMs) : dueMs;
  }

  // Messages of the server.

  protected take(message: Uint8Array, now: Instant): void {
    const received =
      schemaIdOf(message) === fixpSchema.id ? readSessionMessage(message) : undefined;
    const isNumbered =
      received === undefined || received.name === 'Applied' || received.name === 'NotApplied';
    if (received?.name === 'fault') this.giveUp(received.reason, now);
    else if (received?.name === 'Terminate') this.terminated(received.code, received.reason, now);
    else if (this.phase === 'terminating') return;
    else if (!isNumbered) this.#onSession(received, now);
    else if (this.isBound) this.#recovery.arrived(message, now);
    else this.misused(`an application message is not for a session that is ${this.phase}`, now);
    this.#receivedAll(now);
  }

  #onSession(received: SessionMessage, now: Instant): void {
    if (this.isBound) {
      this.#onBound(received, now);
      return;
    }
    // A response to another request is outdated, or not meant for us.
    const { sessionId, timestampNs, request } = this.#request ?? {};
    if (!('requestTimestamp' in received) || received.requestTimestamp !== timestampNs) return;
    if (received.sessionId !== sessionId) return;
    if (request === 'Negotiate') this.#negotiated(received, sessionId, now);
    else this.#answeredEstablish(received, now);
  }

  #onBound(received: SessionMessage, now: Instant): void {
    switch (received.name) {
      case 'Sequence':
      case 'Context':
        this.#recovery.follows(received.nextSeqNo, now);
        return;
      case 'Retransmission':
        this.#recovery.replay(received, now);
        return;
      case 'RetransmitReject':
        this.#recovery.refused(received, now);
        return;
      case 'FinishedSending':
        this.#theirLast = received.lastSeqNo ?? 0;
        this.#recovery.follows(Math.max(this.#theirLast + 1, this.nextIn), now);
        return;
      case 'FinishedReceiving':
        if (this.phase === 'finishing') this.#isReceived = true;
        else this.misused('FinishedReceiving without FinishedSending', now);
        return;
      case 'EstablishmentReject':
        // Only a response to a second Establish, which this client never sends.
        return;
      default:
        this.misused(`${received.name} does not fit this session and its flows`, now);
    }
  }

  #negotiated(received: SessionMessage, sessionId: string, now: Instant): void {
    if (received.name === 'NegotiationResponse') {
      this.ids.begin(sessionId, FlowType.Idempotent, this.outbox);
      this.saveIds();
      this.phase = 'negotiated';
      this.#establish(sessionId, now);
    } else if (received.name === 'NegotiationReject') this.#refused(received, now);
  }

  #answeredEstablish(received: SessionMessage, now: Instant): void {
    if (received.name === 'EstablishmentReject') {
      const isLost = received.code === EstablishmentRejectCode.Unnegotiated;
      if (isLost) this.ids.end(this.outbox.nextOut - 1);
      this.#refused(received, now);
      if (isLost) this.saveIds();
    } else if (received.name === 'EstablishmentAck') {
      this.#request = undefined;
      const { keepaliveInterval } = received;
      const { maxKeepaliveMs, minKeepaliveMs } = this.settings;
      if (keepaliveInterval < minKeepaliveMs || keepaliveInterval > maxKeepaliveMs) {
        // Zero would end the supervision, and months would be as good as none.
        const range = `${minKeepaliveMs} to ${maxKeepaliveMs} ms`;
        this.misused(`KeepaliveInterval ${keepaliveInterval} is not ${range}`, now);
        return;
      }
      this.established(keepaliveInterval, now);
      this.#recovery.follows(received.nextSeqNo ?? this.nextIn, now);
      if (this.phase === 'established') {
        this.effects.loggedOn();
        this.application.onEstablished?.(this, now);
      }
    }
  }

  /** A request that was not accepted does not count: it may be refused because our clock was ahead. */
  #refused(
    { name, reason }: { readonly name: string; readonly reason: string },
    now: Instant,
  ): void {
    this.ids.lastRequestNs = this.#request?.beforeNs ?? this.ids.lastRequestNs;
    this.foldedAlarm('refused', `${name}: ${reason}`, now);
    this.close(reason);
  }

  #deliver(message: Uint8Array, seq: number, now: Instant): void {
    const { application } = this;
    if (schemaIdOf(message) !== fixpSchema.id) {
      application.onMessage(message, seq, this, now);
      return;
    }
    const report = readSessionMessage(message);
    if (report.name !== 'Applied' && report.name !== 'NotApplied') return;
    const range = { fromSeq: report.fromSeqNo, toSeq: report.fromSeqNo + report.count - 1 };
    if (report.name === 'Applied') application.onApplied?.(range, this, now);
    else application.onNotApplied?.(range, this, now);
  }

  /** Reports to the server when its finished flow has been received completely; the server then ends the session. */
  #receivedAll(now: Instant): void {
    const { flow } = this;
    if (this.#theirLast === undefined || this.nextIn <= this.#theirLast) return;
    if (this.phase !== 'finishing' || !this.#isReceived || flow === undefined) return;
    this.#theirLast = undefined;
    this.post({ name: 'FinishedReceiving', sessionId: flow.sessionId }, now);
    this.ids.end(this.outbox.nextOut - 1);
    this.saveIds();
    this.phase = 'terminating';
    this.isGraceful = true;
    this.endReason = 'the session is finalized';
    this.deadlineMs = now.monoMs + this.settings.terminateWaitMs;
  }

  // Messages to the server.

  #negotiate(now: Instant): void {
    const sessionId = this.#newSessionId();
    const { timestampNs, credentials } = this.#sign('Negotiate', sessionId, now);
    const clientFlow = FlowType.Idempotent;
    const message = { name: 'Negotiate', sessionId, clientFlow, credentials } as const;
    this.post({ ...message, timestamp: timestampNs }, now);
  }

  #establish(sessionId: string, now: Instant): void {
    const { timestampNs, credentials } = this.#sign('Establish', sessionId, now);
    const { cancelOnDisconnect, keepaliveMs } = this.settings;
    const establish: SessionMessageOf<'Establish'> = {
      name: 'Establish',
      sessionId,
      timestamp: timestampNs,
      keepaliveInterval: keepaliveMs,
      nextSeqNo: this.nextOut,
      cancelOnDisconnectType: cancelOnDisconnect.type ?? undefined,
      codTimeoutWindow: cancelOnDisconnect.windowMs ?? undefined,
      credentials,
    };
    this.post(establish, now);
  }

  #sign(request: NamedRequest['request'], sessionId: string, now: Instant) {
    const { ids } = this;
    const beforeNs = ids.lastRequestNs;
    const timestampNs = requestTime(now.wallMs, beforeNs);
    ids.lastRequestNs = timestampNs;
    this.#request = { request, sessionId, timestampNs, beforeNs };
    const { credentials, principal } = this.settings;
    const proof = credentials?.() ?? { username: principal };
    return { timestampNs, credentials: writeCredentials(proof) };
  }

  protected keepAlive(now: Instant): void {
    if (this.flow === undefined) return;
    const { sessionId } = this.flow;
    const lastSeqNo = this.nextOut - 1 || undefined;
    if (this.phase === 'finishing')
      this.post({ name: 'FinishedSending', sessionId, lastSeqNo }, now);
    else this.post({ name: 'Sequence', nextSeqNo: this.nextOut }, now);
  }
}
