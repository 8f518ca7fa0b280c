/**
 * What the sessions of both protocols have in common (docs/decisions/0223-what-both-protocols-share.md): the phase of a
 * session, its counts and alarms, the message that waits for its application, and the end of a connection.
 */
import type { Instant } from '../runtime/clock.ts';
import { FoldedAlarm, type PeerReject, peerRejectText } from './folded-alarm.ts';
import type { Effects } from './session.ts';
import { type FrameBuffer, SessionOutbox } from './session-outbox.ts';

/** The end of a connection on which the session was active. */
export interface SessionEnd {
  /** After a farewell that was answered: Logout(5), or Terminate of code Finished. */
  readonly graceful: boolean;
  readonly reason: string;
}

/** What a session calls of every application. */
interface SessionApplication {
  onDisconnect?(session: unknown, end: SessionEnd, now: Instant): void;
  onAlarm?(session: unknown, alarm: { readonly kind: string; readonly text: string }): void;
}

/** The sequence numbers in the store. */
interface Numbers {
  readonly nextIn: number;
  readonly nextOut: number;
}

const never = Number.POSITIVE_INFINITY;

/** `Phase` are the protocol's own phases between `down` and `closing`. */
export abstract class SessionMachine<
  App extends SessionApplication,
  Phase extends string,
  AlarmKind extends string,
  Waiting,
> {
  readonly application: App;
  readonly effects: Effects;
  readonly outbox: SessionOutbox;
  /** Since the start: gaps that we found, requests of the peer to send again, and its rejects of our messages. */
  readonly counts = { gaps: 0, resends: 0, rejects: 0 };
  readonly #rejects = new FoldedAlarm();

  /** `closing`: the transport was asked to close, nothing more is read. */
  phase: Phase | 'down' | 'closing' = 'down';
  /** On the monotonic clock: when the wait of this phase ends. */
  deadlineMs = never;
  isGraceful = false;
  /** On this connection the session was logged on or established. */
  wasActive = false;
  endReason = '';
  /** Unix time of the peer's last message, 0 before the first. */
  lastHeardWallMs = 0;
  /** The message that the application waits for something to handle, and its number, so that it waits once. */
  awaited: Waiting | undefined;
  awaitedSeq = 0;

  constructor(application: App, effects: Effects, frames: FrameBuffer, start: Numbers) {
    this.application = application;
    this.effects = effects;
    this.outbox = new SessionOutbox(frames, effects, start);
  }

  /** There is no connection, or it is being closed. */
  get isShut(): boolean {
    return this.phase === 'down' || this.phase === 'closing';
  }

  /** A connection is up. Its first messages are waited for until `deadlineMs`. */
  protected connected(phase: Phase, deadlineMs: number): void {
    this.phase = phase;
    this.deadlineMs = deadlineMs;
    this.isGraceful = false;
    this.wasActive = false;
    this.endReason = 'the connection was lost';
    this.awaited = undefined;
    this.awaitedSeq = 0;
  }

  /** Both sides have agreed on the session. */
  protected activated(phase: Phase): void {
    this.phase = phase;
    this.wasActive = true;
    this.deadlineMs = never;
  }

  /** Whether the message waits for `over`, where that is not undefined: then it is taken again later. */
  waitFor(over: Promise<unknown> | undefined, seq: number, message: () => Waiting): boolean {
    if (over === undefined) return false;
    this.awaited = message();
    this.awaitedSeq = seq;
    this.effects.wait(over);
    return true;
  }

  alarm(kind: AlarmKind, text: string): void {
    this.application.onAlarm?.(this, { kind, text });
    this.effects.alarm(kind, text);
  }

  /** The peer refused a message of ours, which nothing answers. */
  rejected(reject: PeerReject, now: Instant): void {
    const alarm = this.#rejects.add(peerRejectText(reject), now.monoMs);
    this.counts.rejects = this.#rejects.count;
    if (alarm !== undefined) this.alarm('rejected' as AlarmKind, alarm);
  }

  close(reason: string): void {
    this.phase = 'closing';
    this.endReason = reason;
    this.deadlineMs = never;
    this.outbox.flush();
    this.effects.disconnect(reason);
  }

  flush(): void {
    this.outbox.flush();
  }

  /** The transport is gone. */
  closed(now: Instant): void {
    this.phase = 'down';
    this.deadlineMs = never;
    if (!this.wasActive) return;
    this.wasActive = false;
    const end = { graceful: this.isGraceful, reason: this.endReason };
    this.application.onDisconnect?.(this, end, now);
  }
}
