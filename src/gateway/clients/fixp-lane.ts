/** The FIXP lane: the configured FIXP sessions, and who may negotiate them (contract C.14). */
import { FixpReader } from '../../dropcopy/fixp-reader.ts';
import type { FixpDirectory } from '../../fixp/fixp-directory.ts';
import type { FixpState } from '../../fixp/session-core.ts';
import { type FixpSettings, fixpSettings } from '../../fixp/settings.ts';
import { MassCancel } from '../../mapping/sbe/generated/mass-cancel.ts';
import { NewOrderSingle } from '../../mapping/sbe/generated/new-order-single.ts';
import { OrderCancelRequest } from '../../mapping/sbe/generated/order-cancel-request.ts';
import { QuoteCancel } from '../../mapping/sbe/generated/quote-cancel.ts';
import type { Config, FixpSessionConfig } from '../config/config.ts';
import { throttleOf } from '../config/engine-config.ts';
import { reportSettings } from '../config/engine-settings.ts';
import { ClientLane, type ClientOpening, type LaneClient, type OpenClient } from './client-lane.ts';
import { FixpClient, maxMessageBytes } from './fixp-client.ts';

/** Requests that count against the cancel rate, as on the FIX lane. */
const cancelTemplates: ReadonlySet<number> = new Set([
  OrderCancelRequest.templateId,
  MassCancel.templateId,
  QuoteCancel.templateId,
]);

export class FixpLane extends ClientLane<FixpState, FixpDirectory> {
  settings(session: FixpSessionConfig, config: Config): unknown {
    return [fixpEngine(session, config), session.connect, session.role === 'drop-copy'];
  }

  open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixpSessionConfig; state: FixpState },
  ): OpenClient<Client> {
    const { name, session, loaded, state, makeClient } = opening;
    const { clock, copies, directory, profile } = this.parts;
    const messages = { session: name, ...reportSettings(profile) };
    const watch = copies.inbound(name);
    const fixp = new FixpClient({ makeClient, settings: messages, clock, watch });
    const settings = fixpEngine(session, loaded.config);
    const { authenticate, change, words } = this.admission(opening);
    const isClient = session.connect !== undefined;
    const copied = this.copied(name, session);
    const reader = copied && new FixpReader({ ...copied, client: fixp, isClient });
    const application = reader ?? fixp;
    // The consumer is identified only by its certificate: a FIXP server does not authenticate itself.
    const credentials = () => ({ username: session.senderCompId, ...words() });
    const made = isClient
      ? directory.resumeClient({ application, settings: { ...settings, credentials } }, state)
      : directory.resume({ application, settings, authenticate }, state);
    fixp.bind(made);
    reader?.bind(made);
    this.connect(made, opening);
    return { client: fixp.client, change };
  }
}

export function fixpEngine(session: FixpSessionConfig, { fixp }: Config): FixpSettings {
  return fixpSettings({
    role: session.connect === undefined ? 'acceptor' : 'initiator',
    principal: session.senderCompId,
    users: session.users,
    applicationSchemas: new Set([NewOrderSingle.schemaId]),
    cancelTemplates,
    maxMessageBytes,
    ...throttleOf(session),
    ...(fixp !== undefined && { byteOrder: fixp.byteOrder }),
    ...(session.certificateSha256 !== undefined && {
      certificates: new Set([session.certificateSha256]),
    }),
  });
}
