/**
 * The FIX 4.4 session (docs/ARCHITECTURE.md, "Session"), acceptor and initiator in one state machine without I/O: the
 * host calls it with bytes and time; applications and operators call it within a transaction of the host.
 * `session-intake.ts` processes messages, `session-logon-flow.ts` the logon.
 */
import type { Instant } from '../runtime/clock.ts';
import { type Authenticator, everyone } from '../transport/authentication.ts';
import type { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Effects, HeldMessage, Peer, Session, StoredMessages } from '../transport/session.ts';
import type { Application } from './application.ts';
import { Decoder, defaultDecoderLimits } from './decoder.ts';
import type { Dictionary } from './dictionary.ts';
import type { HeaderExtras } from './framer.ts';
import type { Message } from './message.ts';
import { SessionCore, type SessionStart } from './session-core.ts';
import { Intake } from './session-intake.ts';
import { examineLogon, type LogonRefusal } from './session-logon.ts';
import { LogonFlow } from './session-logon-flow.ts';
import type { SessionSettings } from './session-settings.ts';
import { Validator } from './validator.ts';

export interface SessionSpec {
  readonly settings: SessionSettings;
  readonly application: Application;
  /** For an acceptor; without it, every client with the right CompIDs is accepted. */
  readonly authenticate?: Authenticator;
}

interface SessionParts extends SessionSpec {
  readonly dictionary: Dictionary;
  readonly effects: Effects;
  readonly start: SessionStart;
}

export class FixSession extends SessionCore implements Session {
  readonly #parts: SessionParts;
  readonly #logons: LogonFlow;
  readonly #intake: Intake;
  readonly #validator: Validator;
  #decoder: Decoder;
  #isAdmitted = false;

  constructor(parts: SessionParts) {
    const { settings, dictionary, application, effects, start } = parts;
    super(settings, application, effects, start);
    this.#parts = parts;
    this.#logons = new LogonFlow(this);
    this.#validator = new Validator(dictionary, { strictUserTags: settings.strictUserTags });
    this.#intake = new Intake(this, this.#logons, this.#validator);
    this.#decoder = this.#newDecoder();
  }

  /** The number of messages queued behind a gap. */
  get queued(): number {
    return this.gap.queued;
  }

  // Calls for applications and operators, inside a transaction.

  send(
    msgType: string,
    body: Uint8Array,
    now: Instant,
    extras?: HeaderExtras,
  ): 'sent' | 'held' | 'full' {
    if (this.isActive && this.held === 0) {
      this.speaker.application(msgType, body, now, extras);
      this.watchNumbers(now);
      return 'sent';
    }
    if (this.heldMessages.hold(msgType, body, extras)) return 'held';
    this.foldedAlarm('held_full', `${this.held} messages wait for a logon`, now);
    return 'full';
  }

  testRequest(now: Instant): void {
    if (this.isActive) this.speaker.testRequest(now);
  }

  /** Resets both sides to 1 without a new connection. Returns false if that is not allowed now. */
  resetInSession(now: Instant): boolean {
    if (!this.isActive || !this.settings.allowsReset) return false;
    this.#logons.askReset(now);
    return true;
  }

  /** Returns false while the session is connected. */
  setNumbers(nextIn: number, nextOut: number, now: Instant): boolean {
    if (this.phase !== 'down') return false;
    this.reset(nextIn, nextOut);
    this.notePeriod(() => this.calendar.renumbered(now));
    return true;
  }

  /** The wall clock is correct again after a step, so hours and resets may depend on it. */
  trustClock(now: Instant): void {
    this.notePeriod(() => this.calendar.trustClock(now));
  }

