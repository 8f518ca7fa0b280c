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
    const verdict = judge(users, passwords, peer, logon.text(553), logon.text(554));
    return verdict === 'wrong' ? refused : verdict;
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
    const verdict = judge(users, passwords, peer, username, password);
    return verdict === 'wrong' ? wrongCredentials : verdict;
  };
}

/** Those who sign, with what they sign with. */
function signersOf(users: readonly UserSecrets[]) {
  return users.flatMap(({ username, hmacSecret }) =>
    hmacSecret === null ? [] : [{ username, secret: hmacSecret }],
  );
}

/** Undefined where the password is right. */
function judge(
  users: readonly UserSecrets[],
  passwords: PasswordChecks,
  peer: Peer,
  username: string | undefined,
  password = '',
): 'wrong' | Inquiry | undefined {
  const hash = users.find((one) => one.username === username)?.hash ?? undefined;
  const isRight = passwords.verdict(peer, password, hash ?? decoy);
  if (isRight instanceof Inquiry) return isRight;
  return isRight && hash !== undefined ? undefined : 'wrong';
}
