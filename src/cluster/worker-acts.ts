/** Carries out the acts for all shards in a worker, in order, and reports the records to its node. */
import type { ClusterLink } from '../gateway/operator/cluster-link.ts';
import { type ActingBridge, resultHere } from '../gateway/operator/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ForWorker } from './node-acts.ts';
import { type AnswerMessage, NodeLink } from './node-link.ts';
import type { ActMessage } from './worker-messages.ts';

export class WorkerActs {
  readonly #clock: Clock;
  readonly #send: (message: ActMessage) => void;
  readonly #link: NodeLink;
  #bridge: ActingBridge | undefined;
  #allSent = () => {};

  constructor(clock: Clock, send: (message: ActMessage) => void) {
    this.#clock = clock;
    this.#send = send;
    this.#link = new NodeLink(clock, send);
  }

  /** The link for the console of this shard. */
  get link(): ClusterLink {
    return this.#link;
  }

  /** Resolves once the node has sent all acts that the shard has not recorded, so that they hold. */
  opened(bridge: ActingBridge): Promise<void> {
    this.#bridge = bridge;
    const { done, last } = bridge.sharedActs;
    return new Promise((resolve) => {
      this.#allSent = resolve;
      this.#send({ kind: 'opened', last, done });
    });
  }

  take(message: ForWorker | AnswerMessage): void {
    if (message.kind === 'answer') {
      this.#link.answered(message);
      return;
    }
    if (message.kind === 'acts_sent') {
      this.#allSent();
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
