/** The FIXP lane: the configured FIXP sessions, and who may negotiate them (contract C.14). */
import { FixpReader } from '../dropcopy/fixp-reader.ts';
import type { FixpDirectory, FixpSpec } from '../fixp/fixp-directory.ts';
import type { FixpState } from '../fixp/session-core.ts';
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

type FixpOpening<Client extends LaneClient> = ClientOpening<Client> & {
  readonly session: FixpSessionConfig;
  readonly state: FixpState;
};

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

  load(name: string): Promise<FixpState> {
    return this.#parts.directory.load(name);
  }

  open<Client extends LaneClient>(opening: FixpOpening<Client>): OpenClient<Client> {
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
        ? this.#listen({ settings, application }, opening)
        : this.#connect({ settings, application }, opening, session.connect);
    fixp.bind(made);
    reader?.bind(made);
    return { client: fixp.client, admission };
  }

  #listen<Client extends LaneClient>(
    spec: FixpSpec,
    { name, session, loaded, state }: FixpOpening<Client>,
  ) {
    const { directory, passwords } = this.#parts;
    const admission = new ClientAdmission(name, passwords);
    admission.change(session, loaded);
    const { authenticate } = admission;
    return { admission, made: directory.resume({ ...spec, authenticate }, state) };
  }

  /** The consumer is identified only by its certificate: a FIXP server does not authenticate itself. */
  #connect<Client extends LaneClient>(
    { application, settings }: FixpSpec,
    { session, loaded, state }: FixpOpening<Client>,
    to: NonNullable<FixpSessionConfig['connect']>,
  ) {
    const { directory } = this.#parts;
    const admission = new OwnCredentials();
    admission.change(session, loaded);
    const credentials = () => ({ username: session.senderCompId, ...admission.words() });
    const spec = { application, settings: { ...settings, credentials } };
    const made = directory.resumeClient(spec, state);
    this.#outbound.connect(made.name, to, loaded, (link) =>
      directory.attach(made, link, new Uint8Array()),
    );
    return { admission, made };
  }

  close(name: string): FixpState {
    this.#outbound.close(name);
    return this.#parts.directory.remove(name);
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
