/** The FIX 4.4 lane: the configured FIX sessions, and who may log on to them (contract C.2). */
import { FixReader } from '../dropcopy/fix-reader.ts';
import type { SessionStart } from '../fix/session-core.ts';
import type { SessionDirectory } from '../fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../fix/session-settings.ts';
import type { Profile } from '../venue/profile.ts';
import { ClientAdmission } from './client-admission.ts';
import type {
  ClientLane,
  ClientOpening,
  LaneClient,
  LaneParts,
  OpenClient,
} from './client-lane.ts';
import { identityOf } from './client-names.ts';
import { type Config, type FixSessionConfig, profileOf } from './config.ts';
import { reportSettings } from './copy-readers.ts';
import { throttleOf } from './engine-config.ts';
import { FixClient } from './fix-client.ts';
import { Outbound, OwnCredentials } from './outbound.ts';

export class FixLane implements ClientLane {
  readonly #parts: LaneParts<SessionDirectory>;
  readonly #outbound: Outbound;

  constructor(parts: LaneParts<SessionDirectory>) {
    this.#parts = parts;
    this.#outbound = new Outbound(parts);
  }

  settings(session: FixSessionConfig, config: Config): unknown {
    const { clientFields, quoteResponse } = profileOf(session, config);
    const engine = fixEngine(session, config, this.#parts.profile);
    return [engine, session.connect, clientFields, quoteResponse];
  }

  load(name: string): Promise<SessionStart> {
    return this.#parts.directory.load(name);
  }

  open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixSessionConfig; state: SessionStart },
  ): OpenClient<Client> {
    const { name, session, loaded, state, makeClient } = opening;
    const { clock, copies, directory, passwords, profile } = this.#parts;
    const { clientFields, quoteResponse } = profileOf(session, loaded.config);
    const messages = {
      session: name,
      clientFields,
      quoteResponse,
      ...reportSettings(profile),
      putOrCallAsBook: profile.fix.putOrCallAsBook,
    };
    const fix = new FixClient(makeClient, messages, clock, copies.inbound(name));
    const settings = fixEngine(session, loaded.config, profile);
    const admission = new ClientAdmission(name, passwords);
    const own = new OwnCredentials();
    const change: typeof admission.change = (...changed) => {
      admission.change(...changed);
      own.change(...changed);
    };
    change(session, loaded);
    const copied = copies.readerParts(name, session, () => directory.roster.unreadBytes(name));
    const reader = copied && new FixReader({ ...copied, client: fix });
    const spec = {
      settings: { ...settings, ...(session.connect && { credentials: own.words }) },
      application: reader ?? fix,
      authenticate: admission.authenticate,
    };
    const made = directory.resume(spec, state);
    fix.bind(made);
    reader?.bind(made);
    if (session.connect !== undefined) {
      this.#outbound.connect(name, session.connect, loaded, (link) =>
        directory.attach(made, link, new Uint8Array()),
      );
    }
    return { client: fix.client, admission: { change } };
  }

  close(name: string): SessionStart {
    this.#outbound.close(name);
    return this.#parts.directory.remove(name);
  }

  stop(): void {
    this.#outbound.stop();
  }
}

/** The settings of a session's FIX engine. */
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
