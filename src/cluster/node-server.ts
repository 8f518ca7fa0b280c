/**
 * A node's HTTP interface for operators. An open port serves health, metrics and shards. A private Unix socket, which
 * only this user can open, also accepts acts.
 */
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { acceptedShape } from '../gateway/operator/shared-acts.ts';
import { bodyOf } from '../runtime/http-intake.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { parsedJson } from '../runtime/parsed-json.ts';
import { type StatusReply, StatusServer } from '../runtime/status-server.ts';
import type { ClusterNode } from './node.ts';
import { nodeMetrics } from './node-metrics.ts';

const json = 'application/json; charset=utf-8';
const longestAct = 4_096;
const notThere = {
  status: 404,
  body: 'there are /healthz, /readyz, /metrics and /shards\n',
};

export class NodeServer extends StatusServer {
  readonly #node: ClusterNode;
  readonly metrics: Metrics;

  constructor(node: ClusterNode) {
    super((request, mayAct) => this.#reply(request, mayAct));
    this.#node = node;
    this.metrics = nodeMetrics(node);
  }

  async #reply(request: IncomingMessage, mayAct: boolean): Promise<StatusReply> {
    const { method, url } = request;
    if (method === 'POST' && mayAct && url === '/drain') {
      await this.#node.drain();
      return { status: 200, body: 'drained\n' };
    }
    if (method === 'POST' && mayAct && url === '/accept') {
      const shards = this.#node.acceptDatabase();
      if (shards.length > 0)
        return { status: 200, body: `accepted the lost commits of ${shards.join(', ')}\n` };
      return { status: 409, body: 'no shard has lost commits, so there is nothing to accept\n' };
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
        return { status: 200, body: await this.metrics.text(), type: this.metrics.contentType };
      case '/acts':
        if (!mayAct) return notThere;
        return { status: 200, body: `${JSON.stringify(this.#node.acts.reports)}\n`, type: json };
      case '/cluster':
        if (!mayAct) return notThere;
        return {
          status: 200,
          body: `${JSON.stringify(await this.#node.overview.view())}\n`,
          type: json,
        };
      case '/shards':
        return { status: 200, body: `${JSON.stringify(shardsOf(this.#node))}\n`, type: json };
      default:
        return notThere;
    }
  }

  /** Carries out an act from the command line on all shards. */
  async #act(request: IncomingMessage): Promise<StatusReply> {
    const text = await bodyOf(request, longestAct);
    if (text === undefined) return { status: 413, body: 'the act is too long\n' };
    const read = acceptedShape.safeParse(parsedJson(text));
    if (!read.success) return { status: 400, body: `${z.prettifyError(read.error)}\n` };
    const report = await this.#node.acts.carryOut(read.data.by, read.data.act);
    return { status: 200, body: `${JSON.stringify(report)}\n`, type: json };
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
