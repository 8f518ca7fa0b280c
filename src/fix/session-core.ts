/** What the parts of a session share: where it stands, its numbers and voice, and the moves that end it. */
import type { Instant } from '../runtime/clock.ts';
import { FoldedAlarm, peerRejectText } from '../transport/folded-alarm.ts';
import type { Effects } from '../transport/session.ts';
import { SessionOutbox } from '../transport/session-outbox.ts';
import type { Application, AppSession, SessionAlarm } from './application.ts';
import { FieldWriter } from './field-writer.ts';
import { Framer } from './framer.ts';
import type { Message } from './message.ts';
import { Calendar } from './session-calendar.ts';
import { Gap } from './session-gap.ts';
import { Held } from './session-held.ts';
import { Liveness } from './session-liveness.ts';
import { Replay } from './session-replay.ts';
import type { SessionSettings } from './session-settings.ts';
import { Speaker } from './session-speaker.ts';

/**
 * `awaitingLogon`: connected. `active`: both Logons are done. `leaving`: our Logout(5) waits for its answer.
 * `left`: theirs was answered. `closing`: the transport was asked to close, nothing more is read.
 */
export type Phase = 'down' | 'awaitingLogon' | 'active' | 'leaving' | 'left' | 'closing';

/** Where the store says that the session stood. */
export interface SessionStart {
  readonly nextIn: number;
  readonly nextOut: number;
  readonly heldTo: number;
  readonly releasedTo: number;
  readonly periodStartMs: number;
}

const never = Number.POSITIVE_INFINITY;

export class SessionCore {
  readonly settings: SessionSettings;
  readonly application: Application;
  readonly effects: Effects;
  readonly liveness = new Liveness();
  readonly replay = new Replay();
  readonly outbox: SessionOutbox;
  readonly speaker: Speaker;
  readonly gap: Gap;
  readonly held: Held;
  readonly calendar: Calendar;
  readonly #owner: AppSession;

  phase: Phase = 'down';
  /** On the monotonic clock: the end of the wait that the phase stands for. */
  deadlineMs = never;
  /** After a fault that ends the session, nothing but the peer's Logout(5) is of interest. */
  isDeaf = false;
  /** Our Logon(A) with ResetSeqNumFlag(141)=Y waits for its answer. */
  isResetAsked = false;
  isGraceful = false;
  wasActive = false;
  endReason = '';
  lastHeardWallMs = 0;
  /** The message that the application waits for something to handle, and its number, so that it waits once. */
  awaited: Message | undefined;
  awaitedSeq = 0;
  /** Since the start: gaps that we found, ResendRequests of the peer, and messages of ours that it rejected. */
  readonly counts = { gaps: 0, resends: 0, rejects: 0 };
  readonly #rejects = new FoldedAlarm();
  readonly #tooLong = new FoldedAlarm();
  #isEndWarned = false;
  /** How often the numbers were set anew: an answer from before says nothing of the new ones. */
  #resets = 0;

  constructor(
    owner: AppSession,
    settings: SessionSettings,
    application: Application,
    effects: Effects,
    start: SessionStart,
  ) {
    this.#owner = owner;
    this.settings = settings;
    this.application = application;
    this.effects = effects;
    const frames = new FieldWriter(4096);
    const framer = new Framer({ beginString: 'FIX.4.4', ...settings.identity }, frames);
    this.outbox = new SessionOutbox(frames, effects, start);
    this.speaker = new Speaker(settings, framer, this.outbox, this.liveness);
    this.gap = new Gap(settings);
    this.held = new Held(start, settings.maxHeldMessages, effects);
    this.calendar = new Calendar(settings.schedule, start.periodStartMs);
  }

  get owner(): AppSession {
    return this.#owner;
  }

  /** Both Logons are done and the peer is still listened to. */
  get isTalking(): boolean {
    return this.phase === 'active' || this.phase === 'leaving';
  }

  opened(now: Instant): void {
    this.phase = 'awaitingLogon';
    this.deadlineMs = now.monoMs + this.settings.logonWaitMs;
    this.isDeaf = false;
    this.isResetAsked = false;
    this.isGraceful = false;
    this.wasActive = false;
    this.endReason = 'the connection was lost';
    this.awaited = undefined;
    this.awaitedSeq = 0;
    this.replay.forgetCounts();
  }

  activate(heartBtIntS: number, now: Instant): void {
    this.phase = 'active';
    this.wasActive = true;
    this.deadlineMs = never;
    this.liveness.start(heartBtIntS, now.monoMs);
  }

