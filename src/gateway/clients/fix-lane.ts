/** The FIX 4.4 lane: the configured FIX sessions, and who may log on to them (contract C.2). */
import { FixReader } from '../../dropcopy/fix-reader.ts';
import type { SessionStart } from '../../fix/session-core.ts';
import type { SessionDirectory } from '../../fix/session-directory.ts';
import { type SessionSettings, sessionSettings } from '../../fix/session-settings.ts';
import type { Profile } from '../../venue/profile.ts';
import { identityOf } from '../config/client-names.ts';
import { type Config, type FixSessionConfig, profileOf } from '../config/config.ts';
import { throttleOf } from '../config/engine-config.ts';
import { reportSettings } from '../config/engine-settings.ts';
import { ClientLane, type ClientOpening, type LaneClient, type OpenClient } from './client-lane.ts';
import { FixClient } from './fix-client.ts';

export class FixLane extends ClientLane<SessionStart, SessionDirectory> {
  settings(session: FixSessionConfig, config: Config): unknown {
    const { clientFields, quoteResponse } = profileOf(session, config);
    const engine = fixEngine(session, config, this.parts.profile);
    const isReader = session.role === 'drop-copy';
    return [engine, session.connect, isReader, clientFields, quoteResponse];
  }

  open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixSessionConfig; state: SessionStart },
  ): OpenClient<Client> {
    const { name, session, loaded, state, makeClient } = opening;
    const { clock, copies, directory, profile } = this.parts;
    const { clientFields, quoteResponse } = profileOf(session, loaded.config);
    const messages = {
      session: name,
      clientFields,
      quoteResponse,
      ...reportSettings(profile),
      putOrCallAsBook: profile.fix.putOrCallAsBook,
    };
    const watch = copies.inbound(name);
    const fix = new FixClient({ makeClient, settings: messages, clock, watch });
    const settings = fixEngine(session, loaded.config, profile);
    const { authenticate, change, words } = this.admission(opening);
    const copied = this.copied(name, session);
    const reader = copied && new FixReader({ ...copied, client: fix });
    const spec = {
      settings: { ...settings, ...(session.connect && { credentials: words }) },
      application: reader ?? fix,
      authenticate,
    };
    const made = directory.resume(spec, state);
    fix.bind(made);
    reader?.bind(made);
    this.connect(made, opening);
    return { client: fix.client, change };
  }
}

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
