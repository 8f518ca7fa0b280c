/**
 * The FIX 4.4 session (docs/ARCHITECTURE.md, "Session"), acceptor and initiator in one machine without I/O: the host
 * calls it with bytes and time, an application and an operator inside a turn of the host. What it does with a message
 * stands in `session-intake.ts`, the logon in `session-logon-flow.ts`.
 */
import type { Instant } from '../runtime/clock.ts';
import { type Authenticator, everyone } from '../transport/authentication.ts';
import type { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Effects, HeldMessage, Peer, Session, StoredMessages } from '../transport/session.ts';
import type { Application, AppSession } from './application.ts';
import { Decoder, defaultDecoderLimits } from './decoder.ts';
import type { Dictionary } from './dictionary.ts';
import type { HeaderExtras } from './framer.ts';
import type { Message } from './message.ts';
import type { Fault } from './reject.ts';
import { type Phase, SessionCore, type SessionStart } from './session-core.ts';
import { Intake } from './session-intake.ts';
import { examineLogon, type LogonRefusal } from './session-logon.ts';
import { LogonFlow } from './session-logon-flow.ts';
import { type SessionSettings, sessionName } from './session-settings.ts';
import type { BusinessReject } from './session-speaker.ts';
import { Validator } from './validator.ts';

export interface SessionParts {
  readonly settings: SessionSettings;
  readonly dictionary: Dictionary;
  readonly application: Application;
  /** Of an acceptor; without one, everyone with the right CompIDs is let in. */
  readonly authenticate?: Authenticator;
  readonly effects: Effects;
  readonly start: SessionStart;
}

export class FixSession implements Session, AppSession {
  readonly name: string;
  readonly settings: SessionSettings;
  readonly #parts: SessionParts;
  readonly #core: SessionCore;
  readonly #logons: LogonFlow;
  readonly #intake: Intake;
  readonly #validator: Validator;
  #decoder: Decoder;
  #isAdmitted = false;

  constructor(parts: SessionParts) {
    const { settings, dictionary, application, effects, start } = parts;
    this.name = sessionName(settings.identity);
    this.settings = settings;
    this.#parts = parts;
    this.#core = new SessionCore(this, settings, application, effects, start);
    this.#logons = new LogonFlow(this.#core);
    this.#validator = new Validator(dictionary, { strictUserTags: settings.strictUserTags });
    this.#intake = new Intake(this.#core, this.#logons, this.#validator);
    this.#decoder = this.#newDecoder();
  }

  // What may be seen.

  get phase(): Phase {
    return this.#core.phase;
  }

  get nextIn(): number {
    return this.#core.outbox.nextIn;
  }

  get nextOut(): number {
    return this.#core.outbox.nextOut;
  }

  /** Messages that wait for a gap to be filled. */
  get queued(): number {
    return this.#core.gap.queued;
  }

  /** Messages that wait for a logon. */
  get held(): number {
    return this.#core.held.waiting;
  }

  /** Unix time of the peer's last message, 0 before the first. */
  get lastHeardWallMs(): number {
    return this.#core.lastHeardWallMs;
  }

  get isActive(): boolean {
    return this.#core.phase === 'active';
  }

  get counts(): SessionCore['counts'] {
    return this.#core.counts;
  }

  // What an application and an operator may ask, inside a turn.

  send(
    msgType: string,
    body: Uint8Array,
    now: Instant,
    extras?: HeaderExtras,
  ): 'sent' | 'held' | 'full' {
    const core = this.#core;
    if (core.phase === 'active' && core.held.waiting === 0) {
      core.speaker.application(msgType, body, now, extras);
      core.watchNumbers(now);
      return 'sent';
    }
    if (core.held.hold(msgType, body)) return 'held';
    core.alarm('held_full', `${core.held.waiting} messages wait for a logon`);
    return 'full';
  }

  reject(message: Message, fault: Fault, now: Instant): void {
    this.#core.speaker.reject(message, fault, now);
  }

  businessReject(message: Message, reject: BusinessReject, now: Instant): void {
    this.#core.speaker.businessReject(message, reject, now);
  }

