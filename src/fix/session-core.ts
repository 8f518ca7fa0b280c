/** The state that all parts of a session share: sequence numbers, messages to the peer, and the end of the session. */
import type { Instant } from '../runtime/clock.ts';
import type { Numbers } from '../store/store.ts';
import { fixLiveness, Liveness } from '../transport/liveness.ts';
import type { Effects } from '../transport/session.ts';
import { SessionMachine } from '../transport/session-machine.ts';
import type { Application, AppSession, SessionAlarm } from './application.ts';
import { FieldWriter } from './field-writer.ts';
import { Framer } from './framer.ts';
import type { Message } from './message.ts';
import { Calendar } from './session-calendar.ts';
import { Gap } from './session-gap.ts';
import { Held } from './session-held.ts';
import { Replay } from './session-replay.ts';
import { type SessionSettings, sessionName } from './session-settings.ts';
import { Speaker } from './session-speaker.ts';

/**
 * `awaitingLogon`: connected. `active`: both Logons are done. `leaving`: our Logout(5) waits for its response. `left`:
 * we have responded to the peer's.
 */
type OwnPhase = 'awaitingLogon' | 'active' | 'leaving' | 'left';

/** The state of the session in the store, and its calendar if it was open before in this process. */
export type SessionStart = Omit<Numbers, 'oldestKept'> & { readonly calendar?: Calendar };

