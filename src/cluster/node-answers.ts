/** What a node answers to the questions of others (node-questions.ts). Only the relay port, which knows who asks, leads here. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import type { SocketLink } from '../transport/link.ts';
import {
  longestBody,
  mostOffences,
  type Offence,
  type ownersAnswer,
  paths,
} from './node-questions.ts';
import type { Owners } from './owners.ts';

const offences = z
  .array(
    // A node of another version may say more, or not yet say the name.
    z.object({
      lane: z.enum(['fix', 'fixp']),
      address: z.string().refine((text) => isIP(text) !== 0),
      name: z.string().default(''),
    }),
  )
  .max(mostOffences);

/** The other node is gone, or has stopped. */
const longestMs = 5_000;

export interface NodeAnswersOptions {
  readonly owners: Owners;
  readonly shards: readonly string[];
  readonly offended: (offence: Offence) => void;
}

export class NodeAnswers {
  readonly #options: NodeAnswersOptions;
  /** It listens nowhere. */
  readonly #server = createServer((request, response) => {
    void this.#answer(request, response);
  });

  constructor(options: NodeAnswersOptions) {
    this.#options = options;
  }

  readonly take = ({ socket }: SocketLink, first: Buffer): void => {
    socket.setTimeout(longestMs, () => socket.destroy());
    socket.unshift(first);
    this.#server.emit('connection', socket);
  };

  #owned(): z.output<typeof ownersAnswer> {
    const { owners, shards } = this.#options;
    const rows = shards.flatMap((shard) => {
      const owner = owners.ownerOf(shard);
      return owner ? [[shard, { node: owner.node.node, epoch: owner.epoch }] as const] : [];
    });
    return Object.fromEntries(rows);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { offended } = this.#options;
    const end = (status: number, body = '') => {
      response.writeHead(status, { connection: 'close' }).end(body);
    };
    switch (`${request.method} ${request.url}`) {
      case `GET ${paths.owners}`:
        return end(200, JSON.stringify(this.#owned()));
      case `POST ${paths.offences}`: {
        const told = await offencesIn(request);
        for (const offence of told ?? []) offended(offence);
        return end(told === undefined ? 400 : 200);
      }
      default:
        return end(404);
    }
  }
}

/** Undefined if the body is something else. */
async function offencesIn(request: IncomingMessage): Promise<readonly Offence[] | undefined> {
  try {
    let text = '';
    for await (const piece of request.setEncoding('utf8')) {
      text += piece;
      if (text.length > longestBody) return undefined;
    }
    return offences.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
