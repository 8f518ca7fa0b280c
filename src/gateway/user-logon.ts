/** Who may log on to a session: its users, by password against the hash at rest, or by HMAC (contract C.2). */
import { type Authenticator, hmacAuthenticator } from '../fix/logon-auth.ts';
import type { UserSecrets } from './config-file.ts';
import { isSecret } from './secret-hash.ts';

const refused = 'Logon refused: wrong credentials';

export function userAuthenticator(users: readonly UserSecrets[]): Authenticator {
  const signing = users.flatMap(({ username, hmacSecret }) =>
    hmacSecret === null ? [] : [{ username, secret: hmacSecret }],
  );
  const byHmac = hmacAuthenticator(signing);
  return (attempt) => {
    const { logon } = attempt;
    if (logon.has(96)) return byHmac(attempt);
    const username = logon.text(553);
    const user = users.find((one) => one.username === username);
    if (user === undefined || user.hash === null) return refused;
    return isSecret(logon.text(554) ?? '', user.hash) ? undefined : refused;
  };
}
