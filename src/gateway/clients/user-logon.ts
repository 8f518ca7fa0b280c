/**
 * Authenticates the users of a session, over FIX or FIXP, by a password checked against the stored hash or by a
 * signature (contract C.2, C.14).
 */
import {
  type Authenticator,
  signatureAuthenticator,
  wrongCredentials,
} from '../../transport/authentication.ts';
import { PendingVerdict } from '../../transport/pending-verdict.ts';
import type { UserSecrets } from '../config/config-file.ts';
import { type PasswordChecks, strangersDoor } from '../passwords/password-checks.ts';

export function userAuthenticator(
  door: string,
  users: readonly UserSecrets[],
  passwords: PasswordChecks,
): Authenticator {
  const signers = users.flatMap(({ username, hmacSecret }) =>
    hmacSecret === null ? [] : [{ username, secret: hmacSecret }],
  );
  const bySignature = signatureAuthenticator(signers);
  return (attempt) => {
    const { credentials, peer, standing } = attempt;
    const { password = '', signature, username } = credentials;
    const isStranger = standing === 'stranger';
    if (signature !== undefined) return isStranger ? wrongCredentials : bySignature(attempt);
    const user = isStranger ? undefined : users.find((one) => one.username === username);
    const hash = user?.hash ?? undefined;
    const asker = {
      door: isStranger ? strangersDoor : door,
      address: peer.address,
      isExpected: standing === 'expected',
    };
    const isRight = passwords.verdict(peer, asker, password, hash);
    if (isRight instanceof PendingVerdict) return isRight;
    return isRight && hash !== undefined ? undefined : wrongCredentials;
  };
}
