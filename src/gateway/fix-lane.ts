/** FIX 4.4 as a way in: the sessions of the configuration that speak it, and who may log on to them (contract C.2). */
import { readFileSync } from 'node:fs';
import type { FixSession } from '../fix/session.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../fix/session-settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { Connector } from '../transport/connector.ts';
import type { Profile } from '../venue/profile.ts';
import { ClientAdmission } from './client-admission.ts';
import type { ClientLane, ClientOpening, OpenClient } from './client-lane.ts';
import { identityOf, profileOf } from './client-names.ts';
import type { Config, FixSessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { CopyDesk } from './copy-desk.ts';
import { FixClient } from './fix-client.ts';
import { userAuthenticator } from './user-logon.ts';

export interface FixLaneParts {
  readonly directory: SessionDirectory;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly copies: CopyDesk;
  readonly notice: (text: string) => void;
}

type ConnectConfig = NonNullable<FixSessionConfig['connect']>;

export class FixLane implements ClientLane {
  readonly #parts: FixLaneParts;
  /** Of the sessions that connect out, by name. */
  readonly #connectors = new Map<string, Connector>();

  constructor(parts: FixLaneParts) {
    this.#parts = parts;
  }

  settings(session: FixSessionConfig, config: Config): unknown {
    return [this.#engine(session, config), session.connect];
  }

  #engine(session: FixSessionConfig, config: Config): SessionSettings {
    return sessionSettings({
      identity: identityOf(session),
      role: session.connect === undefined ? 'acceptor' : 'initiator',
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
    const { clock, copies, directory, profile } = this.#parts;
    const messages = {
      session: name,
      tags: profile.fix.customTags,
      numberMap: profile.reject.numberMap,
      putOrCallAsBook: profile.fix.putOrCallAsBook,
      feeCurrency: profile.fees.currency,
    };
    const fix = new FixClient(makeClient, messages, clock, copies.inbound(session));
    const settings = this.#engine(session, loaded.config);
    const admission = new ClientAdmission(userAuthenticator);
    admission.change(session, loaded);
    const { authenticate } = admission;
    const reader =
      session.role === 'drop-copy'
        ? copies.fixReader(name, session, fix, () => directory.roster.unreadBytes(name))
        : undefined;
    const made = await directory.add({
      settings: { ...settings, ...ownCredentials(session, loaded) },
      application: reader ?? fix,
      authenticate,
    });
    fix.bind(made);
    reader?.bind(made);
    if (session.connect !== undefined) this.#connect(made, session.connect, loaded);
    return { client: fix.client, admission };
  }

  close(name: string): void {
    this.#connectors.get(name)?.stop();
    this.#connectors.delete(name);
    this.#parts.directory.remove(name);
  }

  /** Connects out no more. */
  stop(): void {
    for (const connector of this.#connectors.values()) connector.stop();
  }

  #connect(session: FixSession, to: ConnectConfig, { path }: LoadedConfig): void {
    const { clock, directory, notice } = this.#parts;
    const { name } = session;
    const connector = new Connector({
      host: to.host,
      port: to.port,
      clock,
      attach: (link) => directory.attach(session, link, new Uint8Array()),
      ...(to.tls !== undefined && { tls: tlsOf(to.tls, path) }),
      notice: (event) => notice(JSON.stringify({ session: name, ...event })),
    });
    this.#connectors.set(name, connector);
    connector.start();
  }
}

/** What our own Logon proves us by, where the bridge connects out. */
function ownCredentials(
  { connect, senderCompId }: FixSessionConfig,
  { connectPasswords }: LoadedConfig,
): Pick<SessionSettings, 'credentials'> {
  if (connect === undefined) return {};
  const password = connectPasswords.get(senderCompId);
  const { username } = connect;
  return {
    credentials: () => ({
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
    }),
  };
}

function tlsOf(tls: NonNullable<ConnectConfig['tls']>, path: LoadedConfig['path']) {
  const { caFile, certFile, keyFile, serverName } = tls;
  return {
    ...(caFile !== undefined && { ca: readFileSync(path(caFile)) }),
    ...(certFile !== undefined && { cert: readFileSync(path(certFile)) }),
    ...(keyFile !== undefined && { key: readFileSync(path(keyFile)) }),
    ...(serverName !== undefined && { servername: serverName }),
  };
}
