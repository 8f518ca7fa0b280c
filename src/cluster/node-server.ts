/**
 * What a node shows and takes from its operator, over HTTP: health, metrics and shards on a port that anyone may ask, and also
 * acts on a private Unix socket, which only this user can open.
 */
import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { z } from 'zod';
import { askedActShape } from '../gateway/shared-acts.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { ClusterNode } from './node.ts';

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
}

const json = 'application/json; charset=utf-8';
const mostConnections = 64;
const longestAct = 4_096;
const actShape = askedActShape.pick({ by: true, act: true });
const notThere = { status: 404, body: 'there are /healthz, /readyz, /metrics and /shards\n' };

export class NodeServer {
  readonly #node: ClusterNode;
  readonly #metrics: Metrics;
  readonly #servers: Server[] = [];

  constructor(node: ClusterNode) {
    this.#node = node;
    this.#metrics = nodeMetrics(node);
  }

  /** Resolves with the URL. */
  async listen({ host, port }: { readonly host: string; readonly port: number }): Promise<string> {
    const server = this.#server(false);
    await listening(server, () => server.listen(port, host));
    const { port: bound } = server.address() as AddressInfo;
    return `http://${host.includes(':') ? `[${host}]` : host}:${bound}`;
  }

  /** `path` is in a directory of this user alone. */
  async listenPrivately(path: string): Promise<void> {
    if (await isServed(path)) throw new Error(`${path} is served: the node is running already`);
    rmSync(path, { force: true });
    const server = this.#server(true);
    const before = process.umask(0o177);
    // The socket is made within the call.
    const bound = listening(server, () => server.listen(path));
    process.umask(before);
    await bound;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections();
        return new Promise<void>((resolve) => server.close(() => resolve()));
      }),
    );
  }

  #server(mayAct: boolean): Server {
    const bounds = { headersTimeout: 5_000, requestTimeout: 10_000, maxHeaderSize: 8_192 };
    const server = createServer(bounds, (request, response) => {
      void this.#serve(request, response, mayAct);
    });
    server.maxConnections = mostConnections;
    this.#servers.push(server);
    return server;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, mayAct: boolean): Promise<void> {
    const { status, body, type = 'text/plain; charset=utf-8' } = await this.#reply(request, mayAct);
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
    response.end(body);
  }

  async #reply(request: IncomingMessage, mayAct: boolean): Promise<Reply> {
    const { method, url } = request;
    if (method === 'POST' && mayAct && url === '/drain') {
      await this.#node.drain();
      return { status: 200, body: 'drained\n' };
    }
    if (method === 'POST' && mayAct && url === '/acts') return this.#act(request);
    if (method !== 'GET') return { status: 405, body: 'only GET\n' };
    switch (url) {
      case '/healthz':
        return { status: 200, body: 'alive\n' };
      case '/readyz': {
        const why = this.#node.notReady;
        const status = why.length === 0 ? 200 : 503;
        return { status, body: `${why.join('\n') || 'ready'}\n` };
      }
      case '/metrics':
        return { status: 200, body: await this.#metrics.text(), type: this.#metrics.contentType };
      case '/acts':
        if (!mayAct) return notThere;
        return { status: 200, body: `${JSON.stringify(this.#node.acts.reports)}\n`, type: json };
      case '/shards':
        return { status: 200, body: `${JSON.stringify(shardsOf(this.#node))}\n`, type: json };
      default:
        return notThere;
    }
  }

  /** From the command line, for all shards. */
  async #act(request: IncomingMessage): Promise<Reply> {
    let size = 0;
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > longestAct) return { status: 413, body: 'the act is too long\n' };
      pieces.push(piece);
    }
    const read = actShape.safeParse(jsonOf(Buffer.concat(pieces).toString()));
    if (!read.success) return { status: 400, body: `${z.prettifyError(read.error)}\n` };
    const report = await this.#node.acts.carryOut(read.data.by, read.data.act);
    return { status: 200, body: `${JSON.stringify(report)}\n`, type: json };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function shardsOf({ keepers }: ClusterNode): readonly object[] {
  return keepers.map(({ consoleUrl, door, pid, restarts, shard, state }) => ({
    ...shard,
    state,
    pid,
    consoleUrl,
    restarts,
    handed: door.handed,
    relayed: door.relayed,
    unanswered: door.unanswered,
  }));
}

function nodeMetrics(node: ClusterNode): Metrics {
  const metrics = new Metrics();
  metrics.watchProcess();
  const byShard = (of: (keeper: ClusterNode['keepers'][number]) => number) => () =>
    new Map(node.keepers.map((keeper) => [keeper.shard.name, of(keeper)]));
  const labelNames = ['shard'] as const;
  metrics.watchLabels(
    { name: 'shard_serving', help: '1 if the worker of the shard serves clients.', labelNames },
    byShard(({ state }) => Number(state === 'serving')),
  );
  metrics.watchLabels(
    {
      name: 'shard_unanswered_connections',
      help: 'Connections that the worker of the shard has not taken or answered yet.',
      labelNames,
    },
    byShard(({ door }) => door.unanswered),
  );
  metrics.watchTotals(
    { name: 'worker_restarts_total', help: 'Workers that ended by themselves.', labelNames },
    byShard(({ restarts }) => restarts),
  );
  metrics.watchTotals(
    { name: 'connections_handed_total', help: 'Sockets handed to the worker.', labelNames },
    byShard(({ door }) => door.handed),
  );
  metrics.watchTotals(
    { name: 'connections_relayed_total', help: 'Connections relayed to the worker.', labelNames },
    byShard(({ door }) => door.relayed),
  );
  return metrics;
}

/** A socket file that nobody serves is left over from a node that died. */
function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function listening(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', resolve);
    listen();
  });
}
