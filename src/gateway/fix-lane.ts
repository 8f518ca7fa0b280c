/** FIX 4.4 as a way in: the sessions of the configuration that speak it, and who may log on to them (contract C.2). */
import { isDeepStrictEqual } from 'node:util';
import type { Authenticator } from '../fix/logon-auth.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../fix/session-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { AddressList } from '../transport/address.ts';
import type { Profile } from '../venue/profile.ts';
import type { ClientLane, ClientOpening, OpenClient } from './client-lane.ts';
import { identityOf, profileOf } from './client-names.ts';
import type { Config, FixSessionConfig } from './config.ts';
import type { LoadedConfig, UserSecrets } from './config-file.ts';
import { FixClient } from './fix-client.ts';
import { userAuthenticator } from './user-logon.ts';

export interface FixLaneParts {
  readonly directory: SessionDirectory;
  readonly clock: Clock;
  readonly profile: Profile;
}

/** Who may log on, and from where. */
interface Admission {
  readonly users: readonly UserSecrets[];
  readonly allowFrom: readonly string[] | undefined;
  readonly authenticate: Authenticator;
}

export class FixLane implements ClientLane {
  readonly #parts: FixLaneParts;

  constructor(parts: FixLaneParts) {
    this.#parts = parts;
  }

  settings(session: FixSessionConfig, config: Config): SessionSettings {
    return sessionSettings({
      identity: identityOf(session),
      role: 'acceptor',
      allowsReset: session.allowReset,
      strictUserTags: profileOf(session, config).strictTags,
      numberTag: this.#parts.profile.fix.customTags.venueRejectNumber,
      ...(session.certificateSha256 !== undefined && {
        certificates: new Set([session.certificateSha256]),
      }),
    });
  }

  async open(opening: ClientOpening & { session: FixSessionConfig }): Promise<OpenClient> {
    const { name, session, loaded, makeClient } = opening;
    const { clock, directory, profile } = this.#parts;
    const messages = {
      session: name,
      tags: profile.fix.customTags,
      numberMap: profile.reject.numberMap,
      putOrCallAsBook: profile.fix.putOrCallAsBook,
      feeCurrency: profile.fees.currency,
    };
    const fix = new FixClient(makeClient, messages, clock);
    const settings = this.settings(session, loaded.config);
    let admission = admissionOf(session, loaded);
    const authenticate: Authenticator = (attempt) => admission.authenticate(attempt);
    fix.bind(await directory.add({ settings, application: fix, authenticate }));
    return {
      client: fix.client,
      admit(changed: FixSessionConfig, reloaded) {
        admission = admissionOf(changed, reloaded, admission);
      },
    };
  }

  close(name: string): void {
    this.#parts.directory.remove(name);
  }
}

/** What stays as it was keeps its memory of signatures that were used. */
function admissionOf(
  session: FixSessionConfig,
  loaded: LoadedConfig,
  before?: Admission,
): Admission {
  const { allowFrom } = session;
  const users = session.users.flatMap((user) => loaded.users.get(user) ?? []);
  const isSame = isDeepStrictEqual([before?.users, before?.allowFrom], [users, allowFrom]);
  if (before !== undefined && isSame) return before;
  const byUser = userAuthenticator(users);
  const allowed = allowFrom && new AddressList(allowFrom);
  const authenticate: Authenticator = (attempt) => {
    if (allowed?.has(attempt.peer.address) === false) return 'Logon refused: not from this address';
    return byUser(attempt);
  };
  return { users, allowFrom, authenticate };
}
