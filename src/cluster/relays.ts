/** Connects a node with the others: its relay port, relays to shards of other nodes, and queries in both directions. */
import { readFileSync } from 'node:fs';
import type { PasswordProofs } from '../gateway/passwords/password-proofs.ts';
import type { Clock } from '../runtime/clock.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import { usableFiles } from '../runtime/tls-files.ts';
import type { LoadedCluster } from './cluster-config.ts';
import { Dialer } from './dialer.ts';
import type { FrontDoorOptions } from './front-door.ts';
import { NodeAnswers, type NodeAnswersOptions } from './node-answers.ts';
import { NodeQuestions } from './node-questions.ts';
import { RelayPort } from './relay-port.ts';
import { RemoteDoor } from './remote-door.ts';
import type { WorkerDoor } from './worker-door.ts';

export interface RelaysOptions extends Omit<NodeAnswersOptions, 'shards' | 'proofs'> {
  /** The name of this node. */
  readonly node: string;
  readonly cluster: LoadedCluster;
  readonly relay: NonNullable<LoadedCluster['relay']>;
  readonly clock: Clock;
  readonly notice: WriteNotice;
  /** The workers' doors of this node. */
  readonly local: Pick<FrontDoorOptions, 'find' | 'all'>;
  readonly proofs: PasswordProofs;
}

export class Relays {
  readonly questions: NodeQuestions;
  readonly #options: RelaysOptions;
  readonly #dialer: Dialer;
  readonly #doors: RemoteDoor[] = [];
  #port: RelayPort | undefined;

  constructor(options: RelaysOptions) {
    const { clock, node, owners, relay } = options;
    this.#options = options;
    this.#dialer = usableFiles('relay.tls', relay.tls, () => new Dialer(tlsOf(relay)));
    this.questions = new NodeQuestions({ node, owners, clock, dialer: this.#dialer });
  }

  /** Resolves with the port. */
  listen(maxConnections: number): Promise<number> {
    const { clock, cluster, local, notice, offended, owners, proofs, readAhead, relay } =
      this.#options;
    const shards = cluster.shards.map(({ name }) => name);
    const answers = new NodeAnswers({ owners, shards, offended, proofs, readAhead });
    this.#port = new RelayPort({
      ...{ ...relay.listen, tls: tlsOf(relay), clock, notice, local, maxConnections },
      holdMs: cluster.holdMs,
      owners,
      responds: (node) => this.questions.responds(node),
      answer: answers.take,
    });
    return this.#port.listen();
  }

  /**
   * Reads the certificates again. Throws if they are unusable; otherwise calling the returned function applies them.
   */
  renewal(relay: RelaysOptions['relay']): () => void {
    const renewals = usableFiles('relay.tls', relay.tls, () => {
      const tls = tlsOf(relay);
      return [this.#dialer.renewal(tls), this.#port?.renewal(tls)];
    });
    return () => {
      for (const renew of renewals) renew?.();
    };
  }

  /** The path to a shard, on this node or another one. */
  door(shard: string, local: WorkerDoor): RemoteDoor {
    const { clock, node, owners } = this.#options;
    const door = new RemoteDoor({ shard, node, local, owners, clock, dialer: this.#dialer });
    this.#doors.push(door);
    return door;
  }

  async close(): Promise<void> {
    this.questions.close();
    for (const door of this.#doors) door.close();
    await this.#port?.close();
  }
}

function tlsOf({ tls }: RelaysOptions['relay']) {
  const { caFile, certFile, keyFile } = tls;
  return { ca: readFileSync(caFile), cert: readFileSync(certFile), key: readFileSync(keyFile) };
}
