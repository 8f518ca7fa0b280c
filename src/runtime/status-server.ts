/**
 * A small HTTP server for health and metrics, on an open port or on a Unix socket that only this user can open. It
 * enforces limits against strangers; its owner provides the responses.
 */

import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { dirname } from 'node:path';
import { makePrivateDirectory } from './directory.ts';
import { endIfHasty } from './http-intake.ts';
import { removeStaleSocket } from './stale-socket.ts';

export interface StatusReply {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

/** `isPrivate`: the request came through the Unix socket. */
type Answer = (request: IncomingMessage, isPrivate: boolean) => Promise<StatusReply>;

const maxConnections = 64;
const plain = 'text/plain; charset=utf-8';
/** For example, the request ended before its body did. */
const failed: StatusReply = { status: 500, body: 'the request failed\n' };

export class StatusServer {
  readonly #answer: Answer;
  readonly #servers: Server[] = [];

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  /** Resolves with the URL of the server. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<string> {
    const server = this.#server(false).listen(port, host);
    await once(server, 'listening');
    const { port: bound } = server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /** `path` is in a directory that only this user can access. */
  async listenPrivately(path: string): Promise<void> {
    makePrivateDirectory(dirname(path));
    await removeStaleSocket(path);
    const before = process.umask(0o177);
    // The socket is created during the call.
    const server = this.#server(true).listen(path);
    process.umask(before);
    await once(server, 'listening');
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections();
        return new Promise<void>((resolve) => server.close(() => resolve()));
      }),
    );
  }

  #server(isPrivate: boolean): Server {
    const bounds = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 };
    const server = createServer(bounds, (request, response) => {
      void this.#serve(request, response, isPrivate);
    });
    const open = new Set<Socket>();
    server.on('connection', (socket) => {
      // The oldest makes room, so that connections that are only held open keep no health check out.
      const [oldest] = open;
      if (oldest !== undefined && open.size >= maxConnections) {
        open.delete(oldest);
        oldest.destroy();
      }
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    this.#servers.push(server);
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, isPrivate: boolean) {
    if (endIfHasty(request, response)) return;
    const reply = this.#answer(request, isPrivate).catch(() => failed);
    const { status, body, type = plain } = await reply;
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  }
}
