/** What both ends of a FIXP session share: its ids and numbers, the reading of messages, and the moves that end it. */
import type { Instant } from '../runtime/clock.ts';
import { fixpLiveness, Liveness } from '../transport/liveness.ts';
import type { Effects, Peer, Session, StoredMessages } from '../transport/session.ts';
import { SessionMachine } from '../transport/session-machine.ts';
import type { FixpAlarm, FixpApplication, FixpAppSession } from './application.ts';
import { Deframer, FrameWriter } from './framing.ts';
import { TerminationCode } from './generated/codes.ts';
import type { Flow, SeqRange, SessionIds } from './session-ids.ts';
import { type SessionMessage, writeSessionMessage } from './session-messages.ts';
import { type CancelOnDisconnect, type FixpSettings, fixpSessionName } from './settings.ts';

/**
 * `connected`: nothing is agreed on yet. `finishing`: the client has sent its last message, and so have we.
 * `terminating`: our Terminate waits for its answer.
 */
type OwnPhase = 'connected' | 'negotiated' | 'established' | 'finishing' | 'terminating';
export type FixpPhase = FixpCore['phase'];

/** Numbers of the contract that a reason begins with (docs/venue/contract.md, C.14). */
export const contractNumber = { framing: 1, schema: 2, credentials: 200, misuse: 202 } as const;

export function numbered(number: keyof typeof contractNumber, text: string): string {
  return `${contractNumber[number]}: ${text}`;
}

export interface CoreParts {
  readonly settings: FixpSettings;
  readonly application: FixpApplication;
  readonly effects: Effects;
  /** The sequence numbers in the store. */
  readonly start: { readonly nextIn: number; readonly nextOut: number };
  readonly ids: SessionIds;
  /** Records what must be known of the ids, in the turn. */
  readonly saveIds: (record: Uint8Array) => void;
}

