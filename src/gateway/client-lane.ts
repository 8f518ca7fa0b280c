/** A protocol by which clients reach this process, as `session-register.ts` uses it; `fix-lane.ts` and `fixp-lane.ts`. */
import type { ClientSession, ClientVoice } from './client-session.ts';
import type { Config, SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';
import type { Principal } from './principal.ts';

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
};

export interface ClientOpening<Client extends LaneClient> {
  readonly name: string;
  readonly session: SessionConfig;
  readonly loaded: LoadedConfig;
  readonly makeClient: (voice: ClientVoice) => Client;
}

export interface OpenClient<Client extends LaneClient> {
  readonly client: Client;
  readonly admission: {
    /** Who may log on from now on, and from where. */
    change(session: SessionConfig, loaded: LoadedConfig): void;
  };
}
