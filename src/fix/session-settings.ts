/** What one FIX session is told by its operator. Every limit is finite; the defaults are those of the manual. */
import type { RateLimit } from '../runtime/token-bucket.ts';
import type { Schedule } from './session-schedule.ts';

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
  return `FIX.4.4:${identity.senderCompId}/${us}->${identity.targetCompId}/${them}`;
}

/** What proves at logon who we are: Username(553), Password(554). */
export interface OwnCredentials {
  readonly username?: string;
  readonly password?: string;
}

export interface SessionSettings {
  readonly identity: SessionIdentity;
  readonly role: 'acceptor' | 'initiator';
  /** HeartBtInt(108): what an initiator asks for, and what an acceptor lets a client ask for. */
  readonly heartBtIntS: number;
  readonly minHeartBtIntS: number;
  readonly maxHeartBtIntS: number;
  /** ResetSeqNumFlag(141)=Y is honoured, at logon and inside a session. */
  readonly allowsReset: boolean;
  /** An acceptor starts at 1 with each logon; an initiator asks for it with 141=Y. */
  readonly resetsOnLogon: boolean;
  readonly schedule?: Schedule;
  /** SendingTime(52) may be so far off. */
  readonly sendingTimeToleranceMs: number;
  /** Our Logon says NextExpectedMsgSeqNum(789). An acceptor always answers a client that does. */
  readonly saysNextExpected: boolean;
  /** Every message says LastMsgSeqNumProcessed(369). */
  readonly saysLastProcessed: boolean;
  readonly strictUserTags: boolean;
  /** A message with a larger BodyLength(9) is rejected unread. */
  readonly maxMessageBytes: number;
  /** Application types that are taken; undefined takes all of the dictionary. The others get j with 380=3. */
  readonly offered?: ReadonlySet<string>;
  /** The rate of application messages; types in `cancelTypes` draw on a budget of their own. */
  readonly rate?: RateLimit;
  readonly cancelRate?: RateLimit;
  readonly cancelTypes: ReadonlySet<string>;
  /** So many refusals for the rate within ten seconds end the session. */
  readonly maxRateRefusals: number;
  /** The custom tag that carries a number of the venue's table on throttling (101) and refused logons (200). */
  readonly numberTag?: number;
  /** A gap larger than this is asked for in chunks of this size. */
  readonly resendChunk: number;
  /** The same ResendRequest(2) is answered so many times. */
  readonly maxSameResends: number;
  /** Messages beyond a gap that wait for it to be filled. */
  readonly maxQueuedMessages: number;
  readonly maxQueuedBytes: number;
  /** Messages that wait for a logon. */
  readonly maxHeldMessages: number;
  /** A gap that the peer does not fill for so long ends the session. */
  readonly gapPatienceMs: number;
  readonly logonWaitMs: number;
  /** How long a Logout(5) of ours waits for its answer. */
  readonly logoutWaitMs: number;
  /** How long the peer has to close once its Logout(5) was answered. */
  readonly closeWaitMs: number;
  /** No number above this; a News(B) warns `seqNumWarning` numbers before. */
  readonly maxMsgSeqNum: number;
  readonly seqNumWarning: number;
  /** Asked by an initiator for each Logon(A). */
  readonly credentials?: () => OwnCredentials;
  /** SHA-256 fingerprints, one of which the peer's certificate must have. */
  readonly certificates?: ReadonlySet<string>;
  /**
   * `quickfix` is what the QuickFIX acceptance suite looks for where it differs: no RefTagID(371) for faults that
   * the session finds; undefined user tags are reason 0; most refused logons are told nothing; OrigSendingTime(122)
   * is judged only where the number was used before; a second Logon(A) is told nothing; a ResendRequest(2) that comes
   * early shows no gap, and one under a number that was used before is answered; a wrong BodyLength(9) takes all up to
   * the next CheckSum(10) with it.
   */
  readonly manners: 'house' | 'quickfix';
}

export const defaultSessionSettings = {
  heartBtIntS: 30,
  minHeartBtIntS: 5,
  maxHeartBtIntS: 60,
  allowsReset: false,
  resetsOnLogon: false,
  sendingTimeToleranceMs: 120_000,
  saysNextExpected: false,
  saysLastProcessed: false,
  strictUserTags: false,
  maxMessageBytes: 65_536,
  cancelTypes: new Set(['F', 'q', 'Z']),
  maxRateRefusals: 100,
  resendChunk: 2500,
  maxSameResends: 5,
  maxQueuedMessages: 10_000,
  maxQueuedBytes: 8 * 1024 * 1024,
  maxHeldMessages: 1_000_000,
  gapPatienceMs: 60_000,
  logonWaitMs: 10_000,
  logoutWaitMs: 5_000,
  closeWaitMs: 2_000,
  maxMsgSeqNum: 1_000_000_000,
  seqNumWarning: 10_000,
  manners: 'house',
} as const;

type Defaulted = keyof typeof defaultSessionSettings;

export function sessionSettings(
  given: Omit<SessionSettings, Defaulted> & Partial<Pick<SessionSettings, Defaulted>>,
): SessionSettings {
  return { ...defaultSessionSettings, ...given };
}
