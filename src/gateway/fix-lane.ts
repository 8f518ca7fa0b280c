/** FIX 4.4 as a way in: the sessions of the configuration that speak it, and who may log on to them (contract C.2). */
import type { SessionDirectory } from '../fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../fix/session-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Profile } from '../venue/profile.ts';
import { ClientAdmission } from './client-admission.ts';
import type { ClientLane, ClientOpening, LaneClient, OpenClient } from './client-lane.ts';
import { identityOf, profileOf } from './client-names.ts';
import type { Config, FixSessionConfig } from './config.ts';
import type { CopyDesk } from './copy-desk.ts';
import { throttleOf } from './engine-config.ts';
import { FixClient } from './fix-client.ts';
import { Outbound, OwnCredentials } from './outbound.ts';
import type { PasswordChecks } from './password-checks.ts';
import { userAuthenticator } from './user-logon.ts';

export interface FixLaneParts {
  readonly directory: SessionDirectory;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly copies: CopyDesk;
  readonly notice: (text: string) => void;
  readonly passwords: PasswordChecks;
}

export class FixLane implements ClientLane {
  readonly #parts: FixLaneParts;
  readonly #outbound: Outbound;

  constructor(parts: FixLaneParts) {
    this.#parts = parts;
    this.#outbound = new Outbound(parts);
  }

  settings(session: FixSessionConfig, config: Config): unknown {
    return [fixEngine(session, config, this.#parts.profile), session.connect];
  }

  async open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixSessionConfig },
  ): Promise<OpenClient<Client>> {
    const { name, session, loaded, makeClient } = opening;
    const { clock, copies, directory, passwords, profile } = this.#parts;
    const messages = {
      session: name,
      tags: profile.fix.customTags,
      numberMap: profile.reject.numberMap,
      putOrCallAsBook: profile.fix.putOrCallAsBook,
      feeCurrency: profile.fees.currency,
    };
    const fix = new FixClient(makeClient, messages, clock, copies.inbound(name));
    const settings = fixEngine(session, loaded.config, profile);
    const admission = new ClientAdmission((users) => userAuthenticator(users, passwords));
    const own = new OwnCredentials();
    const change: typeof admission.change = (...changed) => {
      admission.change(...changed);
      own.change(...changed);
    };
    change(session, loaded);
    const reader =
      session.role === 'drop-copy'
        ? copies.fixReader(name, session, fix, () => directory.roster.unreadBytes(name))
        : undefined;
    const made = await directory.add({
      settings: { ...settings, ...(session.connect && { credentials: own.words }) },
      application: reader ?? fix,
      authenticate: admission.authenticate,
    });
    fix.bind(made);
    reader?.bind(made);
    if (session.connect !== undefined) {
      this.#outbound.connect(name, session.connect, loaded, (link) =>
        directory.attach(made, link, new Uint8Array()),
      );
    }
    return { client: fix.client, admission: { change } };
  }

  close(name: string): void {
    this.#outbound.close(name);
    this.#parts.directory.remove(name);
  }

  stop(): void {
    this.#outbound.stop();
  }
}

/** What the FIX engine of a session is made with. */
export function fixEngine(
  session: FixSessionConfig,
  config: Config,
  { fix }: Profile,
): SessionSettings {
  const { schedule, ...engine } = session.engine;
  return sessionSettings({
    identity: identityOf(session),
    role: session.connect === undefined ? 'acceptor' : 'initiator',
    allowsReset: session.allowReset,
    strictUserTags: profileOf(session, config).strictTags,
    numberTag: fix.customTags.venueRejectNumber,
    ...engine,
    ...(schedule && { schedule }),
    ...throttleOf(session),
    ...(session.certificateSha256 !== undefined && {
      certificates: new Set([session.certificateSha256]),
    }),
  });
}
