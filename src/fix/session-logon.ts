/**
 * What is looked at before a Logon(A) may change anything: not even a sequence number moves for a client that is
 * refused. Refusals are of two sorts: those that a stranger is told nothing about, and those with a Logout(5).
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
import { sessionRejects } from './reject.ts';
import { periodAt } from './session-schedule.ts';
import type { SessionSettings } from './session-settings.ts';
import type { Validator } from './validator.ts';

export interface LogonRefusal {
  readonly reason: string;
  /** What the peer is told in a Logout(5), if anything. */
  readonly told: string | undefined;
  /** Counts against the source. */
  readonly isOffence: boolean;
}

/** The number of the venue's table for a failed authentication. */
const authFailed = 200;

export function examineLogon(
  logon: Message,
  peer: Peer,
  now: Instant,
  settings: SessionSettings,
  authenticate: Authenticator,
  validator: Validator,
): LogonRefusal | PendingVerdict | undefined {
  const isHouse = settings.manners === 'house';
  const silent = (reason: string) => ({
    reason,
    told: isHouse ? reason : undefined,
    isOffence: false,
  });
  const told = (reason: string) => ({ reason, told: reason, isOffence: false });

  // Before anything else, for every other answer tells that somebody has these CompIDs.
  const attempt = attemptOf(logon, peer, now);
  const stranger = objectionToClient(attempt, settings.certificates, authenticate);
  if (stranger instanceof PendingVerdict) return stranger;
  if (stranger !== undefined) {
    return { ...stranger, told: `Logon refused: ${stranger.told}`, isOffence: true };
  }

  if (logon.msgSeqNum === undefined) return told('Received message without MsgSeqNum');
  const fault = validator.validate(logon);
  if (fault !== undefined) {
    return silent(`Logon: ${sessionRejects[fault.reject].text} (${fault.tag})`);
  }
  const sentMs = logon.utcMs(52);
  const { sendingTimeToleranceMs, minHeartBtIntS, maxHeartBtIntS } = settings;
  if (sentMs === undefined || Math.abs(now.wallMs - sentMs) > sendingTimeToleranceMs) {
    return silent(sessionRejects.sendingTime.text);
  }
  if (settings.schedule !== undefined && periodAt(settings.schedule, now.wallMs) === undefined) {
    return told('Logon outside of session hours');
  }
  const heartBtIntS = logon.int(108) ?? 0;
  if (heartBtIntS < 0) return told('HeartBtInt must not be negative');
  if (heartBtIntS < minHeartBtIntS || heartBtIntS > maxHeartBtIntS) {
    return told(`HeartBtInt ${heartBtIntS} is not ${minHeartBtIntS} to ${maxHeartBtIntS}`);
  }
  if (logon.int(98) !== 0) return told('EncryptMethod(98) other than 0 is not offered');
  if (logon.bool(141) === true && !settings.allowsReset) {
    return told('ResetSeqNumFlag(141)=Y is not allowed on this session');
  }
  return undefined;
}

/** By Password(554), or by a signature in RawData(96). */
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
 * The Logout(5) of a refusal, with the names of the Logon(A) turned round. It is no part of a session: it has number 1
 * and consumes none.
 */
export function refusalLogout(
  { isOffence, told = '' }: Pick<LogonRefusal, 'isOffence' | 'told'>,
  logon: Message,
  numberTag: number | undefined,
  now: Instant,
): Uint8Array {
  const body = new FieldWriter().text(58, told);
  if (isOffence && numberTag !== undefined) body.int(numberTag, authFailed);
  const [senderSubId, targetSubId] = [logon.text(57), logon.text(50)];
  const framer = new Framer({
    beginString: 'FIX.4.4',
    senderCompId: logon.text(56) ?? '',
    targetCompId: logon.text(49) ?? '',
    ...(senderSubId !== undefined && { senderSubId }),
    ...(targetSubId !== undefined && { targetSubId }),
  });
  return framer.frame('5', 1, now.wallMs, body.bytes).slice();
}
