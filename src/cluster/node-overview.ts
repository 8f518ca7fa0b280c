/** A node's view of the whole cluster, for console, metrics and health. */
import type { ClusterShardRow, ClusterView } from '../gateway/operator/cluster-link.ts';
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
  /** Undefined with data directories, like `database`. */
  readonly membership:
    | Pick<Membership, 'isAway' | 'nodes' | 'ownerOf' | 'readMs' | 'rows'>
    | undefined;
  /** For queries about standbys: it writes nothing, so it responds even while commits wait for a standby. */
  readonly database: Pick<Primary, 'ask'> | undefined;
  readonly isDraining: () => boolean;
  /** The console address of a shard on another node, if it can be reached there. */
  readonly consoleOf: (shard: string, node: string) => string | null;
}

/** The minimum interval between queries for the standbys. */
const freshMs = 1_000;

export class NodeOverview {
  readonly #options: OverviewOptions;
  #replication: Replication | undefined;
  #asked = Promise.resolve();
  #nextMs = 0;

  constructor(options: OverviewOptions) {
    this.#options = options;
  }

  /** Also queries the database for its standbys. */
  async view(): Promise<ClusterView> {
    await this.refresh();
    return this.now;
  }

  /** Resolves when the standbys have been queried recently. Does not wait for a database that is away. */
  async refresh(): Promise<void> {
    const { clock, database, membership } = this.#options;
    if (database === undefined) return;
    if (clock.now().monoMs >= this.#nextMs) {
      // There is no second query until this one has a response.
      this.#nextMs = Number.POSITIVE_INFINITY;
      this.#asked = database
        .ask(replicationOf)
        .catch(() => undefined)
        .then((replication) => {
          this.#replication = replication;
          this.#nextMs = clock.now().monoMs + freshMs;
        });
    }
    if (membership?.isAway !== true) await this.#asked;
  }

  get now(): ClusterView {
    const { acts, clock, isDraining, membership, node, version } = this.#options;
    const shards = this.#shards();
    const members = membership?.nodes ?? [{ node, version, isDraining: isDraining(), ageMs: 0 }];
    const nodes = members.map((row) => ({
      node: row.node,
      version: row.version,
      isDraining: row.isDraining,
      silentMs: row.ageMs,
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
