/** The metrics of a node: its workers and front doors, and its view of the cluster. */
import type { ClusterShardRow, ClusterView } from '../gateway/operator/cluster-link.ts';
import { Metrics } from '../runtime/metrics.ts';
import type { NodeOverview } from './node-overview.ts';
import type { ShardKeeper } from './shard-keeper.ts';

/** The parts of a node that have metrics. */
export interface CountedNode {
  readonly keepers: readonly Pick<ShardKeeper, 'door' | 'restarts' | 'shard' | 'state'>[];
  readonly overview: Pick<NodeOverview, 'now' | 'refresh'>;
}

type Value = number | boolean | null | undefined;
type Row<Source> = readonly [name: string, help: string, read: (source: Source) => Value];

/** One value for each worker of this node. */
const ofWorkers: readonly Row<CountedNode['keepers'][number]>[] = [
  ['shard_serving', '1 if a worker of this node serves the shard.', (at) => at.state === 'serving'],
  [
    'shard_unanswered_connections',
    'Connections that the worker of the shard has not taken or answered yet.',
    ({ door }) => door.unanswered,
  ],
  ['worker_restarts_total', 'Workers that ended by themselves.', ({ restarts }) => restarts],
  ['connections_handed_total', 'Sockets handed to the worker.', ({ door }) => door.handed],
  ['connections_relayed_total', 'Connections relayed to the worker.', ({ door }) => door.relayed],
];

/** One value for each shard of the cluster. */
const ofShards: readonly Row<ClusterShardRow>[] = [
  ['shard_served', '1 if some node serves the shard.', ({ isServed }) => isServed],
  ['shard_epoch', 'Owners that the shard has had.', ({ epoch }) => epoch],
  ['shard_position', 'Groups of commits that the shard has had.', ({ position }) => position],
  [
    'shard_lease_age_seconds',
    'Since the owner of the shard has committed or renewed its lease.',
    ({ renewedMs }) => renewedMs && renewedMs / 1_000,
  ],
];

/** One value each, which is always known. */
const ofCluster: readonly Row<ClusterView>[] = [
  ['cluster_nodes', 'Nodes that are alive, this one too.', ({ nodes }) => nodes.length],
  [
    'node_ready',
    '1 if every shard is served, by whichever node.',
    ({ shards }) => shards.every(({ isServed }) => isServed),
  ],
  [
    'node_draining',
    '1 if this node gives up its shards.',
    ({ nodes }) => nodes.some(({ isDraining, isHere }) => isHere && isDraining),
  ],
  [
    'acts_unconfirmed',
    'Kill switches and limits that some shard has not done.',
    ({ acts }) => acts.filter(({ unconfirmed }) => unconfirmed.length > 0).length,
  ],
];

/** Their label is the node: without one, a gauge would be 0 while its value is unknown, and 0 raises an alarm. */
const ofDatabase: readonly Row<ClusterView['database']>[] = [
  ['database_away', '1 if the database does not answer this node.', (database) => database?.isAway],
  ['database_replicated', '1 if commits wait for a standby.', (database) => database?.isReplicated],
  [
    'database_standbys',
    'Standbys that are connected and that commits wait for; absent if the role may not see them.',
    (database) => database?.standbys?.filter(isWaitedFor).length,
  ],
];

export function nodeMetrics({ keepers, overview }: CountedNode): Metrics {
  const metrics = new Metrics(() => overview.refresh());
  metrics.watchProcess();
  const watch = <Source>(
    label: string,
    rows: readonly Row<Source>[],
    sources: () => readonly (readonly [value: string, source: Source])[],
  ) => {
    for (const [name, help, read] of rows) {
      metrics.watchLabels({ name, help, labelNames: [label] }, () =>
        known(sources().map(([value, source]) => [value, read(source)])),
      );
    }
  };
  watch('shard', ofWorkers, () => keepers.map((keeper) => [keeper.shard.name, keeper]));
  watch('shard', ofShards, () => overview.now.shards.map((row) => [row.shard, row]));
  for (const [name, help, read] of ofCluster) {
    metrics.watch({ name, help }, () => Number(read(overview.now)));
  }
  watch('node', ofDatabase, () => [[overview.now.node, overview.now.database]]);
  metrics.watchLabels(
    {
      name: 'standby_lag_bytes',
      help: 'Log of the database that is not on the disk of the standby yet.',
      labelNames: ['standby'],
    },
    () => known(overview.now.database?.standbys?.map(({ lagBytes, name }) => [name, lagBytes])),
  );
  return metrics;
}

function isWaitedFor({ syncState }: { readonly syncState: string }): boolean {
  return syncState === 'sync' || syncState === 'quorum';
}

/** Unknown values are omitted. */
function known(rows: readonly (readonly [string, Value])[] = []): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(([name, value]) => (value == null ? [] : [[name, Number(value)] as const])),
  );
}