  /** Returns why this Logon(A) may not take the session; undefined if it may. Changes only the connection's state. */
  examine(logon: Message, peer: Peer, now: Instant): LogonRefusal | PendingVerdict | undefined {
    const { authenticate = everyone } = this.#parts;
    const verdict = examineLogon(logon, peer, now, this.settings, authenticate, this.#validator);
    this.#isAdmitted = verdict === undefined;
    return verdict;
  }

  // The host's side.

  opened(_peer: Peer, now: Instant): void {
    this.#decoder = this.#newDecoder();
    this.#observeClock(now);
    this.connected('awaitingLogon', now.monoMs + this.settings.logonWaitMs);
    this.ignoresPeer = false;
    this.isResetAsked = false;
    this.rollOver(now);
    const isInitiator = this.settings.role === 'initiator';
    // A peer that has already begun anew would count these numbers, and refuse those of our next period.
    if (isInitiator && this.calendar.isOver(now)) this.close('Session hours are over');
    else if (isInitiator) this.#logons.begin(now);
    else if (!this.#isAdmitted) this.close('the Logon(A) was not examined');
    this.#isAdmitted = false;
  }

  received(bytes: Uint8Array, now: Instant): void {
    if (this.isShut) return;
    this.#decoder.push(bytes);
    this.#readOn(now);
  }

  proceed(now: Instant): void {
    const { awaited } = this;
    this.awaited = undefined;
    if (awaited === undefined || this.isShut) return;
    this.#intake.takeAwaited(awaited, now);
    // The next message may wait in turn.
    if (this.awaited === undefined) this.awaitedSeq = 0;
    this.#readOn(now);
  }

  #readOn(now: Instant): void {
    this.#processReceived(now);
    // The Logon(A) may have been refused, or that of a reset may still wait for its response.
    if (!this.isRenumbered || !this.wasActive || this.isResetAsked) return;
    this.isRenumbered = false;
    this.application.onRenumbered?.();
  }

  #processReceived(now: Instant): void {
    const decoder = this.#decoder;
    if (this.awaited !== undefined || this.isShut) return;
    for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
      if (step === 'message') {
        this.liveness.received(now.monoMs);
        this.lastReceivedWallMs = now.wallMs;
        if (decoder.message.index.fault === 'tooLong') this.tooLong(decoder.message, now);
        if (this.phase === 'awaitingLogon') this.#intake.takeFirst(decoder.message, now);
        else this.#intake.take(decoder.message, now);
      } else if (step === 'fatal') this.close(decoder.reason);
      else if (this.phase === 'awaitingLogon') this.close(`garbled: ${decoder.reason}`);
      if (this.isShut) return;
      if (this.awaited !== undefined) {
        decoder.hold();
        return;
      }
    }
  }

  tick(now: Instant): number {
    this.#observeClock(now);
    // The peer's messages are not read in this state.
    if (this.awaited !== undefined) this.liveness.received(now.monoMs);
    if (this.phase === 'down') {
      this.rollOver(now);
      return this.calendar.nextStartMs(now);
    }
    if (now.monoMs >= this.deadlineMs) {
      const missing = this.phase === 'awaitingLogon' ? 'Logon(A)' : 'Logout(5)';
      this.close(this.phase === 'left' ? this.endReason : `no ${missing} in time`);
    }
    if (this.isActive) this.#watch(now);
    if (!this.isActive) return this.deadlineMs;
    return Math.min(
      this.liveness.deadlineMs,
      this.calendar.endMs(now),
      this.gap.sinceMs + this.settings.gapPatienceMs,
    );
  }

  fetched(piece: StoredMessages, now: Instant): void {
    if (!this.isTalking) return;
    const next = this.replay.piece(piece, this.#intake.replayOutput(now));
    if (next !== undefined) this.effects.fetch(next.fromSeq, next.toSeq);
  }

  fetchedHeld(messages: readonly HeldMessage[], now: Instant): void {
    if (!this.isActive) return;
    if (messages.length === 0) throw new Error(`${this.name}: held messages are gone`);
    for (const message of messages) {
      const taken = this.heldMessages.take(message);
      if (taken !== undefined) this.speaker.application(taken.msgType, taken.body, now);
    }
    this.heldMessages.taken();
    this.heldMessages.fetch();
  }

  /** Runs before anything that depends on the wall clock. */
  #observeClock(now: Instant): void {
    const stepMs = this.calendar.observe(now);
    if (stepMs === 0) return;
    const what = `the wall clock stepped by ${stepMs} ms`;
    this.alarm('clock_step', `${what}: once it is right, stop and start the session`);
  }

  #watch(now: Instant): void {
    if (this.calendar.isOver(now)) {
      this.leave('Session hours are over', now);
      return;
    }
    if (this.gap.isOpen && now.monoMs >= this.gap.sinceMs + this.settings.gapPatienceMs) {
      this.alarm('resend_unanswered', 'a ResendRequest of ours was not answered');
      this.end('ResendRequest was not answered', now);
      return;
    }
    const silence = this.liveness.check(now.monoMs);
    if (silence === 'speak') this.speaker.heartbeat(undefined, now);
    else if (silence === 'warn') this.speaker.testRequest(now);
    else if (silence === 'lapsed') this.close('no message received for 2.4 times HeartBtInt(108)');
  }

  #newDecoder(): Decoder {
    const { dialect, maxMessageBytes: maxBodyBytes } = this.settings;
    const limits = { ...defaultDecoderLimits, maxBodyBytes, skipsLonger: true };
    return new Decoder(this.#parts.dictionary, limits, dialect);
  }
}