  news(headline: string, text: string, now: Instant): void {
    if (this.#core.phase === 'active') this.#core.speaker.news(headline, text, now);
  }

  testRequest(now: Instant): void {
    if (this.#core.phase === 'active') this.#core.speaker.testRequest(now);
  }

  askConfirmation(now: Instant): void {
    if (this.#core.phase === 'active') this.#core.askConfirmation(now);
  }

  logout(text: string | undefined, now: Instant): void {
    if (this.#core.phase === 'active') this.#core.leave(text, now);
    else if (this.#core.phase === 'awaitingLogon') this.#core.close(text ?? 'stopped');
  }

  /** Both sides start anew at 1 without a new connection. False when the session does not allow it now. */
  resetInSession(now: Instant): boolean {
    if (this.#core.phase !== 'active' || !this.settings.allowsReset) return false;
    this.#logons.askReset(now);
    return true;
  }

  /** False while there is a connection. */
  setNumbers(nextIn: number, nextOut: number): boolean {
    if (this.#core.phase !== 'down') return false;
    this.#core.reset(nextIn, nextOut);
    return true;
  }

  /** The wall clock is right again after a step: it may decide on hours and resets once more. */
  trustClock(): void {
    this.#core.calendar.trustClock();
  }

  /** Whether this Logon(A) may take the session; undefined if so. No state that outlives the connection changes. */
  examine(logon: Message, peer: Peer, now: Instant): LogonRefusal | PendingVerdict | undefined {
    const authenticate = this.#parts.authenticate ?? everyone;
    const verdict = examineLogon(logon, peer, now, this.settings, authenticate, this.#validator);
    this.#isAdmitted = verdict === undefined;
    return verdict;
  }

  // The host's side.

  opened(_peer: Peer, now: Instant): void {
    this.#decoder = this.#newDecoder();
    this.#observeClock(now);
    this.#core.opened(now);
    this.#core.rollOver(now);
    if (this.settings.role === 'initiator') this.#logons.begin(now);
    else if (!this.#isAdmitted) this.#core.close('the Logon(A) was not examined');
    this.#isAdmitted = false;
  }

  received(bytes: Uint8Array, now: Instant): void {
    if (this.#isShut()) return;
    this.#decoder.push(bytes);
    this.#readOn(now);
  }

  proceed(now: Instant): void {
    const { awaited } = this.#core;
    this.#core.awaited = undefined;
    if (awaited === undefined || this.#isShut()) return;
    this.#intake.take(awaited, now);
    // The next message may wait in its turn.
    if (this.#core.awaited === undefined) this.#core.awaitedSeq = 0;
    this.#readOn(now);
  }

  #readOn(now: Instant): void {
    const core = this.#core;
    const decoder = this.#decoder;
    if (core.awaited !== undefined || this.#isShut()) return;
    for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
      if (step === 'message') {
        core.liveness.heard(now.monoMs);
        core.lastHeardWallMs = now.wallMs;
        if (decoder.message.index.fault === 'tooLong') core.tooLong(decoder.message, now);
        if (core.phase === 'awaitingLogon') this.#intake.takeFirst(decoder.message, now);
        else this.#intake.take(decoder.message, now);
      } else if (step === 'fatal') core.close(decoder.reason);
      else if (core.phase === 'awaitingLogon') core.close(`garbled: ${decoder.reason}`);
      if (this.#isShut()) return;
      if (core.awaited !== undefined) {
        decoder.hold();
        return;
      }
    }
  }

  tick(now: Instant): number {
    const core = this.#core;
    this.#observeClock(now);
    // What the peer says meanwhile is not read.
    if (core.awaited !== undefined) core.liveness.heard(now.monoMs);
    if (core.phase === 'down') {
      core.rollOver(now);
      return core.calendar.nextStartMs(now);
    }
    if (now.monoMs >= core.deadlineMs) {
      core.close(core.phase === 'awaitingLogon' ? 'no Logon(A) in time' : 'no Logout(5) in time');
    }
    if (core.phase === 'active') this.#watch(now);
    if (core.phase !== 'active') return core.deadlineMs;
    return Math.min(
      core.liveness.deadlineMs,
      core.calendar.endMs(now),
      core.gap.sinceMs + this.settings.gapPatienceMs,
    );
  }

  fetched(piece: StoredMessages, now: Instant): void {
    if (!this.#core.isTalking) return;
    const next = this.#core.replay.piece(piece, this.#intake.voice(now));
    if (next !== undefined) this.#core.effects.fetch(next.fromSeq, next.toSeq);
  }

  fetchedHeld(messages: readonly HeldMessage[], now: Instant): void {
    const { phase, held, speaker } = this.#core;
    if (phase !== 'active') return;
    if (messages.length === 0) throw new Error(`${this.name}: held messages are gone`);
    for (const message of messages) {
      const taken = held.take(message);
      if (taken !== undefined) speaker.application(taken.msgType, taken.body, now);
    }
    held.taken();
    held.fetch();
  }

  flush(): void {
    this.#core.outbox.flush();
  }

  closed(now: Instant): void {
    const core = this.#core;
    core.down();
    if (!core.wasActive) return;
    core.wasActive = false;
    const end = { graceful: core.isGraceful, reason: core.endReason };
    core.application.onDisconnect?.(this, end, now);
  }

  /** Before anything rests on the wall clock. */
  #observeClock(now: Instant): void {
    const stepMs = this.#core.calendar.observe(now);
    if (stepMs === 0) return;
    const what = `the wall clock stepped by ${stepMs} ms`;
    this.#core.alarm('clock_step', `${what}: once it is right, stop and start the session`);
  }

  #watch(now: Instant): void {
    const core = this.#core;
    if (core.calendar.isOver(now)) {
      core.leave('Session hours are over', now);
      return;
    }
    if (core.gap.isOpen && now.monoMs >= core.gap.sinceMs + this.settings.gapPatienceMs) {
      core.alarm('resend_unanswered', 'a ResendRequest of ours was not answered');
      core.end('ResendRequest was not answered', now);
      return;
    }
    switch (core.liveness.check(now.monoMs)) {
      case 'none':
        return;
      case 'heartbeat':
        core.speaker.heartbeat(undefined, now);
        return;
      case 'testRequest':
        core.speaker.testRequest(now);
        core.liveness.tested();
        return;
      case 'dead':
        core.close('nothing heard for 2.4 times HeartBtInt(108)');
        return;
    }
  }

  #isShut(): boolean {
    return this.#core.phase === 'down' || this.#core.phase === 'closing';
  }

  #newDecoder(): Decoder {
    const { manners, maxMessageBytes: maxBodyBytes } = this.settings;
    const limits = { ...defaultDecoderLimits, maxBodyBytes, skipsLonger: true };
    return new Decoder(this.#parts.dictionary, limits, manners);
  }
}
