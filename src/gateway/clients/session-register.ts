/**
 * The configured sessions of a process: created at the start, and added, changed and removed while others run. A
 * session is logged out only if a setting of its engine changes.
 */
import { isDeepStrictEqual } from 'node:util';
import { nameOf } from '../config/client-names.ts';
import type { Config, SessionConfig } from '../config/config.ts';
import type { LoadedConfig } from '../config/config-file.ts';
import type { ClientLane, LaneClient, OpenClient } from './client-lane.ts';
import type { ClientOutput } from './client-session.ts';

export interface SessionRegisterParts<Client extends LaneClient> {
  readonly lanes: Readonly<Record<SessionConfig['protocol'], ClientLane>>;
  readonly make: (session: SessionConfig, config: Config, output: ClientOutput) => Client;
  readonly change: (client: Client, session: SessionConfig, config: Config) => void;
}

interface Entry<Client extends LaneClient> {
  readonly open: OpenClient<Client>;
  readonly lane: ClientLane;
  readonly settings: unknown;
}

export class SessionRegister<Client extends LaneClient> {
  readonly #parts: SessionRegisterParts<Client>;
  readonly #entries = new Map<string, Entry<Client>>();
  /** The clients of the entries, as an array: each report of another channel's order checks all of them. */
  #clients: readonly Client[] = [];

  constructor(parts: SessionRegisterParts<Client>) {
    this.#parts = parts;
  }

  get(name: string): Client | undefined {
    return this.#entries.get(name)?.open.client;
  }

  [Symbol.iterator](): IterableIterator<Client> {
    return this.#clients.values();
  }

  async apply(loaded: LoadedConfig): Promise<void> {
    const { config } = loaded;
    const wanted = new Map(config.sessions.map((session) => [nameOf(session), session]));
    // Before anything changes: a session that is logged out takes no connection until it is opened again.
    const states = new Map<string, unknown>();
    for (const [name, { protocol }] of wanted)
      if (!this.#entries.has(name)) states.set(name, await this.#parts.lanes[protocol].load(name));
    const ending = new Map<string, ClientLane>();
    for (const [name, { lane, open, settings }] of this.#entries) {
      const session = wanted.get(name);
      if (session && isDeepStrictEqual(settings, lane.settings(session, config))) {
        open.change(session, loaded);
        this.#parts.change(open.client, session, config);
      } else ending.set(name, lane);
    }
    await Promise.all([...ending].map(([name, lane]) => lane.logOut(name)));
    // Nothing else runs from here on, so no report or waiting order finds a session missing.
    for (const [name, lane] of ending) {
      states.set(name, lane.close(name));
      this.#entries.delete(name);
    }
    this.#list();
    for (const [name, session] of wanted)
      if (!this.#entries.has(name)) this.#open(name, session, loaded, states.get(name));
  }

  #list(): void {
    this.#clients = [...this.#entries.values()].map(({ open }) => open.client);
  }

  #open(name: string, session: SessionConfig, loaded: LoadedConfig, state: unknown): void {
    const { lanes, make } = this.#parts;
    const { config } = loaded;
    const lane = lanes[session.protocol];
    const makeClient = (output: ClientOutput) => make(session, config, output);
    const open = lane.open({ name, session, loaded, state, makeClient });
    this.#entries.set(name, { open, lane, settings: lane.settings(session, config) });
    this.#list();
  }
}
