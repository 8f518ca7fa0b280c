/**
 * Who may have a session, the same for every protocol: a protocol reads what the client shows in its first message,
 * and nothing of a session changes before that has passed here (docs/venue/contract.md, C.2 and C.14).
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { Instant } from '../runtime/clock.ts';
import { PendingVerdict } from './pending-verdict.ts';
import type { Objection, Peer, Standing } from './session.ts';

export interface Credentials {
  readonly username: string;
  readonly password?: string;
  /** In place of a password: HMAC-SHA256 in base64, keyed with the user's secret, over the values of `signed`. */
  readonly signature?: string;
}

export interface Attempt {
  readonly credentials: Credentials;
  readonly signed: readonly string[];
  /** When it was signed, where the session itself would take the same message twice. */
  readonly signedMs?: number;
  readonly peer: Peer;
  readonly standing?: Standing | undefined;
  readonly now: Instant;
}

/** Returns undefined for a client that may log on, or why not, or that the question has to be asked again. */
export type Authenticator = (attempt: Attempt) => string | Objection | PendingVerdict | undefined;

export interface User {
  readonly username: string;
  readonly secret: string;
}

export const everyone: Authenticator = () => undefined;

/** The peer is told the same whatever was wrong, and whether or not somebody has its name. */
export const wrongCredentials = 'wrong credentials';

/** Asks the authenticator, and looks at the certificate where the session has some of its own. */
export function objectionToClient(
  attempt: Attempt,
  certificates: ReadonlySet<string> | undefined,
  authenticate: Authenticator,
): Objection | PendingVerdict | undefined {
  const isForeign = certificates?.has(attempt.peer.certificate?.fingerprint256 ?? '') === false;
  // Credentials are looked at all the same: the time that takes must not tell that the certificate was wrong.
  const standing = certificates && (isForeign ? 'stranger' : 'expected');
  const verdict = authenticate({ ...attempt, standing });
  if (verdict instanceof PendingVerdict) return verdict;
  if (isForeign) {
    return { told: wrongCredentials, reason: 'the certificate is not that of this session' };
  }
  return typeof verdict === 'string' ? { told: verdict, reason: verdict } : verdict;
}

export interface SignatureLimits {
  /** A message may have been signed so long ago, and no signature is taken twice within that time. */
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

/** In constant time, whatever the lengths. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', wanted, 'buffer'));
}
