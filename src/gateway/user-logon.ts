/**
 * Who may log on to a session, by FIX or FIXP: its users, by password against the hash at rest, or by HMAC (contract
 * C.2, C.14).
 */
import { type Authenticator, hmacAuthenticator } from '../fix/logon-auth.ts';
import { type FixpAuthenticator, fixpSignatures, wrongCredentials } from '../fixp/credentials.ts';
import { Inquiry } from '../transport/inquiry.ts';
import type { Peer } from '../transport/session.ts';
import type { UserSecrets } from './config-file.ts';
import type { PasswordChecks } from './password-checks.ts';
import { decoy } from './secret-hash.ts';

const refused = 'Logon refused: wrong credentials';

export function userAuthenticator(
  users: readonly UserSecrets[],
  passwords: PasswordChecks,
): Authenticator {
  const byHmac = hmacAuthenticator(signersOf(users));
  return (attempt) => {
    const { logon, peer } = attempt;
    if (logon.has(96)) return byHmac(attempt);
    const isRight = isPassword(users, passwords, peer, logon.text(553), logon.text(554));
    return isRight instanceof Inquiry ? isRight : isRight ? undefined : refused;
  };
}

export function fixpUserAuthenticator(
  users: readonly UserSecrets[],
  passwords: PasswordChecks,
): FixpAuthenticator {
  const byHmac = fixpSignatures(signersOf(users));
  return (attempt) => {
    const { credentials, peer } = attempt;
    const { username, password, signature } = credentials;
    if (signature !== undefined) return byHmac(attempt);
    const isRight = isPassword(users, passwords, peer, username, password);
    return isRight instanceof Inquiry ? isRight : isRight ? undefined : wrongCredentials;
  };
}

/** Those who sign, with what they sign with. */
function signersOf(users: readonly UserSecrets[]) {
  return users.flatMap(({ username, hmacSecret }) =>
    hmacSecret === null ? [] : [{ username, secret: hmacSecret }],
  );
}

function isPassword(
  users: readonly UserSecrets[],
  passwords: PasswordChecks,
  peer: Peer,
  username: string | undefined,
  password = '',
): boolean | Inquiry {
  const hash = users.find((one) => one.username === username)?.hash ?? undefined;
  const verdict = passwords.verdict(peer, password, hash ?? decoy);
  return verdict instanceof Inquiry ? verdict : verdict && hash !== undefined;
}
