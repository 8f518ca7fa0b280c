/** A protocol by which clients reach the gateway, as `client-register.ts` uses it; `fix-lane.ts` and `fixp-lane.ts`. */
import type { ClientSession, ClientVoice } from './client-session.ts';
import type { Config, SessionConfig } from './config.ts';
import type { LoadedConfig } from './config-file.ts';

/** It is only ever asked about sessions of its own protocol. */
export interface ClientLane {
  /** What a session of the engine is made with: a change of it ends the connection. */
  settings(session: SessionConfig, config: Config): unknown;
  open(opening: ClientOpening): Promise<OpenClient>;
  /** For good: the connection is closed. */
  close(name: string): void;
}

export interface ClientOpening {
  readonly name: string;
  readonly session: SessionConfig;
  readonly loaded: LoadedConfig;
  readonly makeClient: (voice: ClientVoice) => ClientSession;
}

export interface OpenClient {
  readonly client: ClientSession;
  readonly admission: {
    /** Who may log on from now on, and from where. */
    change(session: SessionConfig, loaded: LoadedConfig): void;
  };
}
