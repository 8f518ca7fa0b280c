/**
 * The common part of both ends of a FIXP session: ids and sequence numbers, reading messages, and ending the session.
 */
import type { Instant } from '../runtime/clock.ts';
import { fixpLiveness, Liveness } from '../transport/liveness.ts';
import type { Effects, Peer, Session } from '../transport/session.ts';
import { SessionMachine } from '../transport/session-machine.ts';
import type { NextNumbers } from '../transport/session-outbox.ts';
import type { FixpAlarm, FixpApplication, FixpAppSession } from './application.ts';
import { Deframer, FrameWriter } from './framing.ts';
import { TerminationCode } from './generated/codes.ts';
import type { Flow, SeqRange, SessionIds } from './session-ids.ts';
import { type SessionMessage, writeSessionMessage } from './session-messages.ts';
import { type CancelOnDisconnect, type FixpSettings, fixpSessionName } from './settings.ts';

/**
 * `connected`: nothing has been negotiated. `finishing`: both sides have sent their last message. `terminating`: our
 * Terminate waits for its response.
 */
type OwnPhase = 'connected' | 'negotiated' | 'established' | 'finishing' | 'terminating';
export type FixpPhase = FixpCore['phase'];

/** The contract's numbers at the start of a reason (docs/venue/contract.md, C.14). */
export const contractNumber = { framing: 1, schema: 2, credentials: 200, misuse: 202 } as const;

export function numbered(number: keyof typeof contractNumber, text: string): string {
  return `${contractNumber[number]}: ${text}`;
}

/** The state of the session in the store. */
export interface FixpState {
  readonly start: NextNumbers;
  readonly ids: SessionIds;
}

export interface CoreParts extends FixpState {
  readonly settings: FixpSettings;
  readonly application: FixpApplication;
  readonly effects: Effects;
  /** Records the persistent state of the ids, within the transaction. */
  readonly saveIds: (record: Uint8Array) => void;
}

export abstract class FixpCore
  extends SessionMachine<FixpApplication, OwnPhase, FixpAlarm['kind'], Uint8Array>
  implements Session, FixpAppSession
{
  readonly name: string;
  readonly settings: FixpSettings;
  readonly ids: SessionIds;
  /** Each message that is written here is also reported to the outbox, which numbers it like the store. */
  readonly frames: FrameWriter;
  readonly liveness = new Liveness(fixpLiveness);
  readonly #saveIds: (record: Uint8Array) => void;
  #deframer: Deframer;
  /** The wire sequence number of the next message on this connection. */
  inSeq = 1;
  #hasSentTerminate = false;
  /** Valid for this connection, even if the id has ended. */
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

  /** Handles a message of the peer, which is valid only during the call. */
  protected abstract take(message: Uint8Array, now: Instant): void;
  /** Sends a heartbeat. */
  protected abstract keepAlive(now: Instant): void;
  abstract send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full';

  /** What the store has when every transaction so far is committed. */
  get state(): FixpState {
    const { ids, outbox } = this;
    return { start: { nextIn: outbox.nextIn, nextOut: outbox.nextOut }, ids };
  }

  get flow(): Flow | undefined {
    return this.ids.current;
  }

  /** The wire sequence number of the peer's next new message. */
  get nextIn(): number {
    return this.outbox.nextIn - (this.flow?.inBase ?? this.outbox.nextIn - 1);
  }

  /** The wire sequence number of our next message. */
  get nextOut(): number {
    return this.outbox.nextOut - (this.flow?.outBase ?? this.outbox.nextOut - 1);
  }

  get isActive(): boolean {
    return this.phase === 'established';
  }

  /** Established, and still processing messages. */
  get isBound(): boolean {
    return this.isActive || this.phase === 'finishing';
  }

  get sessionId(): string | undefined {
    return this.flow?.sessionId;
  }

  /** Messages that wait for a gap to be filled. */
  get queued(): number {
    return 0;
  }

  /** The number of messages that were never sent to a client. */
  get held(): number {
    return 0;
  }

  /** A client sends no Applied: the server's flow is recoverable. */
  applied(_range: SeqRange, _now: Instant): void {}

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

  /** Processes complete messages until there are no more; a framing error ends the connection. */
  received(bytes: Uint8Array, now: Instant): void {
    if (this.isShut) return;
    this.#deframer.push(bytes);
    this.#readOn(now);
  }

  /** Processes the message that the application postponed, and the bytes after it. */
  proceed(now: Instant): void {
    const { awaited } = this;
    this.awaited = undefined;
    if (awaited === undefined || this.isShut) return;
    this.take(awaited, now);
    // The next message may wait in turn.
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
      this.lastReceivedWallMs = now.wallMs;
      this.take(deframer.message, now);
      if (this.isShut) return;
      if (this.awaited !== undefined) {
        deframer.hold();
        return;
      }
    }
  }

  /** Takes the actions that are due, and returns the next deadline. */
  tick(now: Instant): number {
    // The peer's messages are not read in this state.
    if (this.awaited !== undefined) this.liveness.received(now.monoMs);
    if (now.monoMs >= this.deadlineMs) {
      this.close(this.phase === 'terminating' ? this.endReason : 'not established in time');
    }
    if (!this.isBound) return this.deadlineMs;
    const silence = this.liveness.check(now.monoMs);
    if (silence === 'lapsed') {
      this.endWith('UnspecifiedError', 'no message received for twice the KeepaliveInterval', now);
      return this.deadlineMs;
    }
    if (silence !== 'none') this.keepAlive(now);
    return this.liveness.deadlineMs;
  }

  // Actions of both ends.

  established(theirKeepaliveMs: number, now: Instant): void {
    this.activated('established');
    this.#establishedId = this.sessionId ?? nullSessionId;
    this.liveness.start(this.settings.keepaliveMs, theirKeepaliveMs, now.monoMs);
  }

  /** Sends a message of the session layer, which has no number. */
  post(message: SessionMessage, now: Instant): void {
    this.frames.put(writeSessionMessage(message));
    this.outbox.unnumbered();
    this.liveness.sent(now.monoMs);
  }

  /** Sends Terminate and waits a bounded time for the response; nothing else is sent or read after that. */
  endWith(code: keyof typeof TerminationCode, reason: string, now: Instant): void {
    if (this.phase === 'terminating' || this.isShut) return;
    this.#sendTerminate(code, reason, now);
    this.phase = 'terminating';
    this.isGraceful = code === 'Finished';
    this.endReason = reason;
    this.deadlineMs = now.monoMs + this.settings.terminateWaitMs;
  }

  /** Ends the session because of an unexpected sequence number or session id. */
  misused(text: string, now: Instant): void {
    this.endWith('UnspecifiedError', numbered('misuse', text), now);
  }

  /** The peer's bytes cannot be decoded, so there is no wait for a response to the Terminate. */
  giveUp(text: string, now: Instant): void {
    if (this.isShut) return;
    const reason = numbered('framing', text);
    if (this.phase !== 'terminating') this.#sendTerminate('UnspecifiedError', reason, now);
    this.close(reason);
  }

  /** Receives the peer's Terminate and responds, unless it is itself the response. */
  terminated(code: number, reason: string, now: Instant): void {
    if (this.phase !== 'terminating') {
      this.isGraceful = code === TerminationCode.Finished;
      this.endReason = `terminated by the peer${reason === '' ? '' : `: ${reason}`}`;
    }
    // A client that has finished permanently waits for the server's Terminate, and has sent none itself.
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
