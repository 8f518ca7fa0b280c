/** What an application hears from a session. All is called within the turn, so that what it records is one commit. */
import type { Instant } from '../runtime/clock.ts';
import type { SessionEnd } from '../transport/session-machine.ts';
import type { HeaderExtras } from './framer.ts';
import type { Message } from './message.ts';
import type { Fault } from './reject.ts';
import type { SessionSettings } from './session-settings.ts';
import type { BusinessReject } from './session-speaker.ts';

export type { SessionEnd };

/** The session as its application sees it. All of it inside a turn. */
export interface AppSession {
  readonly name: string;
  readonly settings: SessionSettings;
  /** The number that our next message will have. */
  readonly nextOut: number;
  /** Logged on, and neither side is logging out: what is sent has a number at once. */
  readonly isActive: boolean;
  /** Sends an application message, or holds it until the next logon; `full` when no more can be held. */
  send(
    msgType: string,
    body: Uint8Array,
    now: Instant,
    extras?: HeaderExtras,
  ): 'sent' | 'held' | 'full';
  reject(message: Message, fault: Fault, now: Instant): void;
  businessReject(message: Message, reject: BusinessReject, now: Instant): void;
  news(headline: string, text: string, now: Instant): void;
  /** Asks the peer to confirm what it has received: `Application.onConfirmed` hears the answer. */
  askConfirmation(now: Instant): void;
  /** Ends the session in good order. */
  logout(text: string | undefined, now: Instant): void;
}

export interface Application {
  onLogon?(session: AppSession, now: Instant): void;
  /**
   * What must be known before this message can be handled: until it is over, a bounded time later, the session reads nothing
   * more, and the number of the message is not used up.
   */
  waitsFor?(message: Message, now: Instant): Promise<unknown> | undefined;
  /** An application message, once and in order. `message` is lent until the call returns; `detach` keeps it. */
  onMessage(message: Message, session: AppSession, now: Instant): void;
  /** Orders of an ungraceful end are candidates for cancel-on-disconnect. */
  onDisconnect?(session: AppSession, end: SessionEnd, now: Instant): void;
  /** The peer has received every message up to this number. */
  onConfirmed?(seq: number): void;
  /** The peer rejected our message of this number, by Reject(3) or BusinessMessageReject(j). */
  onRejected?(seq: number): void;
  /** Numbers were set anew, and what was kept under the old ones is dropped. */
  onReset?(): void;
  /** Something that an operator should look at. */
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