export abstract class SessionCore
  extends SessionMachine<Application, OwnPhase, SessionAlarm['kind'], Message>
  implements AppSession
{
  readonly name: string;
  readonly settings: SessionSettings;
  readonly liveness = new Liveness(fixLiveness);
  readonly replay = new Replay();
  readonly speaker: Speaker;
  readonly gap: Gap;
  readonly heldMessages: Held;
  readonly calendar: Calendar;

  /** After an error that ends the session, only the peer's Logout(5) is processed. */
  ignoresPeer = false;
  /** Our Logon(A) with ResetSeqNumFlag(141)=Y waits for its response. */
  isResetAsked = false;
  /** Our numbers began anew; the application is informed once both sides have agreed on them. */
  isRenumbered: boolean;
  #isEndWarned = false;
  /** The number of sequence resets: a response from before a reset does not apply to the new numbers. */
  #resets = 0;

  constructor(
    settings: SessionSettings,
    application: Application,
    effects: Effects,
    start: SessionStart,
  ) {
    const frames = new FieldWriter(4096);
    super(application, effects, frames, start);
    this.name = sessionName(settings.identity);
    this.settings = settings;
    const framer = new Framer(settings.identity, frames);
    this.speaker = new Speaker(settings, framer, this.outbox, this.liveness);
    this.gap = new Gap(settings);
    this.heldMessages = new Held(start, settings.maxHeldMessages, effects);
    this.calendar = new Calendar(settings.schedule, start.periodStartMs, start.calendar);
    this.isRenumbered = start.nextOut === 1;
  }

  /** Includes what the store has when every transaction so far is committed. */
  get state(): SessionStart {
    const { calendar, heldMessages, nextIn, nextOut } = this;
    const periodStartMs = calendar.numbersOfMs;
    return { nextIn, nextOut, ...heldMessages.positions, periodStartMs, calendar };
  }

  get maxNumber(): number {
    return this.settings.maxMsgSeqNum;
  }

  get nextIn(): number {
    return this.outbox.nextIn;
  }

  get nextOut(): number {
    return this.outbox.nextOut;
  }

  get isActive(): boolean {
    return this.phase === 'active';
  }

  get held(): number {
    return this.heldMessages.waiting;
  }

  /** Both Logons are done, and the peer's messages are still processed. */
  get isTalking(): boolean {
    return this.phase === 'active' || this.phase === 'leaving';
  }

  // Calls for applications, inside a transaction.

  abstract send(...message: Parameters<AppSession['send']>): ReturnType<AppSession['send']>;

  /** Sends a TestRequest, to which the peer can respond only once it has received every earlier message. */
  askConfirmation(now: Instant): void {
    if (this.isActive) this.speaker.testRequest(now, `SEQ-${this.nextOut - 1}-${this.#resets}`);
  }

  logout(text: string, now: Instant): void {
    if (this.isActive) this.leave(text, now);
    else if (this.phase === 'awaitingLogon') this.close(text);
  }

  // How a connection begins and ends.

  activate(heartBtIntS: number, now: Instant): void {
    this.activated('active');
    this.notePeriod(() => this.calendar.used(now));
    this.beat(heartBtIntS, now);
  }

  /** Both sides send something at least once in HeartBtInt(108); zero disables that. */
  beat(heartBtIntS: number, now: Instant): void {
    const intervalMs = heartBtIntS * 1000;
    this.liveness.start(intervalMs, intervalMs, now.monoMs);
  }

  override closed(now: Instant): void {
    this.gap.clear();
    this.replay.stop();
    if (this.wasActive) this.notePeriod(() => this.calendar.used(now));
    super.closed(now);
  }

  /** Sends Logout(5) and waits a bounded time for the response. */
  leave(text: string | undefined, now: Instant, fault?: string): void {
    this.speaker.logout(text, now);
    this.phase = 'leaving';
    this.ignoresPeer = fault !== undefined;
    this.endReason = text ?? `logged out after a fault of the peer: ${fault}`;
    this.deadlineMs = now.monoMs + this.settings.logoutWaitMs;
  }

  /** Sends Logout(5) without waiting for a response. */
  end(text: string, now: Instant): void {
    this.speaker.logout(text, now);
    this.close(text);
  }

  // Numbers.

  /** Sets the sequence number that the peer's next message should have. */
  advance(nextIn: number, now: Instant): void {
    this.outbox.expect(nextIn);
    if (!this.gap.isOpen) return;
    const range = this.gap.filledTo(nextIn, now.monoMs);
    if (range !== undefined) this.speaker.resendRequest(range, now);
  }

  /** A message with this sequence number arrived before earlier ones. */
  miss(seq: number, now: Instant): void {
    const range = this.gap.found(this.outbox.nextIn, seq, now.monoMs);
    if (range === undefined) return;
    this.counts.gaps += 1;
    this.speaker.resendRequest(range, now);
  }

  reset(nextIn: number, nextOut: number): void {
    this.gap.clear();
    this.replay.stop();
    this.outbox.reset(nextIn, nextOut);
    this.#isEndWarned = false;
    this.begunAnew();
  }

  /** Our numbers restart, and nothing with the old ones can be resent. */
  begunAnew(): void {
    this.#resets += 1;
    this.isRenumbered = true;
    this.application.onReset?.();
  }

  /** Receives a Heartbeat with a TestReqID(112). */
  answered(testReqId: string): void {
    const [, seq, resets] = /^SEQ-(\d{1,16})-(\d{1,16})$/.exec(testReqId) ?? [];
    if (seq !== undefined && Number(resets) === this.#resets) this.confirmed(Number(seq));
  }

  /** Receives a Reject(3) or BusinessMessageReject(j), which gets no response. A type could put words into alarms. */
  rejectedByPeer(message: Message, now: Instant): void {
    const seq = message.int(45);
    const reasons = [371, 373, 380].flatMap((tag) =>
      message.has(tag) ? `${tag}=${message.text(tag)}` : [],
    );
    const ours = `message ${seq ?? '?'} (35=${message.text(372)?.slice(0, 4) ?? '?'})`;
    const text = [...reasons, message.text(58) ?? ''].join(' ').trim();
    this.rejected({ ours, text }, now);
    if (seq !== undefined) this.application.onRejected?.(seq);
  }

  /** Receives a message above the session's size limit: its content is lost, and its number is consumed. */
  tooLong(message: Message, now: Instant): void {
    const [seq, bytes] = [34, 9].map((tag) => message.int(tag) ?? '?');
    const what = `35=${message.msgType.slice(0, 4)} 34=${seq} 9=${bytes}`;
    const text = `a message was longer than ${this.settings.maxMessageBytes} bytes: ${what}`;
    this.foldedAlarm('too_long', text, now);
  }

  confirmed(seq: number): void {
    if (seq < this.outbox.nextOut) this.application.onConfirmed?.(seq);
  }

  /** The first activity in a new period of the schedule restarts the numbers at 1. */
  rollOver(now: Instant): void {
    this.notePeriod(() => {
      if (this.calendar.turn(now)?.resets === true) this.reset(1, 1);
    });
  }

  /** Records the period to which the numbers belong, if the call changes it. */
  notePeriod(change: () => void): void {
    const before = this.calendar.numbersOfMs;
    change();
    const value = this.calendar.numbersOfMs;
    if (value !== before) this.effects.record({ kind: 'mark', name: 'period', value });
  }

  /** Warns before our numbers run out, and stops when they do. */
  watchNumbers(now: Instant): void {
    const left = this.settings.maxMsgSeqNum - this.outbox.nextOut;
    if (left >= this.settings.seqNumWarning) return;
    if (!this.#isEndWarned) {
      this.#isEndWarned = true;
      this.alarm('numbers_ending', `${left} numbers are left`);
      this.speaker.news('MsgSeqNum limit', `${left} numbers are left: reset the session`, now);
    } else if (left < 0) this.leave('MsgSeqNum limit reached', now);
  }
}
