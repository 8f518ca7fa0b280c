/**
 * The checks before a Logon(A) may change anything: a rejected client does not even advance a sequence number.
 * Strangers are rejected without a response, other clients with a Logout(5).
 */
import type { Instant } from '../runtime/clock.ts';
import {
  type Attempt,
  type Authenticator,
  objectionToClient,
} from '../transport/authentication.ts';
import { PendingVerdict } from '../transport/pending-verdict.ts';
import type { Peer } from '../transport/session.ts';
import { FieldWriter } from './field-writer.ts';
import { Framer } from './framer.ts';
import type { Message } from './message.ts';
import { faultText, sessionRejects } from './reject.ts';
import { periodAt } from './session-schedule.ts';
import type { SessionSettings } from './session-settings.ts';
import type { Validator } from './validator.ts';

export interface LogonRefusal {
  readonly reason: string;
  /** The text of the Logout(5), if one is sent. */
  readonly peerText: string | undefined;
  /** Whether it counts against the source. */
  readonly isOffence: boolean;
}

/** The number of a failed authentication in the venue's table. */
const authFailed = 200;

export function examineLogon(
  logon: Message,
  peer: Peer,
  now: Instant,
  settings: SessionSettings,
  authenticate: Authenticator,
  validator: Validator,
): LogonRefusal | PendingVerdict | undefined {
  const isHouse = settings.dialect === 'house';
  const silent = (reason: string) => ({
    reason,
    peerText: isHouse ? reason : undefined,
    isOffence: false,
  });
  const answered = (reason: string) => ({ reason, peerText: reason, isOffence: false });

  // This check comes first, because any other response reveals that these CompIDs exist.
  const attempt = attemptOf(logon, peer, now);
  const stranger = objectionToClient(attempt, settings.certificates, authenticate);
  if (stranger instanceof PendingVerdict) return stranger;
  if (stranger !== undefined) {
    return { ...stranger, peerText: `Logon refused: ${stranger.peerText}`, isOffence: true };
  }

  if (logon.msgSeqNum === undefined) return answered('Received message without MsgSeqNum');
  const fault = validator.validate(logon);
  if (fault !== undefined) return silent(`Logon: ${faultText(fault)}`);
  const sentMs = logon.utcMs(52);
  const { sendingTimeToleranceMs } = settings;
  if (sentMs === undefined || Math.abs(now.wallMs - sentMs) > sendingTimeToleranceMs) {
    return silent(sessionRejects.sendingTime.text);
  }
  if (settings.schedule !== undefined && periodAt(settings.schedule, now.wallMs) === undefined) {
    return answered('Logon outside of session hours');
  }
  const objection = objectionToTerms(logon, settings);
  return objection === undefined ? undefined : answered(objection);
}

/** Returns the text for a peer whose Logon(A), the first one or one in a session, asks for what is not offered. */
export function objectionToTerms(logon: Message, settings: SessionSettings): string | undefined {
  const { role, minHeartBtIntS, maxHeartBtIntS, allowsReset } = settings;
  const heartBtIntS = logon.int(108) ?? 0;
  if (heartBtIntS < 0) return 'HeartBtInt must not be negative';
  // The range is for clients: an initiator chooses the interval itself.
  const isOutside = heartBtIntS < minHeartBtIntS || heartBtIntS > maxHeartBtIntS;
  if (role === 'acceptor' && isOutside)
    return `HeartBtInt ${heartBtIntS} is not ${minHeartBtIntS} to ${maxHeartBtIntS}`;
  if (logon.int(98) !== 0) return 'EncryptMethod(98) other than 0 is not offered';
  if (logon.bool(141) === true && !allowsReset)
    return 'ResetSeqNumFlag(141)=Y is not allowed on this session';
  return undefined;
}

/** Reads the credentials: Password(554), or a signature in RawData(96). */
export function attemptOf(logon: Message, peer: Peer, now: Instant): Attempt {
  const password = logon.text(554);
  const signature = logon.has(96) ? (logon.text(96) ?? '') : undefined;
  return {
    credentials: {
      username: logon.text(553) ?? '',
      ...(password !== undefined && { password }),
      ...(signature !== undefined && { signature }),
    },
    signed: [52, 35, 34, 49, 56].map((tag) => logon.text(tag) ?? ''),
    signedMs: logon.utcMs(52) ?? Number.NEGATIVE_INFINITY,
    peer,
    now,
  };
}

/**
 * The Logout(5) of a rejection, with the CompIDs of the Logon(A) swapped. It does not belong to a session: it has
 * MsgSeqNum(34) 1 and consumes no number.
 */
export function refusalLogout(
  { isOffence, peerText = '' }: Pick<LogonRefusal, 'isOffence' | 'peerText'>,
  logon: Message,
  numberTag: number | undefined,
  now: Instant,
): Uint8Array {
  const body = new FieldWriter().text(58, peerText);
  if (isOffence && numberTag !== undefined) body.int(numberTag, authFailed);
  const [senderSubId, targetSubId] = [logon.text(57), logon.text(50)];
  const framer = new Framer({
    senderCompId: logon.text(56) ?? '',
    targetCompId: logon.text(49) ?? '',
    ...(senderSubId !== undefined && { senderSubId }),
    ...(targetSubId !== undefined && { targetSubId }),
  });
  return framer.frame('5', 1, now.wallMs, body.bytes).slice();
}
