/** What both ends of a FIXP session share: where it stands, its numbers and voice, and the moves that end it. */
import type { Instant } from '../runtime/clock.ts';
import { FoldedAlarm, type PeerReject, peerRejectText } from '../transport/folded-alarm.ts';
import type { Effects } from '../transport/session.ts';
import { SessionOutbox } from '../transport/session-outbox.ts';
import type { FixpAlarm, FixpApplication, FixpAppSession } from './application.ts';
import { Deframer, FrameWriter } from './framing.ts';
import { TerminationCode } from './generated/codes.ts';
import { Keepalive } from './keepalive.ts';
import type { Flow, SessionIds } from './session-ids.ts';
import { type SessionMessage, writeSessionMessage } from './session-messages.ts';
import type { CancelOnDisconnect, FixpSettings } from './settings.ts';

/**
 * `connected`: nothing is agreed on yet. `finishing`: the client has sent its last message, and so have we.
 * `terminating`: our Terminate waits for its answer. `closing`: the transport was asked to close, nothing is read.
 */
export type FixpPhase =
  | 'down'
  | 'connected'
  | 'negotiated'
  | 'established'
  | 'finishing'
  | 'terminating'
  | 'closing';

/** Numbers of the contract that a reason begins with (docs/venue/contract.md, C.14). */
export const contractNumber = { framing: 1, schema: 2, credentials: 200, misuse: 202 } as const;

export function numbered(number: keyof typeof contractNumber, text: string): string {
  return `${contractNumber[number]}: ${text}`;
}

export interface CoreParts {
  readonly settings: FixpSettings;
  readonly application: FixpApplication;
  readonly effects: Effects;
  /** Where the store says that the session stood. */
  readonly start: { readonly nextIn: number; readonly nextOut: number };
  readonly ids: SessionIds;
  /** Records what must be known of the ids, in the turn. */
  readonly saveIds: (record: Uint8Array) => void;
}

const never = Number.POSITIVE_INFINITY;

export class FixpCore {
  readonly settings: FixpSettings;
  readonly application: FixpApplication;
  readonly effects: Effects;
  readonly ids: SessionIds;
  /** What is written here is next reported to the outbox, which says what its numbers are: the store's. */
  readonly frames: FrameWriter;
  readonly outbox: SessionOutbox;
  readonly keepalive = new Keepalive();
  /** Since the start: gaps that we found in what the peer sent, and its requests to send again. */
  readonly counts = { gaps: 0, resends: 0, rejects: 0 };
  readonly #rejects = new FoldedAlarm();
  readonly #owner: FixpAppSession;
  readonly #saveIds: (record: Uint8Array) => void;

  phase: FixpPhase = 'down';
  /** On the monotonic clock: the end of the wait that the phase stands for. */
  deadlineMs = never;
  deframer: Deframer;
  /** On the wire: the number of the next message that this connection brings. */
  inSeq = 1;
  isGraceful = false;
  #hasSaidTerminate = false;
  /** Of this connection, also when the id has ended. */
  #establishedId: string = nullSessionId;
  wasEstablished = false;
  endReason = '';
  lastHeardWallMs = 0;
  /** The message that the application waits for something to handle, and its number, so that it waits once. */
  awaited: Uint8Array | undefined;
  awaitedSeq = 0;
  /** Of the Establish in force. */
  cancelOnDisconnect: CancelOnDisconnect;

  constructor(owner: FixpAppSession, parts: CoreParts) {
    const { settings, application, effects, start, ids, saveIds } = parts;
    this.#owner = owner;
    this.settings = settings;
    this.application = application;
    this.effects = effects;
    this.ids = ids;
    this.cancelOnDisconnect = settings.cancelOnDisconnect;
    this.#saveIds = saveIds;
    this.frames = new FrameWriter(settings.byteOrder);
    this.outbox = new SessionOutbox(this.frames, effects, start);
    this.deframer = new Deframer(settings.byteOrder, settings.maxMessageBytes);
  }

  get owner(): FixpAppSession {
    return this.#owner;
  }

  get flow(): Flow | undefined {
    return this.ids.current;
  }

  /** On the wire: the number that the peer's next new message should have. */
  get nextIn(): number {
    return this.outbox.nextIn - (this.flow?.inBase ?? this.outbox.nextIn - 1);
  }

  /** On the wire: the number that our next message will have. */
  get nextOut(): number {
    return this.outbox.nextOut - (this.flow?.outBase ?? this.outbox.nextOut - 1);
  }

  /** Established, and still listened to. */
  get isBound(): boolean {
    return this.phase === 'established' || this.phase === 'finishing';
  }

  get isShut(): boolean {
    return this.phase === 'down' || this.phase === 'closing';
  }

  opened(now: Instant): void {
    this.phase = 'connected';
    this.deadlineMs = now.monoMs + this.settings.establishWaitMs;
    this.deframer = new Deframer(this.settings.byteOrder, this.settings.maxMessageBytes);
    this.isGraceful = false;
    this.wasEstablished = false;
    this.#hasSaidTerminate = false;
    this.#establishedId = nullSessionId;
    this.endReason = 'the connection was lost';
    this.awaited = undefined;
    this.awaitedSeq = 0;
  }

  established(theirKeepaliveMs: number, now: Instant): void {
    this.phase = 'established';
    this.wasEstablished = true;
    this.#establishedId = this.flow?.sessionId ?? nullSessionId;
    this.deadlineMs = never;
    this.keepalive.start(this.settings.keepaliveMs, theirKeepaliveMs, now.monoMs);
  }

