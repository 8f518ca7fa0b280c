/**
 * Authentication for every protocol: the protocol reads the credentials from the client's first message, and no session
 * changes before they have been verified here (docs/venue/contract.md, C.2 and C.14).
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import { PendingVerdict } from './pending-verdict.ts';
import type { Objection, Peer, Standing } from './session.ts';

export interface Credentials {
  readonly username: string;
  readonly password?: string;
  /**
   * Used instead of a password: HMAC-SHA256 in base64 over the values of `signed`, with the user's secret as the key.
   */
  readonly signature?: string;
}

export interface Attempt {
  readonly credentials: Credentials;
  readonly signed: readonly string[];
  /** The time of the signature, if the session itself would accept the same message twice. */
  readonly signedMs?: number;
  readonly peer: Peer;
  readonly standing?: Standing | undefined;
  readonly now: Instant;
}

/** Returns undefined if the client may log on, otherwise the reason, or a pending verdict. */
export type Authenticator = (attempt: Attempt) => string | Objection | PendingVerdict | undefined;

export interface User {
  readonly username: string;
  readonly secret: string;
}

export const everyone: Authenticator = () => undefined;

/** The peer gets the same text whatever the error is, and whether or not its name exists. */
export const wrongCredentials = 'wrong credentials';

/** Calls the authenticator, and checks the certificate if the session requires a certain one. */
export function objectionToClient(
  attempt: Attempt,
  certificates: ReadonlySet<string> | undefined,
  authenticate: Authenticator,
): Objection | PendingVerdict | undefined {
  const isForeign = certificates?.has(attempt.peer.certificate?.fingerprint256 ?? '') === false;
  // Credentials are always checked, so that the response time does not reveal a wrong certificate.
  const standing = certificates && (isForeign ? 'stranger' : 'expected');
  const verdict = authenticate({ ...attempt, standing });
  if (verdict instanceof PendingVerdict) return verdict;
  if (isForeign) {
    return { peerText: wrongCredentials, reason: 'the certificate is not that of this session' };
  }
  return typeof verdict === 'string' ? { peerText: verdict, reason: verdict } : verdict;
}

export interface SignatureLimits {
  /** The maximum age of a signed message; no signature is accepted twice within that time. */
  readonly windowMs: number;
  readonly maxRemembered: number;
}

export function signatureAuthenticator(
  users: readonly User[],
  limits: SignatureLimits = { windowMs: 30_000, maxRemembered: 10_000 },
): Authenticator {
  const usedUntilMs = new Map<string, number>();
  return ({ credentials, signed, signedMs, now: { wallMs } }) => {
    const { password = '', signature = '', username } = credentials;
    const secret = users.find((user) => user.username === username)?.secret ?? '';
    const isRight = isSame(signature, signatureOf(secret, signed));
    if (!isRight || secret === '' || password !== '') return wrongCredentials;
    if (signedMs === undefined) return undefined;
    if (Math.abs(wallMs - signedMs) > limits.windowMs) {
      return 'the signed SendingTime(52) is too far off';
    }
    for (const [used, untilMs] of usedUntilMs) {
      if (untilMs >= wallMs) break;
      usedUntilMs.delete(used);
    }
    if (usedUntilMs.has(signature)) return 'this signature was used before';
    if (usedUntilMs.size >= limits.maxRemembered) return 'too many logons, wait';
    usedUntilMs.set(signature, wallMs + 2 * limits.windowMs);
    return undefined;
  };
}

export function signatureOf(secret: string, signed: readonly string[]): string {
  return createHmac('sha256', secret).update(signed.join('\x01')).digest('base64');
}

/** Compares in constant time, for strings of any length. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