export abstract class FixpCore
  extends SessionMachine<FixpApplication, OwnPhase, FixpAlarm['kind'], Uint8Array>
  implements Session, FixpAppSession
{
  readonly name: string;
  readonly settings: FixpSettings;
  readonly ids: SessionIds;
  /** Each message that is written here is then reported to the outbox, which numbers it as the store does. */
  readonly frames: FrameWriter;
  readonly liveness = new Liveness(fixpLiveness);
  readonly #saveIds: (record: Uint8Array) => void;
  #deframer: Deframer;
  /** On the wire: the number of the next message that this connection brings. */
  inSeq = 1;
  #hasSentTerminate = false;
  /** Of this connection, also when the id has ended. */
  #establishedId: string = nullSessionId;
  cancelOnDisconnect: CancelOnDisconnect;

  constructor({ settings, application, effects, start, ids, saveIds }: CoreParts) {
    const frames = new FrameWriter(settings.byteOrder);
    super(application, effects, frames, start);
    this.name = fixpSessionName(settings.principal);
    this.settings = settings;
    this.frames = frames;
    this.ids = ids;
    this.cancelOnDisconnect = settings.cancelOnDisconnect;
    this.#saveIds = saveIds;
    this.#deframer = this.#newDeframer();
  }

  /** A message of the peer, lent until the call returns. */
  protected abstract take(message: Uint8Array, now: Instant): void;
  /** Says that we are there. */
  protected abstract keepAlive(now: Instant): void;
  abstract send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full';

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

  get sessionId(): string | undefined {
    return this.flow?.sessionId;
  }

  /** Messages that wait for a gap to be filled. */
  get queued(): number {
    return 0;
  }

  /** Messages that no client has been handed yet. */
  get held(): number {
    return 0;
  }

  /** A client sends nothing: the server's flow is recoverable. */
  applied(_range: SeqRange, _now: Instant): void {}

  /** A client's numbers are those of its session id: only a new id begins anew. */
  setNumbers(_nextIn: number, _nextOut: number): boolean {
    return false;
  }

  terminate(text: string | undefined, now: Instant): void {
    if (this.phase === 'connected') this.close(text ?? 'stopped');
    else this.endWith('Finished', text ?? '', now);
  }

  // The host's side.

  opened(_peer: Peer, now: Instant): void {
    this.connected('connected', now.monoMs + this.settings.establishWaitMs);
    this.#deframer = this.#newDeframer();
    this.#hasSentTerminate = false;
    this.#establishedId = nullSessionId;
  }

  /** Hears whole messages until there are no more; a fault of the framing ends the connection. */
  received(bytes: Uint8Array, now: Instant): void {
    if (this.isShut) return;
    this.#deframer.push(bytes);
    this.#readOn(now);
  }

  /** The message that the application waited for something to handle, and what came behind it. */
  proceed(now: Instant): void {
    const { awaited } = this;
    this.awaited = undefined;
    if (awaited === undefined || this.isShut) return;
    this.take(awaited, now);
    // The next message may wait in its turn.
    if (this.awaited === undefined) this.awaitedSeq = 0;
    this.#readOn(now);
  }

  #readOn(now: Instant): void {
    const deframer = this.#deframer;
    if (this.awaited !== undefined || this.isShut) return;
    for (let step = deframer.next(); step !== 'more'; step = deframer.next()) {
      if (step === 'bad') {
        this.giveUp(deframer.reason, now);
        return;
      }
      this.liveness.received(now.monoMs);
      this.lastHeardWallMs = now.wallMs;
      this.take(deframer.message, now);
      if (this.isShut) return;
      if (this.awaited !== undefined) {
        deframer.hold();
        return;
      }
    }
  }

  /** What time asks for, and when it next does. */
  tick(now: Instant): number {
    // The peer's messages are not read meanwhile.
    if (this.awaited !== undefined) this.liveness.received(now.monoMs);
    if (now.monoMs >= this.deadlineMs) {
      this.close(this.phase === 'terminating' ? this.endReason : 'not established in time');
    }
    if (!this.isBound) return this.deadlineMs;
    const silence = this.liveness.check(now.monoMs);
    if (silence === 'lapsed') {
      this.endWith('UnspecifiedError', 'nothing heard for twice the KeepaliveInterval', now);
      return this.deadlineMs;
    }
    if (silence !== 'none') this.keepAlive(now);
    return this.liveness.deadlineMs;
  }

  /** A client keeps nothing. */
  fetched(_piece: StoredMessages, _now: Instant): void {}

  /** Messages that wait have numbers here; none is held without. */
  fetchedHeld(): void {}

  // What both ends do.

  established(theirKeepaliveMs: number, now: Instant): void {
    this.activated('established');
    this.#establishedId = this.sessionId ?? nullSessionId;
    this.liveness.start(this.settings.keepaliveMs, theirKeepaliveMs, now.monoMs);
  }

  /** A message of the session layer, which has no number. */
  post(message: SessionMessage, now: Instant): void {
    this.frames.put(writeSessionMessage(message));
    this.outbox.unnumbered();
    this.liveness.sent(now.monoMs);
  }

  /** Sends Terminate and waits a bounded time for the answer; nothing else is sent or read from then on. */
  endWith(code: keyof typeof TerminationCode, reason: string, now: Instant): void {
    if (this.phase === 'terminating' || this.isShut) return;
    this.#sendTerminate(code, reason, now);
    this.phase = 'terminating';
    this.isGraceful = code === 'Finished';
    this.endReason = reason;
    this.deadlineMs = now.monoMs + this.settings.terminateWaitMs;
  }

  /** Of a sequence number or a session id that is not as it should be. */
  misused(text: string, now: Instant): void {
    this.endWith('UnspecifiedError', numbered('misuse', text), now);
  }

  /** What the peer sends cannot be read: after the Terminate nothing is waited for. */
  giveUp(text: string, now: Instant): void {
    if (this.isShut) return;
    const reason = numbered('framing', text);
    if (this.phase !== 'terminating') this.#sendTerminate('UnspecifiedError', reason, now);
    this.close(reason);
  }

  /** The peer's Terminate, which is answered unless it is itself the answer. */
  terminated(code: number, reason: string, now: Instant): void {
    if (this.phase !== 'terminating') {
      this.isGraceful = code === TerminationCode.Finished;
      this.endReason = `terminated by the peer${reason === '' ? '' : `: ${reason}`}`;
    }
    // A client that has finished for good waits for the server's Terminate, and has sent none itself.
    if (!this.#hasSentTerminate) this.#sendTerminate('Finished', '', now);
    this.close(this.endReason);
  }

  saveIds(): void {
    this.#saveIds(this.ids.record());
  }

  #newDeframer(): Deframer {
    return new Deframer(this.settings.byteOrder, this.settings.maxMessageBytes);
  }

  #sendTerminate(code: keyof typeof TerminationCode, reason: string, now: Instant): void {
    this.#hasSentTerminate = true;
    const sessionId = this.sessionId ?? this.#establishedId;
    this.post({ name: 'Terminate', sessionId, code: TerminationCode[code], reason }, now);
  }
}

export const nullSessionId = '0'.repeat(32);