  /** Hears whole messages until there are no more; a fault of the framing ends the connection. */
  receive(
    bytes: Uint8Array,
    now: Instant,
    take: (message: Uint8Array, now: Instant) => void,
  ): void {
    if (this.isShut) return;
    this.deframer.push(bytes);
    this.readOn(now, take);
  }

  /** The message that the application waited for something to handle, and what came behind it. */
  proceed(now: Instant, take: (message: Uint8Array, now: Instant) => void): void {
    const { awaited } = this;
    this.awaited = undefined;
    if (awaited === undefined || this.isShut) return;
    take(awaited, now);
    // The next message may wait in its turn.
    if (this.awaited === undefined) this.awaitedSeq = 0;
    this.readOn(now, take);
  }

  readOn(now: Instant, take: (message: Uint8Array, now: Instant) => void): void {
    const { deframer } = this;
    if (this.awaited !== undefined || this.isShut) return;
    for (let step = deframer.next(); step !== 'more'; step = deframer.next()) {
      if (step === 'bad') {
        this.giveUp(deframer.reason, now);
        return;
      }
      this.keepalive.heard(now.monoMs);
      this.lastHeardWallMs = now.wallMs;
      take(deframer.message, now);
      if (this.isShut) return;
      if (this.awaited !== undefined) {
        deframer.hold();
        return;
      }
    }
  }

  /** A message of the session layer, which has no number. */
  say(message: SessionMessage, now: Instant): void {
    this.frames.put(writeSessionMessage(message));
    this.outbox.unnumbered();
    this.keepalive.said(now.monoMs);
  }

  alarm(kind: FixpAlarm['kind'], text: string): void {
    this.application.onAlarm?.(this.#owner, { kind, text });
    this.effects.alarm(kind, text);
  }

  /** The peer refused a message of ours, which nothing answers. */
  rejected(reject: PeerReject, now: Instant): void {
    const alarm = this.#rejects.add(peerRejectText(reject), now.monoMs);
    this.counts.rejects = this.#rejects.count;
    if (alarm !== undefined) this.alarm('rejected', alarm);
  }

  /** Says Terminate and waits for the answer, a bounded time; nothing else is said or heard from then on. */
  terminate(code: keyof typeof TerminationCode, reason: string, now: Instant): void {
    if (this.phase === 'terminating' || this.isShut) return;
    this.#sayTerminate(code, reason, now);
    this.phase = 'terminating';
    this.isGraceful = code === 'Finished';
    this.endReason = reason;
    this.deadlineMs = now.monoMs + this.settings.terminateWaitMs;
  }

  /** Of a sequence number or a session id that is not as it should be. */
  misused(text: string, now: Instant): void {
    this.terminate('UnspecifiedError', numbered('misuse', text), now);
  }

  /** What the peer sends cannot be read: after the Terminate nothing is waited for. */
  giveUp(text: string, now: Instant): void {
    if (this.isShut) return;
    const reason = numbered('framing', text);
    if (this.phase !== 'terminating') this.#sayTerminate('UnspecifiedError', reason, now);
    this.close(reason);
  }

  /** The peer's Terminate, which is answered unless it is itself the answer. */
  terminated(code: number, reason: string, now: Instant): void {
    if (this.phase !== 'terminating') {
      this.isGraceful = code === TerminationCode.Finished;
      this.endReason = `terminated by the peer${reason === '' ? '' : `: ${reason}`}`;
    }
    // A client that has finished for good waits for the server's Terminate, and has said none itself.
    if (!this.#hasSaidTerminate) this.#sayTerminate('Finished', '', now);
    this.close(this.endReason);
  }

  close(reason: string): void {
    this.phase = 'closing';
    this.endReason = reason;
    this.deadlineMs = never;
    this.outbox.flush();
    this.effects.disconnect(reason);
  }

  /** The transport is gone. */
  closed(now: Instant): void {
    this.phase = 'down';
    this.deadlineMs = never;
    if (!this.wasEstablished) return;
    this.wasEstablished = false;
    const end = { graceful: this.isGraceful, reason: this.endReason };
    this.application.onDisconnect?.(this.#owner, end, now);
  }

  /** What time asks for, and when it next does; `keepAlive` says that we are there. */
  tick(now: Instant, keepAlive: () => void): number {
    // What the peer says meanwhile is not read.
    if (this.awaited !== undefined) this.keepalive.heard(now.monoMs);
    if (now.monoMs >= this.deadlineMs) this.#waitedEnough();
    if (!this.isBound) return this.deadlineMs;
    switch (this.keepalive.check(now.monoMs)) {
      case 'none':
        break;
      case 'speak':
      case 'warn':
        keepAlive();
        break;
      case 'lapsed':
        this.terminate('UnspecifiedError', 'nothing heard for twice the KeepaliveInterval', now);
        return this.deadlineMs;
    }
    return this.keepalive.deadlineMs;
  }

  saveIds(): void {
    this.#saveIds(this.ids.record());
  }

  #waitedEnough(): void {
    this.close(this.phase === 'terminating' ? this.endReason : 'not established in time');
  }

  #sayTerminate(code: keyof typeof TerminationCode, reason: string, now: Instant): void {
    this.#hasSaidTerminate = true;
    const sessionId = this.flow?.sessionId ?? this.#establishedId;
    this.say({ name: 'Terminate', sessionId, code: TerminationCode[code], reason }, now);
  }
}

export const nullSessionId = '0'.repeat(32);
