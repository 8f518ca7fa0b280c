/** The channel from the bridge in a worker to its node, which knows the other shards. */
import type { ActReport, ClusterLink, ClusterView } from '../gateway/operator/cluster-link.ts';
import { type Actor, ActRefused } from '../gateway/operator/operator.ts';
import type { SharedAct } from '../gateway/operator/shared-acts.ts';
import type { Clock } from '../runtime/clock.ts';

/** The requests of a worker. */
export type Asked =
  | { readonly kind: 'carry_out'; readonly by: Actor; readonly act: SharedAct }
  | { readonly kind: 'view' };
export type Answer = ActReport | ClusterView;
/** The node does not carry out the act; the text is for the operator. */
export interface Refusal {
  readonly refused: string;
}

export interface AskMessage {
  readonly kind: 'ask';
  readonly number: number;
  readonly asked: Asked;
}

export interface AnswerMessage {
  readonly kind: 'answer';
  readonly number: number;
  readonly answer: Answer | Refusal;
}

/** Longer than the node's own wait for the shards. */
const answerMs = 6_000;

export class NodeLink implements ClusterLink {
  readonly #clock: Clock;
  readonly #send: (message: AskMessage) => void;
  readonly #open = new Map<number, (answer: Answer | Refusal) => void>();
  #asked = 0;

  constructor(clock: Clock, send: (message: AskMessage) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  carryOut(by: Actor, act: SharedAct): Promise<ActReport> {
    return this.#ask({ kind: 'carry_out', by, act });
  }

  view(): Promise<ClusterView> {
    return this.#ask({ kind: 'view' });
  }

  answered({ answer, number }: AnswerMessage): void {
    this.#open.get(number)?.(answer);
  }

  /** The node's response to each kind of request has its own type. */
  #ask<A extends Answer>(asked: Asked): Promise<A> {
    this.#asked += 1;
    const number = this.#asked;
    return new Promise((resolve, reject) => {
      const { monoMs } = this.#clock.now();
      const cancel = this.#clock.at(monoMs + answerMs, () => {
        this.#open.delete(number);
        const unknown = asked.kind === 'view' ? '' : ': whether the act was carried out is unknown';
        reject(new Error(`the node does not answer${unknown}`));
      });
      this.#open.set(number, (answer) => {
        this.#open.delete(number);
        cancel();
        if ('refused' in answer) reject(new ActRefused(answer.refused));
        else resolve(answer as A);
      });
      this.#send({ kind: 'ask', number, asked });
    });
  }
}
