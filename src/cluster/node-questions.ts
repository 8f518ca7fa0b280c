/**
 * What a node asks of the others through their relay ports, and tells them, by HTTP: who owns which shard, for the case that it
 * cannot ask the database, and who failed to log on, because a lockout counts on all nodes.
 */
import { request } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../runtime/clock.ts';
import type { Dialer } from './dialer.ts';
import type { LaneName } from './lanes.ts';
import type { NodeView, Owners } from './owners.ts';

/** By shard: its owner, as the asked node last read it in the database. */
export const ownersAnswer = z.record(z.string(), z.object({ node: z.string(), epoch: z.int() }));

export interface Offence {
  readonly lane: LaneName;
  readonly address: string;
  /** Whom the client claimed to be. */
  readonly name: string;
}

export const paths = { owners: '/owners', offences: '/offences' } as const;
export const mostOffences = 256;
export const longestBody = 65_536;

const answerWithinMs = 1_000;

export interface NodeQuestionsOptions {
  readonly node: string;
  readonly owners: Owners;
  readonly dialer: Dialer;
  readonly clock: Clock;
}

export class NodeQuestions {
  readonly #options: NodeQuestionsOptions;
  /** Not told yet; those beyond the limit only count here. */
  #offences: Offence[] = [];
  #isTelling = false;

  constructor(options: NodeQuestionsOptions) {
    this.#options = options;
  }

  /**
   * Those of the shards, each with the epoch of this node's worker, that another node knows to have a higher epoch. That proves
   * that the worker can commit nothing any more. An equal or lower epoch proves nothing, and neither does silence.
   */
  async overtaken(shards: ReadonlyMap<string, number>): Promise<string[]> {
    const answers = await Promise.all(this.#others.map((node) => this.#ownersAt(node)));
    return [...shards]
      .filter(([shard, epoch]) => answers.some((owners) => (owners[shard]?.epoch ?? 0) > epoch))
      .map(([shard]) => shard);
  }

  /** Returns at once. */
  offended(offence: Offence): void {
    if (this.#offences.length < mostOffences) this.#offences.push(offence);
    if (!this.#isTelling) void this.#tellOffences();
  }

  get #others(): readonly NodeView[] {
    const { node: own, owners } = this.#options;
    return owners.nodes.filter(({ node }) => node !== own);
  }

  async #tellOffences(): Promise<void> {
    this.#isTelling = true;
    while (this.#offences.length > 0) {
      const body = JSON.stringify(this.#offences);
      this.#offences = [];
      await Promise.all(this.#others.map((node) => this.#ask(node, paths.offences, body)));
    }
    this.#isTelling = false;
  }

  async #ownersAt(node: NodeView): Promise<z.output<typeof ownersAnswer>> {
    const answer = await this.#ask(node, paths.owners);
    try {
      return ownersAnswer.parse(JSON.parse(answer ?? '{}'));
    } catch {
      return {};
    }
  }

  /** Undefined if the node does not answer in time. */
  #ask(node: NodeView, path: string, body?: string): Promise<string | undefined> {
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
      const cancelAlarm = clock.at(clock.now().monoMs + answerWithinMs, () => socket.destroy());
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
