/** The FIXP lane: the configured FIXP sessions, and who may negotiate them (contract C.14). */
import { FixpReader } from '../dropcopy/fixp-reader.ts';
import type { FixpDirectory, FixpSpec } from '../fixp/fixp-directory.ts';
import { type FixpSettings, fixpSettings } from '../fixp/settings.ts';
import { MassCancel } from '../mapping/sbe/generated/mass-cancel.ts';
import { NewOrderSingle } from '../mapping/sbe/generated/new-order-single.ts';
import { OrderCancelRequest } from '../mapping/sbe/generated/order-cancel-request.ts';
import { QuoteCancel } from '../mapping/sbe/generated/quote-cancel.ts';
import { ClientAdmission } from './client-admission.ts';
import type {
  ClientLane,
  ClientOpening,
  LaneClient,
  LaneParts,
  OpenClient,
} from './client-lane.ts';
import type { Config, FixpSessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import { reportSettings } from './copy-readers.ts';
import { throttleOf } from './engine-config.ts';
import { FixpClient, maxMessageBytes } from './fixp-client.ts';
import { Outbound, OwnCredentials } from './outbound.ts';

/** Requests that count against the cancel rate, as on the FIX lane. */
const cancelTemplates: ReadonlySet<number> = new Set([
  OrderCancelRequest.templateId,
  MassCancel.templateId,
  QuoteCancel.templateId,
]);

export class FixpLane implements ClientLane {
  readonly #parts: LaneParts<FixpDirectory>;
  readonly #outbound: Outbound;

  constructor(parts: LaneParts<FixpDirectory>) {
    this.#parts = parts;
    this.#outbound = new Outbound(parts);
  }

  settings(session: FixpSessionConfig, config: Config): unknown {
    return [fixpEngine(session, config), session.connect];
  }

  async open<Client extends LaneClient>(
    opening: ClientOpening<Client> & { session: FixpSessionConfig },
  ): Promise<OpenClient<Client>> {
    const { name, session, loaded, makeClient } = opening;
    const { clock, copies, directory, profile } = this.#parts;
    const messages = {
      session: name,
      ...reportSettings(profile),
    };
    const fixp = new FixpClient(makeClient, messages, clock, copies.inbound(name));
    const settings = fixpEngine(session, loaded.config);
    const isClient = session.connect !== undefined;
    const copied = copies.readerParts(name, session, () => directory.roster.unreadBytes(name));
    const reader = copied && new FixpReader({ ...copied, client: fixp, isClient });
    const application = reader ?? fixp;
    const { admission, made } =
      session.connect === undefined
        ? await this.#listen(name, { settings, application }, session, loaded)
        : await this.#connect({ settings, application }, session, session.connect, loaded);
    fixp.bind(made);
    reader?.bind(made);
    return { client: fixp.client, admission };
  }

  async #listen(name: string, spec: FixpSpec, session: FixpSessionConfig, loaded: LoadedConfig) {
    const { directory, passwords } = this.#parts;
    const admission = new ClientAdmission(name, passwords);
    admission.change(session, loaded);
    const { authenticate } = admission;
    return { admission, made: await directory.add({ ...spec, authenticate }) };
  }

  /** The consumer is identified only by its certificate: a FIXP server does not authenticate itself. */
  async #connect(
    { application, settings }: FixpSpec,
    session: FixpSessionConfig,
    to: NonNullable<FixpSessionConfig['connect']>,
    loaded: LoadedConfig,
  ) {
    const { directory } = this.#parts;
    const admission = new OwnCredentials();
    admission.change(session, loaded);
    const credentials = () => ({ username: session.senderCompId, ...admission.words() });
    const made = await directory.addClient({ application, settings: { ...settings, credentials } });
    this.#outbound.connect(made.name, to, loaded, (link) =>
      directory.attach(made, link, new Uint8Array()),
    );
    return { admission, made };
  }

  close(name: string): void {
    this.#outbound.close(name);
    this.#parts.directory.remove(name);
  }

  stop(): void {
    this.#outbound.stop();
  }
}

/** The settings of a session's FIXP engine. */
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
