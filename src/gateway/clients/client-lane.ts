/** A protocol for clients, as `session-register.ts` uses it; implemented by `fix-lane.ts` and `fixp-lane.ts`. */
import type { Clock } from '../../runtime/clock.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import type { Link } from '../../transport/link.ts';
import type { Session } from '../../transport/session.ts';
import type { RosterSession, SessionRoster } from '../../transport/session-roster.ts';
import type { Profile } from '../../venue/profile.ts';
import type { Config, SessionConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/config-file.ts';
import { SessionHours } from '../config/session-hours.ts';
import type { CopyReaders, InboundWatch } from '../copies/copy-readers.ts';
import type { Principal } from '../gate/principal.ts';
import type { PasswordChecks } from '../passwords/password-checks.ts';
import { clientAdmission } from './client-admission.ts';
import type { ClientOutput, ClientSession } from './client-session.ts';
import { Outbound, ownCredentials } from './outbound.ts';

/** The sessions of a protocol; `State` is the stored state of a session that is not among them. */
interface LaneDirectory<State> {
  readonly roster: Pick<SessionRoster<RosterSession>, 'isStopped' | 'retire' | 'unreadBytes'>;
  load(name: string): Promise<State>;
  remove(name: string): State;
  attach(session: Session, link: Link, first: Uint8Array): boolean;
}

export interface LaneParts<Directory> extends OperatorLines {
  readonly clock: Clock;
  readonly directory: Directory;
  readonly profile: Profile;
  readonly copies: CopyReaders;
  readonly passwords: PasswordChecks;
}

/** A lane handles only sessions of its own protocol. */
export abstract class ClientLane<
  State = unknown,
  Directory extends LaneDirectory<State> = LaneDirectory<State>,
> {
  protected readonly parts: LaneParts<Directory>;
  /** By the name of the session. */
  readonly #outbound = new Map<string, Outbound>();
  readonly #hours = new SessionHours();

  constructor(parts: LaneParts<Directory>) {
    this.parts = parts;
  }

  /** The settings of a session's engine; changing them ends the connection. */
  abstract settings(session: SessionConfig, config: Config): unknown;
  /** Returns at once, so that a session that is closed and opened again misses no report. */
  abstract open<Client extends LaneClient>(opening: ClientOpening<Client>): OpenClient<Client>;

  /** Reads the state of a session from the store. */
  load(name: string): Promise<State> {
    return this.parts.directory.load(name);
  }

  /** Ends the session's connection, after which `close` may follow. */
  logOut(name: string): Promise<void> {
    this.#outbound.get(name)?.stop();
    this.#outbound.delete(name);
    return this.parts.directory.roster.retire(name, 'The configuration of this session changes');
  }

  /** Removes the session. Returns its state. */
  close(name: string): State {
    return this.parts.directory.remove(name);
  }

  loggedOn(name: string): void {
    this.#outbound.get(name)?.loggedOn();
  }

  /** Stops outgoing connections. */
  stop(): void {
    for (const outbound of this.#outbound.values()) outbound.stop();
  }

  /** Who may log on to the session, and with what credentials it logs on itself if it connects out. */
  protected admission({ name, session, loaded }: Omit<ClientOpening<LaneClient>, 'makeClient'>) {
    const clients = clientAdmission(name, this.parts.passwords);
    let own = ownCredentials(session, loaded);
    clients.change(session, loaded);
    const change: OpenClient<LaneClient>['change'] = (...changed) => {
      clients.change(...changed);
      own = ownCredentials(...changed);
    };
    return { change, authenticate: clients.authenticate, words: () => own };
  }

  /** The parts of a reader, if the session reads drop copies. */
  protected copied(name: string, session: SessionConfig) {
    const { copies, directory } = this.parts;
    return copies.readerParts(name, session, () => directory.roster.unreadBytes(name));
  }

  /** Connects the session, if it is one in which the bridge connects out. */
  protected connect(
    made: Session,
    { name, session, loaded }: Omit<ClientOpening<LaneClient>, 'makeClient'>,
  ): void {
    if (session.connect === undefined) return;
    const { alarm, clock, directory, notice } = this.parts;
    const outbound = new Outbound({
      ...{ alarm, clock, name, notice, path: loaded.path, to: session.connect },
      attach: (link) => directory.attach(made, link, new Uint8Array()),
      isWanted: () => {
        const { isOpen } = this.#hours.of(session, clock.now().wallMs);
        return isOpen && !directory.roster.isStopped(name);
      },
    });
    this.#outbound.set(name, outbound);
  }
}

/** The part of a client that a protocol needs. */
export type LaneClient = Pick<ClientSession, 'arrived' | 'left' | 'execute' | 'refused'> & {
  readonly principal: Pick<Principal, 'cancelOnDisconnect'>;
} & Partial<Pick<ClientSession, 'isCollared' | 'renumbered' | 'standing' | 'waitsFor'>>;

/** What the client of a session needs in either protocol, to read requests and to write reports and answers. */
export interface ProtocolParts<Client extends LaneClient, Settings> {
  readonly makeClient: (output: ClientOutput) => Client;
  readonly settings: Settings;
  readonly clock: Clock;
  readonly watch: InboundWatch;
}

export interface ClientOpening<Client extends LaneClient> {
  readonly name: string;
  readonly session: SessionConfig;
  readonly loaded: LoadedConfig;
  /** What `load` or `close` of the same lane returned. */
  readonly state: unknown;
  readonly makeClient: (output: ClientOutput) => Client;
}

export interface OpenClient<Client extends LaneClient> {
  readonly client: Client;
  /** Changes who may log on, and from where. */
  change(session: SessionConfig, loaded: LoadedConfig): void;
}
