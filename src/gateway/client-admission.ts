/** Who may log on to a session, and from where: by the configuration, which may change while the session goes on. */
import { isDeepStrictEqual } from 'node:util';
import { AddressList } from '../transport/address.ts';
import type { Inquiry } from '../transport/inquiry.ts';
import type { Peer } from '../transport/session.ts';
import type { SessionConfig } from './config.ts';
import type { LoadedConfig, UserSecrets } from './config-file.ts';

/** Answers undefined, or why not, in words that may be told to the peer; or that it is to be asked again. */
type Authenticate<Attempt> = (attempt: Attempt) => string | Inquiry | undefined;

interface Rules<Attempt> {
  readonly users: readonly UserSecrets[];
  readonly allowFrom: readonly string[] | undefined;
  readonly addresses: AddressList | undefined;
  readonly byUser: Authenticate<Attempt>;
}

export class ClientAdmission<Attempt extends { readonly peer: Peer }> {
  readonly #authenticator: (users: readonly UserSecrets[]) => Authenticate<Attempt>;
  #rules: Rules<Attempt> | undefined;

  /** `authenticator` is the protocol's way of proving that one is a user. */
  constructor(authenticator: (users: readonly UserSecrets[]) => Authenticate<Attempt>) {
    this.#authenticator = authenticator;
  }

  /** What stays as it was keeps its memory of signatures that were used. */
  change({ allowFrom, users: names }: SessionConfig, loaded: LoadedConfig): void {
    const users = names.flatMap((name) => loaded.users.get(name) ?? []);
    if (isDeepStrictEqual([this.#rules?.users, this.#rules?.allowFrom], [users, allowFrom])) return;
    const addresses = allowFrom && new AddressList(allowFrom);
    this.#rules = { users, allowFrom, addresses, byUser: this.#authenticator(users) };
  }

  readonly authenticate: Authenticate<Attempt> = (attempt) => {
    const rules = this.#rules;
    if (rules === undefined) return 'nobody may log on';
    if (rules.addresses?.has(attempt.peer.address) === false) {
      return 'Logon refused: not from this address';
    }
    return rules.byUser(attempt);
  };
}
