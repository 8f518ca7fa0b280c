/** Decides who may log on to a session, and from where. The configuration of this may change while the session runs. */
import { isDeepStrictEqual } from 'node:util';
import { AddressList } from '../transport/address.ts';
import type { Authenticator } from '../transport/authentication.ts';
import type { SessionConfig } from './config.ts';
import type { LoadedConfig, UserSecrets } from './config-file.ts';
import type { PasswordChecks } from './password-checks.ts';
import { userAuthenticator } from './user-logon.ts';

interface Rules {
  readonly users: readonly UserSecrets[];
  readonly allowFrom: readonly string[] | undefined;
  readonly addresses: AddressList | undefined;
  readonly byUser: Authenticator;
}

export class ClientAdmission {
  readonly #name: string;
  readonly #passwords: PasswordChecks;
  #rules: Rules | undefined;

  /** `name` is the name of the session. */
  constructor(name: string, passwords: PasswordChecks) {
    this.#name = name;
    this.#passwords = passwords;
  }

  /** Unchanged parts keep their record of used signatures. */
  change({ allowFrom, users: names }: SessionConfig, loaded: LoadedConfig): void {
    const users = names.flatMap((name) => loaded.users.get(name) ?? []);
    if (isDeepStrictEqual([this.#rules?.users, this.#rules?.allowFrom], [users, allowFrom])) return;
    const addresses = allowFrom && new AddressList(allowFrom);
    const byUser = userAuthenticator(this.#name, users, this.#passwords);
    this.#rules = { users, allowFrom, addresses, byUser };
  }

  readonly authenticate: Authenticator = (attempt) => {
    const rules = this.#rules;
    if (rules === undefined) return 'nobody may log on';
    const { addresses, byUser } = rules;
    if (addresses === undefined) return byUser(attempt);
    const isForeign = !addresses.has(attempt.peer.address);
    const standing = isForeign ? 'stranger' : (attempt.standing ?? 'expected');
    const verdict = byUser({ ...attempt, standing });
    const isRefused = isForeign && typeof verdict === 'string';
    return isRefused ? { peerText: verdict, reason: 'it may not come from this address' } : verdict;
  };
}
