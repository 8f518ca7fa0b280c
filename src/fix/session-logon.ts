/**
 * What is looked at before a Logon(A) may change anything: not even a sequence number moves for a client that is
 * refused. Refusals are of two sorts: those that a stranger is told nothing about, and those with a Logout(5).
 */
import type { Instant } from '../runtime/clock.ts';
import { Inquiry } from '../transport/inquiry.ts';
import type { Peer } from '../transport/session.ts';
import { FieldWriter } from './field-writer.ts';
import { Framer } from './framer.ts';
import type { Authenticator } from './logon-auth.ts';
import type { Message } from './message.ts';
import { sessionRejects } from './reject.ts';
import { periodAt } from './session-schedule.ts';
import type { SessionSettings } from './session-settings.ts';
import type { Validator } from './validator.ts';

export interface LogonRefusal {
  readonly reason: string;
  /** Whether the peer is told the reason in a Logout(5). */
  readonly isTold: boolean;
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
): LogonRefusal | Inquiry | undefined {
  const isTold = settings.manners === 'house';
  const silent = (reason: string) => ({ reason, isTold, isOffence: false });
  const told = (reason: string) => ({ reason, isTold: true, isOffence: false });

  if (logon.msgSeqNum === undefined) return told('Received message without MsgSeqNum');
  const fault = validator.validate(logon);
  if (fault !== undefined) {
    return silent(`Logon: ${sessionRejects[fault.reject].text} (${fault.tag})`);
  }
  if (settings.certificates !== undefined) {
    const fingerprint = peer.certificate?.fingerprint256;
    if (fingerprint === undefined || !settings.certificates.has(fingerprint)) {
      const reason = 'the certificate is not that of this CompID';
      return { reason, isTold: false, isOffence: true };
    }
  }
  const refusal = authenticate({ logon, peer, now });
  if (refusal instanceof Inquiry) return refusal;
  if (refusal !== undefined) return { reason: refusal, isTold: true, isOffence: true };

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

/** The Logout(5) of a refusal. It is no part of the session: it has number 1 and consumes none. */
export function refusalLogout(
  refusal: LogonRefusal,
  settings: SessionSettings,
  now: Instant,
): Uint8Array {
  const body = new FieldWriter().text(58, refusal.reason);
  if (refusal.isOffence && settings.numberTag !== undefined) {
    body.int(settings.numberTag, authFailed);
  }
  const framer = new Framer({ beginString: 'FIX.4.4', ...settings.identity });
  return framer.frame('5', 1, now.wallMs, body.bytes).slice();
}
