/**
 * The client ports of the bridge in a worker, which has no listening port of its own. Connections arrive from the node,
 * as sockets or through a private Unix socket. Only this user can open that socket, so its statements about a client
 * are trusted.
 */
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { acceptorOf, type ClientPortsParts } from '../gateway/clients/client-port.ts';
import { ConfigError, type LoadedConfig } from '../gateway/config/config-file.ts';
import type { DescriptorPlan } from '../gateway/config/descriptor-plan.ts';
import type { Acceptor } from '../transport/acceptor.ts';
import type { LaneName } from './lanes.ts';
import type { Offence } from './node-questions.ts';
import type { Doors } from './worker-messages.ts';

/** The address of a Unix socket has 108 bytes, including a terminating zero. */
const longestPath = 107;

export class WorkerPorts {
  /** A worker has no ports. */
  readonly fix = 0;
  readonly fixp = 0;
  readonly #offended: (offence: Offence) => void;
  readonly #acceptors = new Map<LaneName, Acceptor>();
  readonly #servers: Server[] = [];
  #doors: Doors = { fix: '', fixp: '' };

  constructor(offended: (offence: Offence) => void) {
    this.#offended = offended;
  }

  /** The private sockets, once they are open; empty for a protocol without a port. */
  get doors(): Doors {
    return this.#doors;
  }

  /** The certificates are at the node's front doors. */
  renewal(): () => void {
    return () => {};
  }

  async open(
    loaded: LoadedConfig,
    { connections }: DescriptorPlan,
    parts: ClientPortsParts,
  ): Promise<void> {
    const { config, path } = loaded;
    const folder = join(path(config.dataDir), 'doors');
    // We hold the lock of the data, so an existing socket file is a leftover.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    const open = async (lane: LaneName) => {
      const port = config[lane];
      if (port === undefined) return '';
      const directory = lane === 'fix' ? parts.directory : parts.fixpDirectory;
      const acceptor = acceptorOf(
        { ...port, maxConnections: connections[lane] },
        loaded,
        directory,
        parts,
        { proxies: 'node', offended: (address, name) => this.#offended({ lane, address, name }) },
      );
      this.#acceptors.set(lane, acceptor);
      return this.#listen(join(folder, lane), (socket) => acceptor.take(socket));
    };
    this.#doors = { fix: await open('fix'), fixp: await open('fixp') };
  }

  take(lane: LaneName, socket: Socket, address: string, first: Buffer): void {
    const acceptor = this.#acceptors.get(lane);
    if (acceptor === undefined) socket.destroy();
    else acceptor.take(socket, { address, first });
  }

  /**
   * Does not wait for clients to close, as long as their sessions end: the process is about to exit, and the next owner
   * waits for that. Bytes written to them are in the system's buffers by then, or will be resent.
   */
  async close(): Promise<void> {
    for (const server of this.#servers) server.close();
    await Promise.all([...this.#acceptors.values()].map((one) => one.close()));
    this.#acceptors.clear();
  }

  async #listen(path: string, taken: (socket: Socket) => void): Promise<string> {
    if (Buffer.byteLength(path) > longestPath) {
      throw new ConfigError(
        `dataDir: the path of ${dirname(path)} is too long for the sockets in it (${longestPath} bytes with their names)`,
      );
    }
    const server = createServer({ noDelay: true }, taken);
    this.#servers.push(server);
    await once(server.listen(path), 'listening');
    return path;
  }
}
