/** A node's picture of the whole cluster: what its console, its metrics and its health say. */
import type { ClusterShardRow, ClusterView } from '../gateway/cluster-link.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Primary } from '../store/postgres/primary.ts';
import { type Replication, replicationOf } from '../store/postgres/standbys.ts';
import type { Membership } from './membership.ts';
import type { NodeActs } from './node-acts.ts';
import type { ShardKeeper } from './shard-keeper.ts';

export interface OverviewOptions {
  readonly node: string;
  readonly version: string;
  readonly clock: Clock;
  readonly keepers: ReadonlyMap<string, ShardKeeper>;
  readonly acts: NodeActs;
  /** Undefined with data directories, as `primary`. */
  readonly membership: Membership | undefined;
  readonly primary: Primary | undefined;
  readonly isDraining: () => boolean;
  /** Of a shard that another node has, if it can be reached there. */
  readonly consoleOf: (shard: string, node: string) => string | null;
}

/** How often the database is asked about its standbys at most. */
const freshMs = 1_000;

export class NodeOverview {
  readonly #options: OverviewOptions;
  #replication: Replication | undefined;
  #asked: { readonly atMs: number; readonly answer: Promise<void> } | undefined;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  /** Also asks the database about its standbys, for whoever reads them next. */
  async view(): Promise<ClusterView> {
    await this.refresh();
    return this.now;
  }

  /** Resolves when the standbys are known as they were a moment ago, or are not known. */
  refresh(): Promise<void> {
    const { clock, membership, primary } = this.#options;
    const { monoMs } = clock.now();
    if (primary === undefined || membership?.isAway === true) {
      this.#replication = undefined;
      return Promise.resolve();
    }
    if (this.#asked === undefined || monoMs - this.#asked.atMs >= freshMs) {
      const answer = primary.ask(replicationOf).then(
        (replication) => {
          this.#replication = replication;
        },
        () => {
          this.#replication = undefined;
        },
      );
      this.#asked = { atMs: monoMs, answer };
    }
    return this.#asked.answer;
  }

  get now(): ClusterView {
    const { acts, clock, isDraining, membership, node, version } = this.#options;
    const shards = this.#shards();
    const alone = { node, version, isDraining: isDraining(), silentMs: 0 };
    const members = membership?.nodes.map(({ ageMs, ...row }) => ({ ...row, silentMs: ageMs }));
    const nodes = (members ?? [alone]).map((row) => ({
      node: row.node,
      version: row.version,
      isDraining: row.isDraining,
      silentMs: row.silentMs,
      isHere: row.node === node,
      shards: shards.filter((shard) => shard.node === row.node).map(({ shard }) => shard),
    }));
    const readMs = membership?.readMs;
    const database = membership && {
      isAway: membership.isAway,
      readAgoMs: readMs === undefined ? null : clock.now().monoMs - readMs,
      isReplicated: this.#replication?.isReplicated ?? null,
      standbys: this.#replication?.standbys ?? null,
    };
    return { node, nodes, shards, database: database ?? null, acts: acts.reports };
  }

  #shards(): readonly ClusterShardRow[] {
    const { consoleOf, keepers, membership, node } = this.#options;
    return [...keepers.values()].map(({ consoleUrl, shard, state }) => {
      const isHere = state === 'serving';
      const owner = membership?.ownerOf(shard.name);
      const row = membership?.rows?.shards.find((one) => one.shard === shard.name);
      const at = isHere ? node : (owner?.node.node ?? null);
      const isElsewhere = at !== null && at !== node;
      const isServed = isHere || owner?.node.serving.includes(shard.name) === true;
      return {
        shard: shard.name,
        accounts: shard.accounts,
        sessions: shard.sessions.length,
        node: at,
        state: isElsewhere
          ? isServed
            ? 'serving'
            : 'starting'
          : at === null && state === 'stopped'
            ? 'unowned'
            : state,
        isServed,
        epoch: row?.epoch ?? null,
        position: row?.position ?? null,
        ownedMs: row?.takenMs ?? null,
        renewedMs: row?.ageMs ?? null,
        consoleUrl: isHere ? (consoleUrl ?? null) : at === null ? null : consoleOf(shard.name, at),
      };
    });
  }
}
