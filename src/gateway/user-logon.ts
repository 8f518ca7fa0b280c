/**
 * Who may log on to a session, by FIX or FIXP: its users, by password against the hash at rest, or by HMAC (contract
 * C.2, C.14).
 */
import { type Authenticator, hmacAuthenticator } from '../fix/logon-auth.ts';
import { type FixpAuthenticator, fixpSignatures, wrongCredentials } from '../fixp/credentials.ts';
import type { UserSecrets } from './config-file.ts';
import { decoy, isSecret } from './secret-hash.ts';

const refused = 'Logon refused: wrong credentials';

export function userAuthenticator(users: readonly UserSecrets[]): Authenticator {
  const byHmac = hmacAuthenticator(signersOf(users));
  return (attempt) => {
    const { logon } = attempt;
    if (logon.has(96)) return byHmac(attempt);
    return isPassword(users, logon.text(553), logon.text(554)) ? undefined : refused;
  };
}

export function fixpUserAuthenticator(users: readonly UserSecrets[]): FixpAuthenticator {
  const byHmac = fixpSignatures(signersOf(users));
  return (attempt) => {
    const { username, password, signature } = attempt.credentials;
    if (signature !== undefined) return byHmac(attempt);
    return isPassword(users, username, password) ? undefined : wrongCredentials;
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
  username: string | undefined,
  password = '',
): boolean {
  const hash = users.find((one) => one.username === username)?.hash ?? undefined;
  return isSecret(password, hash ?? decoy) && hash !== undefined;
}
