/**
 * Who may log on: by Password(554), or by an HMAC-SHA256 in RawData(96) over the values of 52, 35, 34, 49 and 56
 * joined by SOH, keyed with the user's secret (docs/venue/contract.md, C.2). Nothing of a session changes before its
 * Logon(A) has passed here.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import type { Inquiry } from '../transport/inquiry.ts';
import type { Peer } from '../transport/session.ts';
import type { Message } from './message.ts';
import type { Credentials } from './session-settings.ts';

export interface LogonAttempt {
  readonly logon: Message;
  readonly peer: Peer;
  readonly now: Instant;
}

/** Answers undefined, or why not, in words that may be told to the peer; or that it is to be asked again. */
export type Authenticator = (attempt: LogonAttempt) => string | Inquiry | undefined;

export const everyone: Authenticator = () => undefined;

/** What the peer hears is the same whatever was wrong. */
const refused = 'Logon refused: wrong credentials';

export interface User {
  readonly username: string;
  readonly secret: string;
}

export function passwordAuthenticator(users: readonly User[]): Authenticator {
  return ({ logon }) => {
    const user = findUser(users, logon);
    const isRight = isSame(logon.text(554) ?? '', user?.secret ?? '');
    return user !== undefined && user.secret !== '' && isRight ? undefined : refused;
  };
}

export interface HmacLimits {
  /** SendingTime(52) may be so far off, and no signature is taken twice within that time. */
  readonly windowMs: number;
  readonly maxRemembered: number;
}

export function hmacAuthenticator(
  users: readonly User[],
  limits: HmacLimits = { windowMs: 30_000, maxRemembered: 10_000 },
): Authenticator {
  const usedUntilMs = new Map<string, number>();
  return ({ logon, now }) => {
    const user = findUser(users, logon);
    const given = logon.text(96) ?? '';
    const isRight = isSame(given, logonSignature(user?.secret ?? '', signedValues(logon)));
    if (user === undefined || user.secret === '' || !isRight) return refused;
    if ((logon.text(554) ?? '') !== '') return refused;
    const sentMs = logon.utcMs(52) ?? Number.NEGATIVE_INFINITY;
    if (Math.abs(now.wallMs - sentMs) > limits.windowMs) {
      return 'Logon refused: the signed SendingTime(52) is too far off';
    }
    for (const [signature, untilMs] of usedUntilMs) {
      if (untilMs >= now.wallMs) break;
      usedUntilMs.delete(signature);
    }
    if (usedUntilMs.has(given)) return 'Logon refused: this signature was used before';
    if (usedUntilMs.size >= limits.maxRemembered) return 'Logon refused: too many logons, wait';
    usedUntilMs.set(given, now.wallMs + 2 * limits.windowMs);
    return undefined;
  };
}

/** For an initiator: signs each Logon(A) as `hmacAuthenticator` wants it. */
export function hmacCredentials(
  user: User,
  compIds: { readonly senderCompId: string; readonly targetCompId: string },
): (logon: { readonly msgSeqNum: number; readonly sendingTime: string }) => Credentials {
  return ({ msgSeqNum, sendingTime }) => ({
    username: user.username,
    rawData: logonSignature(user.secret, [
      sendingTime,
      'A',
      String(msgSeqNum),
      compIds.senderCompId,
      compIds.targetCompId,
    ]),
  });
}

export function logonSignature(secret: string, values: readonly string[]): string {
  return createHmac('sha256', secret).update(values.join('\x01')).digest('base64');
}

function signedValues(logon: Message): readonly string[] {
  return [52, 35, 34, 49, 56].map((tag) => logon.text(tag) ?? '');
}

function findUser(users: readonly User[], logon: Message): User | undefined {
  const username = logon.text(553);
  return users.find((user) => user.username === username);
}

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
