/**
 * The callbacks of an application for a FIXP session. They are called within the transaction, so that everything they
 * record is one commit.
 */
import type { Instant } from '../runtime/clock.ts';
import type { PeerReject } from '../transport/peer-reject.ts';
import type { SessionEnd } from '../transport/session-machine.ts';
import type { SeqRange } from './session-ids.ts';
import type { CancelOnDisconnect, FixpSettings } from './settings.ts';

/** The session as its application uses it. All methods are called within a transaction. */
export interface FixpAppSession {
  readonly name: string;
  readonly settings: FixpSettings;
  /** The sequence number of the next message, in the flow of the current session id. */
  readonly nextOut: number;
  /** Established, and neither side is ending the session: a message that is sent goes out at once. */
  readonly isActive: boolean;
  /** Values of the current Establish, or of the last one. */
  readonly cancelOnDisconnect: CancelOnDisconnect;
  /**
   * Sends an SBE message with its header. A server's message is numbered and kept for a client that is not connected
   * (`held`), up to a limit (`full`). A client's message is not sent (`full`) unless the session is established.
   */
  send(message: Uint8Array, now: Instant): 'sent' | 'held' | 'full';
  /** Acknowledges these messages of the client's flow soon, unless another response does. */
  applied(range: SeqRange, now: Instant): void;
  /** Reports to the operator that the peer rejected a message of ours. */
  rejected(reject: PeerReject, now: Instant): void;
  /** Ends the connection because the bytes cannot be decoded, like a framing error. */
  giveUp(text: string, now: Instant): void;
  /** Ends the connection gracefully. */
  terminate(text: string | undefined, now: Instant): void;
}

export interface FixpApplication {
  /** A new session id, or numbers that an operator set: the flow does not have the messages that were sent before. */
  onReset?(): void;
  onEstablished?(session: FixpAppSession, now: Instant): void;
  /**
   * What this message has to wait for. Until then, within a bounded time, the session reads nothing more, and the
   * message's sequence number is not consumed.
   */
  waitsFor?(message: Uint8Array, seq: number, now: Instant): Promise<unknown> | undefined;
  /** Receives an application message with its SBE header, once and in order; it is valid only during the call. */
  onMessage(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** Refuses a message above the rate of the session; without this, the response is NotApplied. */
  onAboveRate?(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** Refuses a message that stopped the bridge before; without this, the response is NotApplied. */
  onSetAside?(message: Uint8Array, seq: number, session: FixpAppSession, now: Instant): void;
  /** For a client: the outcome of its messages. Those not applied may be sent again with new sequence numbers. */
  onApplied?(range: SeqRange, session: FixpAppSession, now: Instant): void;
  onNotApplied?(range: SeqRange, session: FixpAppSession, now: Instant): void;
  /** After an ungraceful end, orders are candidates for cancel-on-disconnect. */
  onDisconnect?(session: FixpAppSession, end: FixpSessionEnd, now: Instant): void;
  /** An operator should check this. */
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
