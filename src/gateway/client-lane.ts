/** A protocol by which clients reach this process, as `session-register.ts` uses it; `fix-lane.ts` and `fixp-lane.ts`. */
import type { Clock } from '../runtime/clock.ts';
import type { Tell } from '../runtime/operator-line.ts';
import type { Profile } from '../venue/profile.ts';
import type { ClientOutput, ClientSession } from './client-session.ts';
import type { Config, SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { CopyReaders } from './copy-readers.ts';
import type { PasswordChecks } from './password-checks.ts';
import type { Principal } from './principal.ts';

/** What a lane is made with. */
export interface LaneParts<Directory> {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly profile: Profile;
  readonly copies: CopyReaders;
  readonly notice: Tell;
  readonly passwords: PasswordChecks;
}

/** It is only ever asked about sessions of its own protocol. */
export interface ClientLane {
  /** What a session of the engine is made with: a change of it ends the connection. */
  settings(session: SessionConfig, config: Config): unknown;
  open<Client extends LaneClient>(opening: ClientOpening<Client>): Promise<OpenClient<Client>>;
  /** For good: the connection is closed. */
  close(name: string): void;
  /** Connects out no more. */
  stop(): void;
}

/** What a protocol needs of the client that it speaks for. */
export type LaneClient = Pick<ClientSession, 'arrived' | 'left' | 'obey' | 'refusalId'> & {
  readonly principal: Pick<Principal, 'cancelOnDisconnect'>;
} & Partial<Pick<ClientSession, 'isCollared' | 'waitsFor'>>;

export interface ClientOpening<Client extends LaneClient> {
  readonly name: string;
  readonly session: SessionConfig;
  readonly loaded: LoadedConfig;
  readonly makeClient: (voice: ClientOutput) => Client;
}

export interface OpenClient<Client extends LaneClient> {
  readonly client: Client;
  readonly admission: {
    /** Who may log on from now on, and from where. */
    change(session: SessionConfig, loaded: LoadedConfig): void;
  };
}
