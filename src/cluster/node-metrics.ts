/** The metrics of a node: its workers and front doors, and its view of the cluster. */
import type { ClusterShardRow } from '../gateway/cluster-link.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { NodeOverview } from './node-overview.ts';
import type { ShardKeeper } from './shard-keeper.ts';

const labelNames = ['shard'] as const;

/** The parts of a node that have metrics. */
export interface CountedNode {
  readonly keepers: readonly Pick<ShardKeeper, 'door' | 'restarts' | 'shard' | 'state'>[];
  readonly overview: Pick<NodeOverview, 'now' | 'refresh'>;
}

export function nodeMetrics(node: CountedNode): Metrics {
  const metrics = new Metrics(() => node.overview.refresh());
  metrics.watchProcess();
  watchWorkers(metrics, node);
  watchCluster(metrics, node);
  return metrics;
}

function watchWorkers(metrics: Metrics, node: CountedNode): void {
  const byShard = (of: (keeper: CountedNode['keepers'][number]) => number) => () =>
    new Map(node.keepers.map((keeper) => [keeper.shard.name, of(keeper)]));
  metrics.watchLabels(
    { name: 'shard_serving', help: '1 if a worker of this node serves the shard.', labelNames },
    byShard(({ state }) => Number(state === 'serving')),
  );
  metrics.watchLabels(
    {
      name: 'shard_unanswered_connections',
      help: 'Connections that the worker of the shard has not taken or answered yet.',
      labelNames,
    },
    byShard(({ door }) => door.unanswered),
  );
  metrics.watchLabels(
    { name: 'worker_restarts_total', help: 'Workers that ended by themselves.', labelNames },
    byShard(({ restarts }) => restarts),
  );
  metrics.watchLabels(
    { name: 'connections_handed_total', help: 'Sockets handed to the worker.', labelNames },
    byShard(({ door }) => door.handed),
  );
  metrics.watchLabels(
    { name: 'connections_relayed_total', help: 'Connections relayed to the worker.', labelNames },
    byShard(({ door }) => door.relayed),
  );
}

/** Unknown values are omitted. */
function watchCluster(metrics: Metrics, { overview }: CountedNode): void {
  const byShard = (of: (row: ClusterShardRow) => number | null) => () =>
    known(overview.now.shards.map((row) => [row.shard, of(row)]));
  // Without a label, a gauge would be 0 while its value is unknown, and 0 raises an alarm.
  const labelled = { labelNames: ['node'] } as const;
  const one = (value: number | boolean | null | undefined) =>
    known([[overview.now.node, value === null || value === undefined ? null : Number(value)]]);
  metrics.watchLabels(
    { name: 'shard_served', help: '1 if some node serves the shard.', labelNames },
    byShard(({ isServed }) => Number(isServed)),
  );
  metrics.watchLabels(
    { name: 'shard_epoch', help: 'Owners that the shard has had.', labelNames },
    byShard(({ epoch }) => epoch),
  );
  metrics.watchLabels(
    { name: 'shard_position', help: 'Groups of commits that the shard has had.', labelNames },
    byShard(({ position }) => position),
  );
  metrics.watchLabels(
    {
      name: 'shard_lease_age_seconds',
      help: 'Since the owner of the shard has committed or renewed its lease.',
      labelNames,
    },
    byShard(({ renewedMs }) => renewedMs && renewedMs / 1_000),
  );
  metrics.watch({ name: 'cluster_nodes', help: 'Nodes that are alive, this one too.' }, () => {
    return overview.now.nodes.length;
  });
  metrics.watch(
    { name: 'node_ready', help: '1 if every shard is served, by whichever node.' },
    () => Number(overview.now.shards.every(({ isServed }) => isServed)),
  );
  metrics.watch({ name: 'node_draining', help: '1 if this node gives up its shards.' }, () =>
    Number(overview.now.nodes.some(({ isDraining, isHere }) => isHere && isDraining)),
  );
  metrics.watch(
    { name: 'acts_unconfirmed', help: 'Kill switches and limits that some shard has not done.' },
    () => overview.now.acts.filter(({ unconfirmed }) => unconfirmed.length > 0).length,
  );
  metrics.watchLabels(
    { name: 'database_away', ...labelled, help: '1 if the database does not answer this node.' },
    () => one(overview.now.database?.isAway),
  );
  metrics.watchLabels(
    { name: 'database_replicated', ...labelled, help: '1 if commits wait for a standby.' },
    () => one(overview.now.database?.isReplicated),
  );
  metrics.watchLabels(
    {
      name: 'database_standbys',
      ...labelled,
      help: 'Standbys that are connected and that commits wait for; absent if the role may not see them.',
    },
    () => {
      const waited = overview.now.database?.standbys?.filter(isWaitedFor);
      return one(waited?.length);
    },
  );
  metrics.watchLabels(
    {
      name: 'standby_lag_bytes',
      help: 'Log of the database that is not on the disk of the standby yet.',
      labelNames: ['standby'],
    },
    () => known(overview.now.database?.standbys?.map(({ lagBytes, name }) => [name, lagBytes])),
  );
}

function isWaitedFor({ syncState }: { readonly syncState: string }): boolean {
  return syncState === 'sync' || syncState === 'quorum';
}

function known(rows: readonly (readonly [string, number | null])[] = []) {
  return new Map(
    rows.flatMap(([name, value]): [string, number][] => (value === null ? [] : [[name, value]])),
  );
}
