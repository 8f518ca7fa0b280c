/**
 * The HTTP requests of a node to the relay ports of the others. It asks who owns which shard, in case it cannot reach
 * the database. It reports who failed to log on, because a lockout counts on all nodes, and which shard it is about to
 * give up.
 */
import { request } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
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

export const paths = { owners: '/owners', offences: '/offences', ahead: '/ahead' } as const;
export const maxOffences = 256;
export const longestBody = 65_536;

const answerWithinMs = 1_000;
/** How long a node waits until the next owner of a shard has read it. A longer wait only makes the takeover faster. */
export const aheadWithinMs = 15_000;

export interface NodeQuestionsOptions {
  readonly node: string;
  readonly owners: Owners;
  readonly dialer: Dialer;
  readonly clock: Clock;
}

export class NodeQuestions {
  readonly #options: NodeQuestionsOptions;
  /** Failures that have not been sent yet. Those beyond the limit count on this node only. */
  #offences: Offence[] = [];
  #isSending = false;

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

  /** Returns at once; the failure is sent in the background. */
  offended(offence: Offence): void {
    if (this.#offences.length < maxOffences) this.#offences.push(offence);
    if (!this.#isSending) void this.#sendOffences();
  }

  /** Resolves once the node has read the shard that it will get, or has not responded in time. */
  async readAhead(node: NodeView, shard: string): Promise<void> {
    await this.#ask(node, paths.ahead, JSON.stringify({ shard }), aheadWithinMs);
  }

  get #others(): readonly NodeView[] {
    const { node: own, owners } = this.#options;
    return owners.nodes.filter(({ node }) => node !== own);
  }

  async #sendOffences(): Promise<void> {
    this.#isSending = true;
    while (this.#offences.length > 0) {
      const body = JSON.stringify(this.#offences);
      this.#offences = [];
      await Promise.all(this.#others.map((node) => this.#ask(node, paths.offences, body)));
    }
    this.#isSending = false;
  }

  async #ownersAt(node: NodeView): Promise<z.output<typeof ownersAnswer>> {
    const answer = await this.#ask(node, paths.owners);
    try {
      return ownersAnswer.parse(JSON.parse(answer ?? '{}'));
    } catch {
      return {};
    }
  }

  /** Returns undefined if the node does not respond in time. */
  #ask(
    node: NodeView,
    path: string,
    body?: string,
    withinMs = answerWithinMs,
  ): Promise<string | undefined> {
    const { clock, dialer } = this.#options;
    const socket = dialer.dial(node);
    if (socket === undefined) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const sent = request({
        ...{ path, method: body === undefined ? 'GET' : 'POST' },
        createConnection: () => socket,
      });
      let text = '';
      let isComplete = false;
      const cancelAlarm = clock.at(clock.now().monoMs + withinMs, () => socket.destroy());
      sent.on('response', (response) => {
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
          if (text.length > longestBody) socket.destroy();
        });
        response.on('end', () => {
          isComplete = response.complete && response.statusCode === 200;
        });
        response.on('error', () => {});
      });
      sent.on('error', () => socket.destroy());
      socket.once('close', () => {
        cancelAlarm();
        resolve(isComplete ? text : undefined);
      });
      sent.end(body);
    });
  }
}
