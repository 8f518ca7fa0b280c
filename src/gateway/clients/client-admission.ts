/** Decides who may log on to a session, and from where. The configuration of this may change while the session runs. */
import { isDeepStrictEqual } from 'node:util';
import { AddressList } from '../../transport/address.ts';
import type { Authenticator } from '../../transport/authentication.ts';
import type { SessionConfig } from '../config/config.ts';
import type { LoadedConfig, UserSecrets } from '../config/config-file.ts';
import type { PasswordChecks } from '../passwords/password-checks.ts';
import { userAuthenticator } from './user-logon.ts';

interface Rules {
  readonly users: readonly UserSecrets[];
  readonly allowFrom: readonly string[] | undefined;
  readonly addresses: AddressList | undefined;
  readonly byUser: Authenticator;
}

/** `name` is the name of the session. */
export function clientAdmission(name: string, passwords: PasswordChecks) {
  let rules: Rules | undefined;
  /** Unchanged parts keep their record of used signatures. */
  const change = ({ allowFrom, users: names }: SessionConfig, loaded: LoadedConfig) => {
    const users = names.flatMap((user) => loaded.users.get(user) ?? []);
    if (isDeepStrictEqual([rules?.users, rules?.allowFrom], [users, allowFrom])) return;
    const addresses = allowFrom && new AddressList(allowFrom);
    rules = { users, allowFrom, addresses, byUser: userAuthenticator(name, users, passwords) };
  };
  const authenticate: Authenticator = (attempt) => {
    if (rules === undefined) return 'nobody may log on';
    const { addresses, byUser } = rules;
    if (addresses === undefined) return byUser(attempt);
    const isForeign = !addresses.has(attempt.peer.address);
    const standing = isForeign ? 'stranger' : (attempt.standing ?? 'expected');
    const verdict = byUser({ ...attempt, standing });
    const isRefused = isForeign && typeof verdict === 'string';
    return isRefused ? { peerText: verdict, reason: 'it may not come from this address' } : verdict;
  };
  return { authenticate, change };
}
