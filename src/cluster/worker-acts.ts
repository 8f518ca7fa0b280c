/** What a worker does about the acts for all shards: it carries them out in their order, and tells its node what it has recorded. */
import type { ClusterLink } from '../gateway/cluster-link.ts';
import { ActRefused } from '../gateway/operator.ts';
import { type ActingOperator, carryOutHere, type SharedActs } from '../gateway/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ForWorker } from './node-acts.ts';
import { type AnswerMessage, NodeLink } from './node-link.ts';
import type { ActMessage } from './worker-messages.ts';

/** The part of a bridge that acts. */
export interface ActingBridge {
  readonly operator: ActingOperator;
  readonly sharedActs: SharedActs;
}

export class WorkerActs {
  readonly #clock: Clock;
  readonly #tell: (message: ActMessage) => void;
  readonly #link: NodeLink;
  #bridge: ActingBridge | undefined;

  constructor(clock: Clock, tell: (message: ActMessage) => void) {
    this.#clock = clock;
    this.#tell = tell;
    this.#link = new NodeLink(clock, tell);
  }

  /** For the console of this shard. */
  get link(): ClusterLink {
    return this.#link;
  }

  /** The node sends what is missing once it has heard what there is. */
  opened(bridge: ActingBridge) {
    this.#bridge = bridge;
    const { done, last } = bridge.sharedActs;
    return { done, last };
  }

  take(message: ForWorker | AnswerMessage): void {
    if (message.kind === 'answer') {
      this.#link.answered(message);
      return;
    }
    if (this.#bridge === undefined) return;
    const { operator, sharedActs } = this.#bridge;
    if (message.kind === 'act') {
      const { node, numbered } = message;
      const here = { node, atMs: Math.floor(this.#clock.now().wallMs) };
      void sharedActs.apply(operator, numbered, here).then((done) => {
        if (done !== undefined) this.#tell({ kind: 'act_done', done });
      });
      return;
    }
    const { act, by } = message.asked;
    try {
      carryOutHere(operator, by, act);
    } catch (error) {
      // The account or the session is of another shard.
      if (!(error instanceof ActRefused)) throw error;
    }
  }
}
