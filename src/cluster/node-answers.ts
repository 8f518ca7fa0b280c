/**
 * Responds to queries of other nodes (node-questions.ts). Only the relay port, which authenticates the sender, calls
 * this.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { z } from 'zod';
import { type PasswordProofs, passwordProof } from '../gateway/passwords/password-proofs.ts';
import { bodyOf } from '../runtime/http-intake.ts';
import { parsedAs } from '../runtime/parsed-json.ts';
import type { SocketLink } from '../transport/link.ts';
import {
  aheadWithinMs,
  longestBody,
  maxNews,
  type Offence,
  type ownersAnswer,
  paths,
} from './node-questions.ts';
import type { Owners } from './owners.ts';

const offences = z
  .array(
    // A node of another version may send additional fields, or omit the name.
    z.object({
      lane: z.enum(['fix', 'fixp']),
      address: z.string().refine((text) => isIP(text) !== 0),
      name: z.string().default(''),
    }),
  )
  .max(maxNews);
const proved = z.array(passwordProof).max(maxNews);
const given = z.object({ shard: z.string() });

/** A sender that takes longer has died or stopped. */
const longestMs = aheadWithinMs + 5_000;

export interface NodeAnswersOptions {
  readonly owners: Owners;
  readonly shards: readonly string[];
  /** A client failed to log on at another node. */
  readonly offended: (offence: Offence) => void;
  /** Of passwords that were right. */
  readonly proofs: Pick<PasswordProofs, 'all' | 'take'>;
  /** Another node is about to give up this shard. Resolves once this node has read it, with why it cannot serve it. */
  readonly readAhead: (shard: string) => Promise<string | undefined>;
}

export class NodeAnswers {
  readonly #options: NodeAnswersOptions;
  /** This server never listens: the relay port passes connections to it. */
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
    const { offended, proofs, readAhead, shards } = this.#options;
    const end = (status: number, body = '') => {
      response.writeHead(status, { connection: 'close' }).end(body);
    };
    switch (`${request.method} ${request.url}`) {
      case `GET ${paths.owners}`:
        return end(200, JSON.stringify(this.#owned()));
      case `POST ${paths.offences}`: {
        const reported = await readAs(request, offences);
        for (const offence of reported ?? []) offended(offence);
        return end(reported === undefined ? 400 : 200);
      }
      case `GET ${paths.proofs}`:
        return end(200, JSON.stringify(proofs.all));
      case `POST ${paths.proofs}`: {
        const given = await readAs(request, proved);
        proofs.take(given ?? []);
        return end(given === undefined ? 400 : 200);
      }
      case `POST ${paths.ahead}`: {
        const { shard = '' } = (await readAs(request, given)) ?? {};
        if (!shards.includes(shard)) return end(400);
        const problem = await readAhead(shard);
        return end(problem === undefined ? 200 : 503, problem);
      }
      default:
        return end(404);
    }
  }
}

/** Returns undefined if the body does not match. */
async function readAs<T>(request: IncomingMessage, shape: z.ZodType<T>): Promise<T | undefined> {
  try {
    return parsedAs(shape, await bodyOf(request, longestBody));
  } catch {
    return undefined;
  }
}
