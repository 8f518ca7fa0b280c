/**
 * The HTTP requests of a node to the relay ports of the others. It asks who owns which shard, in case it cannot reach
 * the database. It reports who failed to log on, because a lockout counts on all nodes; whose password was right,
 * because nobody waits for the same check twice; and which shard it is about to give up.
 */
import { request } from 'node:http';
import { z } from 'zod';
import {
  maxProofs,
  type PasswordProof,
  passwordProof,
} from '../gateway/passwords/password-proofs.ts';
import { type Clock, pause } from '../runtime/clock.ts';
import { parsedAs } from '../runtime/parsed-json.ts';
import type { Dialer } from './dialer.ts';
import type { LaneName } from './lanes.ts';
import type { NodeView, Owners } from './owners.ts';

/** By shard: its owner, as the other node last read it from the database. */
export const ownersAnswer = z.record(z.string(), z.object({ node: z.string(), epoch: z.int() }));

export interface Offence {
  readonly lane: LaneName;
  readonly address: string;
  /** The name that the client claimed. */
  readonly name: string;
}

export const paths = {
  owners: '/owners',
  offences: '/offences',
  proofs: '/proofs',
  ahead: '/ahead',
} as const;
/** In one message; what more happens while it is under way counts on this node only. */
export const maxNews = 256;
/** The longest name, 64 characters, may take six times as many in JSON. */
export const longestBody = maxNews * 512;

const answerWithinMs = 1_000;
/** Clients of a node that hangs wait for this, and are promised that they trade again within 3 s. */
const aliveWithinMs = 600;
const provenAnswer = z.array(passwordProof).max(maxProofs);
/** A proof has about 200 characters. */
const longestProofs = maxProofs * 256;
/** Another node trusts a node that has just started after its next look at the database. */
const learnAgainMs = 500;
const mostLearnings = 20;
/** How long a node waits until the next owner of a shard has read it. A longer wait only makes the takeover faster. */
export const aheadWithinMs = 15_000;

export interface NodeQuestionsOptions {
  /** The name of this node. */
  readonly node: string;
  readonly owners: Owners;
  readonly dialer: Dialer;
  readonly clock: Clock;
}

interface Asking {
  readonly body?: string;
  /** The most characters of the answer. */
  readonly longest?: number;
  readonly withinMs?: number;
}

/** Sends items in the background, one message at a time. */
class News<Item> {
  readonly #send: (body: string) => Promise<void>;
  #items: Item[] = [];
  #isSending = false;

  constructor(send: (body: string) => Promise<void>) {
    this.#send = send;
  }

  add(item: Item): void {
    if (this.#items.length < maxNews) this.#items.push(item);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    while (this.#items.length > 0) {
      const body = JSON.stringify(this.#items);
      this.#items = [];
      await this.#send(body);
    }
    this.#isSending = false;
  }
}

export class NodeQuestions {
  readonly #options: NodeQuestionsOptions;
  readonly #offences = new News<Offence>((body) => this.#tellAll(paths.offences, body));
  readonly #proofs = new News<PasswordProof>((body) => this.#tellAll(paths.proofs, body));
  #isClosed = false;

  constructor(options: NodeQuestionsOptions) {
    this.#options = options;
  }

  /**
   * Returns the shards for which another node knows a higher epoch than this node's worker has. That proves that the
   * worker can no longer commit. An equal or lower epoch, or no response, proves nothing.
   */
  async overtaken(shards: ReadonlyMap<string, number>): Promise<string[]> {
    const answers = await Promise.all(this.#others.map((node) => this.#ownersAt(node)));
    return [...shards]
      .filter(([shard, epoch]) => answers.some((owners) => (owners[shard]?.epoch ?? 0) > epoch))
      .map(([shard]) => shard);
  }

  /** Whether a node that is silent in the database answers. An error costs the clients that it relays a new logon. */
  async responds(node: NodeView): Promise<boolean> {
    return (await this.#ask(node, paths.owners, { withinMs: aliveWithinMs })) !== undefined;
  }

  /** Returns at once; the failure is sent in the background. */
  offended(offence: Offence): void {
    this.#offences.add(offence);
  }

  /** Returns at once, too. */
  proved(proof: PasswordProof): void {
    this.#proofs.add(proof);
  }

  /** At the start: asks each other node for its proofs. */
  async learn(take: (proofs: readonly PasswordProof[]) => void): Promise<void> {
    const { clock } = this.#options;
    const answered = new Set<string>();
    for (let count = 0; count < mostLearnings && !this.#isClosed; count += 1) {
      for (const node of this.#others) {
        if (answered.has(node.node)) continue;
        const answer = await this.#ask(node, paths.proofs, { longest: longestProofs });
        const proofs = parsedAs(provenAnswer, answer);
        if (proofs === undefined) continue;
        answered.add(node.node);
        take(proofs);
      }
      await pause(clock, learnAgainMs);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Resolves with why the node is not ready to serve a shard that it may get; undefined if it is and has read it. */
  async readAhead(node: NodeView, shard: string): Promise<string | undefined> {
    const asking = { body: JSON.stringify({ shard }), withinMs: aheadWithinMs };
    const answer = await this.#answer(node, paths.ahead, asking);
    if (answer === undefined) return 'it has not answered';
    return answer.status === 200 ? undefined : answer.text || 'it gives no reason';
  }

  get #others(): readonly NodeView[] {
    const { node: own, owners } = this.#options;
    return owners.nodes.filter(({ node }) => node !== own);
  }

  async #tellAll(path: string, body: string): Promise<void> {
    await Promise.all(this.#others.map((node) => this.#ask(node, path, { body })));
  }

  async #ownersAt(node: NodeView): Promise<z.output<typeof ownersAnswer>> {
    return parsedAs(ownersAnswer, await this.#ask(node, paths.owners)) ?? {};
  }

  /** Returns undefined if the node does not respond in time, or refuses. */
  async #ask(node: NodeView, path: string, asking?: Asking): Promise<string | undefined> {
    const answer = await this.#answer(node, path, asking);
    return answer?.status === 200 ? answer.text : undefined;
  }

  /** Returns undefined if the node does not respond in time. */
  #answer(
    node: NodeView,
    path: string,
    { body, longest = longestBody, withinMs = answerWithinMs }: Asking = {},
  ): Promise<{ readonly status: number; readonly text: string } | undefined> {
    const { clock, dialer } = this.#options;
    const socket = dialer.dial(node);
    if (socket === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const sent = request({
        ...{ path, method: body === undefined ? 'GET' : 'POST' },
        createConnection: () => socket,
      });
      let text = '';
      let status: number | undefined;
      const cancelAlarm = clock.at(clock.now().monoMs + withinMs, () => socket.destroy());
      sent.on('response', (response) => {
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (text.length > longest) socket.destroy();
        });
        response.on('end', () => {
          if (response.complete) status = response.statusCode;
        });
        response.on('error', () => {});
      });
      sent.on('error', () => socket.destroy());
      socket.once('close', () => {
        cancelAlarm();
        resolve(status === undefined ? undefined : { status, text });
      });
      sent.end(body);
    });
  }
}
