/** How the desk gets its connections: by listening for the counterparty, or by calling it. */

import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { awaited } from './awaited.ts';

export interface DeskPort {
  readonly port: number;
  /** The next connection; undefined when none came in time. */
  next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined>;
  /** What follows comes from another address of ours, if we have more than one. */
  move?(): void;
  close(): void;
}

/** More connections than these at once are no session. */
const mostWaiting = 16;

class ListeningPort implements DeskPort {
  readonly #server: Server;
  readonly #arrived: Socket[] = [];
  #wake = () => {};

  constructor(server: Server) {
    this.#server = server;
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.pause();
      if (this.#arrived.length >= mostWaiting) socket.destroy();
      else this.#arrived.push(socket);
      this.#wake();
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async next(withinMs: number, signal: AbortSignal): Promise<Socket | undefined> {
    const endMs = performance.now() + withinMs;
    for (;;) {
      // The newest: the others have been given up by who made them.
      const socket = this.#arrived.pop();
      for (const old of this.#arrived.splice(0)) old.destroy();
      if (socket !== undefined && !socket.destroyed) return socket;
      const leftMs = endMs - performance.now();
      if (leftMs <= 0 || signal.aborted) return undefined;
      await awaited(leftMs, signal, (wake) => {
        this.#wake = wake;
      });
    }
  }

  close(): void {
    for (const socket of this.#arrived) socket.destroy();
    this.#server.close();
  }
}

export async function listen(host: string, port: number): Promise<DeskPort> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => resolve());
  });
  return new ListeningPort(server);
}

const retryMs = 200;

/** Addresses of this machine itself: 127.0.0.2 to 127.0.0.250 are as good as the first. */
const mostSources = 249;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The backup is called where the first does not answer. */
export function calling(host: string, port: number, backup?: Address): DeskPort {
  let source: string | undefined;
  let moves = 0;
  return {
    port,
    async next(withinMs, signal) {
      const endMs = performance.now() + withinMs;
      do {
        const socket =
          (await attempt({ host, port }, source)) ?? (backup && (await attempt(backup)));
        if (socket !== undefined) return socket;
        // Not every system has more than one address of its own.
        source = undefined;
        await new Promise((resolve) => setTimeout(resolve, retryMs));
      } while (performance.now() < endMs && !signal.aborted);
      return undefined;
    },
    move() {
      if (host !== '127.0.0.1') return;
      source = `127.0.0.${2 + (moves % mostSources)}`;
      moves += 1;
    },
    close() {},
  };
}

function attempt({ host, port }: Address, localAddress?: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, ...(localAddress !== undefined && { localAddress }) });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
