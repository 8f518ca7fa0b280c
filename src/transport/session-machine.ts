/**
 * The common base of the sessions of both protocols (docs/decisions/0223-what-both-protocols-share.md): the phase of a
 * session, its counts and alarms, the message that waits for its application, and the end of a connection.
 */
import type { Instant } from '../runtime/clock.ts';
import { FoldedAlarms } from '../runtime/folded-alarm.ts';
import { type PeerReject, peerRejectText } from './peer-reject.ts';
import type { Effects } from './session.ts';
import { type FrameBuffer, type NextNumbers, SessionOutbox } from './session-outbox.ts';

/** The end of a connection on which the session was active. */
export interface SessionEnd {
  /** True after a logout with a response: Logout(5), or Terminate with code Finished. */
  readonly graceful: boolean;
  readonly reason: string;
}

/** The calls that a session makes to every application. */
interface SessionApplication {
  onDisconnect?(session: unknown, end: SessionEnd, now: Instant): void;
  onAlarm?(session: unknown, alarm: { readonly kind: string; readonly text: string }): void;
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
  /** Totals since the start: gaps that we found, resend requests of the peer, and its rejects of our messages. */
  readonly counts = { gaps: 0, resends: 0, rejects: 0 };
  readonly #folded = new FoldedAlarms<AlarmKind>();

  /** `closing`: the connection is being closed, and nothing more is read. */
  phase: Phase | 'down' | 'closing' = 'down';
  /** When the wait of this phase ends, on the monotonic clock. */
  deadlineMs = never;
  isGraceful = false;
  /** Whether the session was logged on or established on this connection. */
  wasActive = false;
  endReason = '';
  /** Unix time of the peer's last message; 0 before the first. */
  lastReceivedWallMs = 0;
  /** The message that waits for something that its application needs, and its number, so that it waits only once. */
  awaited: Waiting | undefined;
  awaitedSeq = 0;

  constructor(application: App, effects: Effects, frames: FrameBuffer, start: NextNumbers) {
    this.application = application;
    this.effects = effects;
    this.outbox = new SessionOutbox(frames, effects, start);
  }

  /** Whether the session has no connection, or is closing it. */
  get isShut(): boolean {
    return this.phase === 'down' || this.phase === 'closing';
  }

  /** Called when a connection is up. The deadline applies to its first messages. */
  protected connected(phase: Phase, deadlineMs: number): void {
    this.phase = phase;
    this.deadlineMs = deadlineMs;
    this.isGraceful = false;
    this.wasActive = false;
    this.endReason = 'the connection was lost';
    this.awaited = undefined;
    this.awaitedSeq = 0;
  }

  /** Called when both sides have agreed on the session. */
  protected activated(phase: Phase): void {
    this.phase = phase;
    this.wasActive = true;
    this.deadlineMs = never;
  }

  /** Whether the message must wait for `over`, if that is defined; it is processed later in that case. */
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

  /** An alarm that the peer can cause as often as it likes, so it is raised once a minute, also across connections. */
  foldedAlarm(kind: AlarmKind, text: string, { monoMs }: Instant): void {
    const alarm = this.#folded.add(kind, text, monoMs);
    if (alarm !== undefined) this.alarm(kind, alarm);
  }

  /** The peer refused a message of ours; there is no response. */
  rejected(reject: PeerReject, now: Instant): void {
    this.counts.rejects += 1;
    this.foldedAlarm('rejected' as AlarmKind, peerRejectText(reject), now);
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

  /** Called when the connection has closed. */
  closed(now: Instant): void {
    this.phase = 'down';
    this.deadlineMs = never;
    if (!this.wasActive) return;
    this.wasActive = false;
    const end = { graceful: this.isGraceful, reason: this.endReason };
    this.application.onDisconnect?.(this, end, now);
  }
}