  down(): void {
    this.phase = 'down';
    this.deadlineMs = never;
    this.gap.clear();
    this.replay.stop();
  }

  alarm(kind: SessionAlarm['kind'], text: string): void {
    this.application.onAlarm?.(this.#owner, { kind, text });
    this.effects.alarm(kind, text);
  }

  /** Says Logout(5) and waits for the answer, a bounded time. */
  leave(text: string | undefined, now: Instant, isDeaf = false): void {
    this.speaker.logout(text, now);
    this.phase = 'leaving';
    this.isDeaf = isDeaf;
    this.endReason = text ?? 'logged out after a fault of the peer';
    this.deadlineMs = now.monoMs + this.settings.logoutWaitMs;
  }

  /** Says Logout(5) and waits for nothing. */
  end(text: string, now: Instant): void {
    this.speaker.logout(text, now);
    this.close(text);
  }

  close(reason: string): void {
    this.phase = 'closing';
    this.endReason = reason;
    this.deadlineMs = never;
    this.outbox.flush();
    this.effects.disconnect(reason);
  }

  /** The peer's next message should have this number. */
  advance(nextIn: number, now: Instant): void {
    this.outbox.expect(nextIn);
    if (!this.gap.isOpen) return;
    const range = this.gap.filledTo(nextIn, now.monoMs);
    if (range !== undefined) this.speaker.resendRequest(range, now);
  }

  /** A message with this number came before those below it. */
  miss(seq: number, now: Instant): void {
    const range = this.gap.found(this.outbox.nextIn, seq, now.monoMs);
    if (range === undefined) return;
    this.counts.gaps += 1;
    this.speaker.resendRequest(range, now);
  }

  reset(nextIn: number, nextOut: number): void {
    this.gap.clear();
    this.replay.stop();
    this.replay.forgetCounts();
    this.outbox.reset(nextIn, nextOut);
    this.#isEndWarned = false;
    this.begunAnew();
  }

  /** Our numbers start again, and nothing under the old ones can be resent. */
  begunAnew(): void {
    this.#resets += 1;
    this.application.onReset?.();
  }

  /** A TestRequest whose answer can only come when every number before it has been received. */
  askConfirmation(now: Instant): void {
    this.speaker.testRequest(now, `SEQ-${this.outbox.nextOut - 1}-${this.#resets}`);
  }

  /** A Heartbeat with a TestReqID(112). */
  answered(testReqId: string): void {
    const [, seq, resets] = /^SEQ-(\d{1,16})-(\d{1,16})$/.exec(testReqId) ?? [];
    if (seq !== undefined && Number(resets) === this.#resets) this.confirmed(Number(seq));
  }

  /** A Reject(3) or BusinessMessageReject(j) of the peer, which is never answered. */
  rejected(message: Message, now: Instant): void {
    const seq = message.int(45);
    const reasons = [371, 373, 380].flatMap((tag) =>
      message.has(tag) ? `${tag}=${message.text(tag)}` : [],
    );
    const ours = `message ${seq ?? '?'} (35=${message.text(372) ?? '?'})`;
    const text = [...reasons, message.text(58) ?? ''].join(' ').trim();
    const alarm = this.#rejects.add(peerRejectText({ ours, text }), now.monoMs);
    this.counts.rejects = this.#rejects.count;
    if (alarm !== undefined) this.alarm('rejected', alarm);
    if (seq !== undefined) this.application.onRejected?.(seq);
  }

  /** A message above the limit of the session: what stood in it is gone, and its number is used up. */
  tooLong(message: Message, now: Instant): void {
    const what = `35=${message.msgType} 34=${message.int(34) ?? '?'} 9=${message.int(9) ?? '?'}`;
    const text = `a message was longer than ${this.settings.maxMessageBytes} bytes: ${what}`;
    const alarm = this.#tooLong.add(text, now.monoMs);
    if (alarm !== undefined) this.alarm('too_long', alarm);
  }

  confirmed(seq: number): void {
    if (seq < this.outbox.nextOut) this.application.onConfirmed?.(seq);
  }

  /** The first touch of a new period of the schedule starts the numbers at 1. */
  rollOver(now: Instant): void {
    const turn = this.calendar.turn(now);
    if (turn === undefined) return;
    if (turn.resets) this.reset(1, 1);
    this.effects.record({ kind: 'mark', name: 'period', value: turn.startMs });
  }

  /** Warns before our numbers run out, and stops when they have. */
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
