/** What an application hears from a FIXP session. All is called within the turn, so that what it records is one commit. */
import type { Instant } from '../runtime/clock.ts';
import type { PeerReject } from '../transport/folded-alarm.ts';
import type { SessionEnd } from '../transport/session-machine.ts';
import type { SeqRange } from './session-ids.ts';
import type { CancelOnDisconnect, FixpSettings } from './settings.ts';

/** The session as its application sees it. All of it inside a turn. */
export interface FixpAppSession {
  readonly name: string;
  readonly settings: FixpSettings;
  /** The number that the next message will have, in the flow of the current session id. */
  readonly nextOut: number;
  /** Of the Establish that is in force, or was last. */
  readonly cancelOnDisconnect: CancelOnDisconnect;
  /**
   * Sends an SBE message with its header. A server's is numbered and kept for the client that is away (`held`), up to a
   * limit (`full`); a client's is `full`, which is to say not sent, unless the session is established.
   */
  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full';
  /** Tells the client soon that these messages of its flow were taken, where no other answer does. */
  applied(range: SeqRange, now: Instant): void;
  /** The peer rejected a message of ours: an operator should know. */
  rejected(reject: PeerReject, now: Instant): void;
  /** Ends the connection because what came cannot be read, as a fault of the framing does. */
  giveUp(text: string, now: Instant): void;
  /** Ends the connection in good order. */
  terminate(text: string | undefined, now: Instant): void;
}

export interface FixpApplication {
  /** The client has begun a new session id: what it was told under the one before is not in its flow. */
  onNegotiated?(session: FixpAppSession, now: Instant): void;
  onEstablished?(session: FixpAppSession, now: Instant): void;
  /**
   * What must be known before this message can be handled: until it is over, a bounded time later, the session reads nothing
   * more, and the number of the message is not used up.
   */
  waitsFor?(message: Uint8Array, seq: number, now: Instant): Promise<unknown> | undefined;
  /** An application message with its SBE header, once and in order. `message` is lent until the call returns. */
  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** A message above the rate of the session, to be refused; without this, NotApplied is the answer. */
  onAboveRate?(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** A message that stopped the bridge before, to be refused; without this, NotApplied is the answer. */
  onSetAside?(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** Of a client: what became of its messages. Those not applied may be sent again, under new numbers. */
  onApplied?(range: SeqRange, session: FixpAppSession, now: Instant): void;
  onNotApplied?(range: SeqRange, session: FixpAppSession, now: Instant): void;
  /** Orders of an ungraceful end are candidates for cancel-on-disconnect. */
  onDisconnect?(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void;
  /** Something that an operator should look at. */
  onAlarm?(session: FixpAppSession, alarm: FixpAlarm): void;
}

export type FixpSessionEnd = SessionEnd;

export interface FixpAlarm {
  readonly kind:
    | 'refused'
    | 'rejected'
    | 'beyond_retention'
    | 'resend_loop'
    | 'resend_unanswered'
    | 'messages_lost'
    | 'numbers_ending'
    | 'rate'
    | 'held_full'
    | 'set_aside';
  readonly text: string;
}
