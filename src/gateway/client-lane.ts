/** A protocol for clients, as `session-register.ts` uses it; implemented by `fix-lane.ts` and `fixp-lane.ts`. */
import type { Clock } from '../runtime/clock.ts';
import type { RaiseAlarm, WriteNotice } from '../runtime/operator-line.ts';
import type { Profile } from '../venue/profile.ts';
import type { ClientOutput, ClientSession } from './client-session.ts';
import type { Config, SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { CopyReaders } from './copy-readers.ts';
import type { PasswordChecks } from './password-checks.ts';
import type { Principal } from './principal.ts';

/** The parts of a lane. */
export interface LaneParts<Directory> {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly copies: CopyReaders;
  readonly notice: WriteNotice;
  readonly alarm: RaiseAlarm;
  readonly passwords: PasswordChecks;
}

/** A lane handles only sessions of its own protocol. */
export interface ClientLane {
  /** The settings of a session's engine; changing them ends the connection. */
  settings(session: SessionConfig, config: Config): unknown;
  /** Reads the state of a session from the store. */
  load(name: string): Promise<unknown>;
  /** Returns at once, so that a session that is closed and opened again misses no report. */
  open<Client extends LaneClient>(opening: ClientOpening<Client>): OpenClient<Client>;
  /** Removes the session and closes its connection. Returns its state. */
  close(name: string): unknown;
  /** Stops outgoing connections. */
  stop(): void;
}

/** The part of a client that a protocol needs. */
export type LaneClient = Pick<ClientSession, 'arrived' | 'left' | 'execute' | 'refused'> & {
  readonly principal: Pick<Principal, 'cancelOnDisconnect'>;
} & Partial<Pick<ClientSession, 'isCollared' | 'waitsFor'>>;

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
  readonly admission: {
    /** Changes who may log on, and from where. */
    change(session: SessionConfig, loaded: LoadedConfig): void;
  };
}
