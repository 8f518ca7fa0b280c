/** Carries out the acts for all shards in a worker, in order, and reports the records to its node. */
import type { ClusterLink } from '../gateway/cluster-link.ts';
import { type ActingOperator, resultHere, type SharedActs } from '../gateway/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ForWorker } from './node-acts.ts';
import { type AnswerMessage, NodeLink } from './node-link.ts';
import type { ActMessage } from './worker-messages.ts';

/** The part of a bridge that carries out acts. */
export interface ActingBridge {
  readonly operator: ActingOperator;
  readonly sharedActs: SharedActs;
}

export class WorkerActs {
  readonly #clock: Clock;
  readonly #send: (message: ActMessage) => void;
  readonly #link: NodeLink;
  #bridge: ActingBridge | undefined;

  constructor(clock: Clock, send: (message: ActMessage) => void) {
    this.#clock = clock;
    this.#send = send;
    this.#link = new NodeLink(clock, send);
  }

  /** The link for the console of this shard. */
  get link(): ClusterLink {
    return this.#link;
  }

  /** The node sends the missing acts once it has the list of recorded ones. */
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
        if (done !== undefined) this.#send({ kind: 'act_done', done });
      });
      return;
    }
    resultHere(operator, message.asked);
  }
}
