/** The settings of one FIX session. Every limit is finite; the documentation lists the defaults. */
import type { RateLimit } from '../runtime/token-bucket.ts';
import type { Schedule } from './session-schedule.ts';

/** BeginString(8), the same for every session. */
export const beginString = 'FIX.4.4';

export interface SessionIdentity {
  readonly senderCompId: string;
  readonly senderSubId?: string | undefined;
  readonly targetCompId: string;
  readonly targetSubId?: string | undefined;
}

/** The name of a session in the store, in logs and on the console. */
export function sessionName(identity: SessionIdentity): string {
  const us = identity.senderSubId ?? '';
  const them = identity.targetSubId ?? '';
  return `${beginString}:${identity.senderCompId}/${us}->${identity.targetCompId}/${them}`;
}

/** Our own credentials at logon: Username(553), Password(554). */
export interface OwnCredentials {
  readonly username?: string;
  readonly password?: string;
}

/** Optional settings with their defaults. */
export const defaultSessionSettings = {
  /** HeartBtInt(108): the value that an initiator requests, and the range that an acceptor permits. */
  heartBtIntS: 30,
  minHeartBtIntS: 5,
  maxHeartBtIntS: 60,
  /** Whether ResetSeqNumFlag(141)=Y is accepted, at logon and within a session. */
  allowsReset: false,
  /** An acceptor restarts at 1 with each logon; an initiator requests it with 141=Y. */
  resetsOnLogon: false,
  /** The tolerance for SendingTime(52). */
  sendingTimeToleranceMs: 120_000,
  /** Whether our Logon(A) has NextExpectedMsgSeqNum(789). An acceptor always responds to a client that sends it. */
  saysNextExpected: false,
  /** Whether every message has LastMsgSeqNumProcessed(369). */
  saysLastProcessed: false,
  strictUserTags: false,
  /** A message with a larger BodyLength(9) is rejected without being read. */
  maxMessageBytes: 65_536,
  /** Message types that count against `cancelRate`. */
  cancelTypes: new Set(['F', 'q', 'Z']) as ReadonlySet<string>,
  /** This many rate-limit rejects within ten seconds end the session. */
  maxRateRefusals: 100,
  /** A gap larger than this is requested in chunks of this size. */
  resendChunk: 2500,
  /** How many times the same ResendRequest(2) is answered. */
  maxSameResends: 5,
  /** The maximum number of messages queued behind a gap. */
  maxQueuedMessages: 10_000,
  maxQueuedBytes: 8 * 1024 * 1024,
  /** The maximum number of messages held for a logon. */
  maxHeldMessages: 1_000_000,
  /** A gap that the peer does not fill within this time ends the session. */
  gapPatienceMs: 60_000,
  logonWaitMs: 10_000,
  /** The maximum wait for the response to our Logout(5). */
  logoutWaitMs: 5_000,
  /** How long the peer has to close the connection after the response to its Logout(5). */
  closeWaitMs: 2_000,
  /** The highest sequence number; a News(B) warns `seqNumWarning` numbers earlier. */
  maxMsgSeqNum: 1_000_000_000,
  seqNumWarning: 10_000,
  /**
   * `quickfix` matches the QuickFIX acceptance suite where it differs: there is no RefTagID(371) for errors that the
   * session finds; undefined user tags have reason 0; most rejected logons and a second Logon(A) get no response;
   * OrigSendingTime(122) is checked only if the number was used before; an early ResendRequest(2) reveals no gap, and
   * one with an already used number is answered; a wrong BodyLength(9) garbles everything up to the next CheckSum(10).
   */
  dialect: 'house' as 'house' | 'quickfix',
};
type Defaults = Readonly<typeof defaultSessionSettings>;

export interface SessionSettings extends Defaults {
  readonly identity: SessionIdentity;
  readonly role: 'acceptor' | 'initiator';
  readonly schedule?: Schedule;
  /** Accepted application message types; undefined accepts all of the dictionary. Others get a j with 380=3. */
  readonly offered?: ReadonlySet<string>;
  /** The rate of application messages; types in `cancelTypes` have a separate budget. */
  readonly rate?: RateLimit;
  readonly cancelRate?: RateLimit;
  /** The custom tag for the venue's numbers on throttling (101) and rejected logons (200). */
  readonly numberTag?: number;
  /** Called by an initiator before each Logon(A). */
  readonly credentials?: () => OwnCredentials;
  /** SHA-256 fingerprints, one of which the peer's certificate must have. */
  readonly certificates?: ReadonlySet<string>;
}

export function sessionSettings(
  given: Omit<SessionSettings, keyof Defaults> & Partial<Defaults>,
): SessionSettings {
  return { ...defaultSessionSettings, ...given };
}
