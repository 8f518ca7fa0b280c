/**
 * The callbacks of an application for a session. They are called within the transaction, so that everything they record
 * is one commit.
 */
import type { Instant } from '../runtime/clock.ts';
import type { SessionEnd } from '../transport/session-machine.ts';
import type { HeaderExtras } from './framer.ts';
import type { Message } from './message.ts';
import type { SessionSettings } from './session-settings.ts';

export type { SessionEnd };

/** The session as its application uses it. All methods are called within a transaction. */
export interface AppSession {
  readonly name: string;
  readonly settings: SessionSettings;
  /** The sequence number of our next message. */
  readonly nextOut: number;
  /** Logged on, and neither side is logging out: a message that is sent gets a number at once if none is held. */
  readonly isActive: boolean;
  /** The number of messages that wait for a logon. Those that are sent meanwhile wait behind them. */
  readonly held: number;
  /** Sends an application message, or holds it until the next logon; `full` if no more can be held. */
  send(
    msgType: string,
    body: Uint8Array,
    now: Instant,
    extras?: HeaderExtras,
  ): 'sent' | 'held' | 'full';
  /** Requests a confirmation from the peer, which is passed to `Application.onConfirmed`. */
  askConfirmation(now: Instant): void;
}

export interface Application {
  onLogon?(session: AppSession, now: Instant): void;
  /**
   * What this message has to wait for. Until then, within a bounded time, the session reads nothing more, and the
   * message's sequence number is not consumed.
   */
  waitsFor?(message: Message, now: Instant): Promise<unknown> | undefined;
  /** Receives an application message, once and in order. It is valid only during the call; `detach` copies it. */
  onMessage(message: Message, session: AppSession, now: Instant): void;
  /** After an ungraceful end, orders are candidates for cancel-on-disconnect. */
  onDisconnect?(session: AppSession, end: SessionEnd, now: Instant): void;
  /** The peer has received every message up to this number. */
  onConfirmed?(seq: number): void;
  /** The peer rejected our message with this number, by Reject(3) or BusinessMessageReject(j). */
  onRejected?(seq: number): void;
  /** Sequence numbers were reset, and messages stored with the old ones are dropped. */
  onReset?(): void;
  /**
   * Our numbers began anew since the last logon, or with a reset within the session on which both sides agreed. It is
   * called once for all resets of one read, because only the numbers of the last one count. One side may be leaving by
   * then; what is sent is held for the next logon.
   */
  onRenumbered?(): void;
  /** An operator should check this. */
  onAlarm?(session: AppSession, alarm: SessionAlarm): void;
}

export interface SessionAlarm {
  readonly kind:
    | 'resend_loop'
    | 'resend_unanswered'
    | 'beyond_retention'
    | 'reset_in_place'
    | 'numbers_ending'
    | 'clock_step'
    | 'rejected'
    | 'too_long'
    | 'rate'
    | 'held_full'
    | 'set_aside';
  readonly text: string;
}
