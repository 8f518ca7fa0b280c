/** How the bridge in a worker asks its node, which knows the other shards. */
import type { ActReport, ClusterLink } from '../gateway/cluster-link.ts';
import type { Actor } from '../gateway/operator.ts';
import type { SharedAct } from '../gateway/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';

/** What a worker can ask. */
export interface Asked {
  readonly kind: 'carry_out';
  readonly by: Actor;
  readonly act: SharedAct;
}

export interface AskMessage {
  readonly kind: 'ask';
  readonly number: number;
  readonly asked: Asked;
}

export interface AnswerMessage {
  readonly kind: 'answer';
  readonly number: number;
  readonly answer: ActReport;
}

/** Longer than the node waits for the shards. */
const answerMs = 6_000;

export class NodeLink implements ClusterLink {
  readonly #clock: Clock;
  readonly #send: (message: AskMessage) => void;
  readonly #open = new Map<number, (answer: ActReport) => void>();
  #asked = 0;

  constructor(clock: Clock, send: (message: AskMessage) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  carryOut(by: Actor, act: SharedAct): Promise<ActReport> {
    return this.#ask({ kind: 'carry_out', by, act });
  }

  answered({ answer, number }: AnswerMessage): void {
    this.#open.get(number)?.(answer);
  }

  #ask(asked: Asked): Promise<ActReport> {
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      const { monoMs } = this.#clock.now();
      const cancel = this.#clock.at(monoMs + answerMs, () => {
        this.#open.delete(number);
        reject(new Error('the node does not answer: whether the act was carried out is unknown'));
      });
      this.#open.set(number, (answer) => {
        this.#open.delete(number);
        cancel();
        resolve(answer);
      });
      this.#send({ kind: 'ask', number, asked });
    });
  }
}
