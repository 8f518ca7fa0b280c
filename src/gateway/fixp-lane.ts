/** FIXP as a way in: the sessions of the configuration that speak it, and who may negotiate them (contract C.14). */
import type { FixpDirectory } from '../fixp/fixp-directory.ts';
import { type FixpSettings, fixpSettings } from '../fixp/settings.ts';
import { MassCancel } from '../mapping/sbe/generated/mass-cancel.ts';
import { NewOrderSingle } from '../mapping/sbe/generated/new-order-single.ts';
import { OrderCancelRequest } from '../mapping/sbe/generated/order-cancel-request.ts';
import { QuoteCancel } from '../mapping/sbe/generated/quote-cancel.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Profile } from '../venue/profile.ts';
import { ClientAdmission } from './client-admission.ts';
import type { ClientLane, ClientOpening, LaneClient, OpenClient } from './client-lane.ts';
import type { Config, FixpSessionConfig } from './config.ts';
import type { CopyDesk } from './copy-desk.ts';
import { throttleOf } from './engine-config.ts';
import { FixpClient, maxMessageBytes } from './fixp-client.ts';
import { fixpUserAuthenticator } from './user-logon.ts';

export interface FixpLaneParts {
  readonly directory: FixpDirectory;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly copies: CopyDesk;
}

/** Requests that draw on the budget of cancels, as on the FIX lane. */
const cancelTemplates: ReadonlySet<number> = new Set([
  OrderCancelRequest.templateId,
  MassCancel.templateId,
  QuoteCancel.templateId,
]);

export class FixpLane implements ClientLane {
  readonly #parts: FixpLaneParts;

  constructor(parts: FixpLaneParts) {
    this.#parts = parts;
  }

  settings(session: FixpSessionConfig, { fixp }: Config): FixpSettings {
    return fixpSettings({
      role: 'acceptor',
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

  async open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixpSessionConfig },
  ): Promise<OpenClient<Client>> {
    const { name, session, loaded, makeClient } = opening;
    const { clock, copies, directory, profile } = this.#parts;
    const messages = {
      session: name,
      tags: profile.fix.customTags,
      numberMap: profile.reject.numberMap,
      feeCurrency: profile.fees.currency,
    };
    const fixp = new FixpClient(makeClient, messages, clock, copies.inbound(name));
    const admission = new ClientAdmission(fixpUserAuthenticator);
    admission.change(session, loaded);
    const { authenticate } = admission;
    const settings = this.settings(session, loaded.config);
    const reader =
      session.role === 'drop-copy'
        ? copies.fixpReader(name, session, fixp, () => directory.roster.unreadBytes(name))
        : undefined;
    const made = await directory.add({ settings, application: reader ?? fixp, authenticate });
    fixp.bind(made);
    reader?.bind(made);
    return { client: fixp.client, admission };
  }

  close(name: string): void {
    this.#parts.directory.remove(name);
  }
}
