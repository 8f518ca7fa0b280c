/** What a node exports and shows of its cluster, and that nothing is shown which it does not know. */
import { expect, test } from 'vitest';
import { nodeMetrics } from '../../src/cluster/node-metrics.ts';
import { NodeOverview, type OverviewOptions } from '../../src/cluster/node-overview.ts';
import type { ClusterView } from '../../src/gateway/operator/cluster-link.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import type { Replication } from '../../src/store/postgres/standbys.ts';

const shard = {
  ...{ shard: 'east', accounts: ['a'], sessions: 1, node: 'n2', state: 'serving' },
  ...{ isServed: true, epoch: 3, position: 40, ownedMs: 1_000, renewedMs: 250, consoleUrl: null },
};
const node = { node: 'n1', version: '1', isDraining: false, isHere: true, silentMs: 0, shards: [] };
const view: ClusterView = {
  node: 'n1',
  nodes: [node, { ...node, node: 'n2', isHere: false, isDraining: true }],
  shards: [shard, { ...shard, shard: 'west', node: null, isServed: false }],
  database: {
    ...{ isAway: false, readAgoMs: 10, isReplicated: true },
    standbys: [
      { name: 'db2', syncState: 'quorum', lagBytes: 7 },
      { name: 'db3', syncState: 'async', lagBytes: 9 },
    ],
  },
  acts: [],
};

async function exported(now: ClusterView): Promise<readonly string[]> {
  const text = await nodeMetrics({
    keepers: [],
    overview: { now, refresh: () => Promise.resolve() },
  }).text();
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

test('a node exports the shards of the cluster, its nodes, and the standbys that commits wait for', async () => {
  const lines = await exported(view);
  for (const line of [
    'causeway_shard_served{shard="east"} 1',
    'causeway_shard_served{shard="west"} 0',
    'causeway_shard_epoch{shard="east"} 3',
    'causeway_shard_lease_age_seconds{shard="east"} 0.25',
    'causeway_cluster_nodes 2',
    'causeway_node_ready 0',
    'causeway_node_draining 0',
    'causeway_database_away{node="n1"} 0',
    'causeway_database_standbys{node="n1"} 1',
    'causeway_standby_lag_bytes{standby="db3"} 9',
  ]) {
    expect(lines).toContain(line);
  }
});

test('what the node does not know has no value, so no alert takes it for good or bad', async () => {
  const unknown = { isAway: true, readAgoMs: 9_000, isReplicated: null, standbys: null };
  const lines = await exported({ ...view, database: unknown });
  expect(lines).toContain('causeway_database_away{node="n1"} 1');
  expect(lines.filter((line) => /standby|replicated/.test(line))).toEqual([]);
  const alone = await exported({ ...view, database: null, shards: [{ ...shard, epoch: null }] });
  expect(alone.filter((line) => /database|epoch/.test(line))).toEqual([]);
});

/** A node whose database answers questions about standbys when the test says so. */
function asking() {
  const clock = new ManualClock();
  const answers: ((answer: Promise<Replication>) => void)[] = [];
  const membership = {
    isAway: false,
    nodes: [],
    readMs: undefined,
    rows: undefined,
    ownerOf: () => undefined,
  };
  const ask = () => new Promise<Replication>((resolve) => answers.push(resolve));
  const overview = new NodeOverview({
    ...{ node: 'n1', version: '1', clock, keepers: new Map(), isDraining: () => false },
    ...{ acts: { reports: [] } as unknown as OverviewOptions['acts'], consoleOf: () => null },
    ...{ membership, database: { ask: ask as never } },
  });
  const answer = async (replication: Promise<Replication>) => {
    answers.shift()?.(replication);
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { answer, answers, clock, membership, overview };
}

const standbyLost: Replication = { isReplicated: true, standbys: [] };

test('that the last standby is lost is known while the renewals of the node wait for it, and no reader waits', async () => {
  const { answer, membership, overview } = asking();
  membership.isAway = true;
  await overview.refresh();
  expect(overview.now.database?.standbys).toBeNull();
  await answer(Promise.resolve(standbyLost));
  expect(overview.now.database).toMatchObject({ isAway: true, isReplicated: true, standbys: [] });
});

test('the database is asked once at a time and once a second, and what it does not answer is unknown', async () => {
  const { answer, answers, clock, membership, overview } = asking();
  membership.isAway = true;
  for (let i = 0; i < 3; i += 1) {
    await overview.refresh();
    clock.advance(5_000);
  }
  expect(answers).toHaveLength(1);
  await answer(Promise.resolve(standbyLost));
  await overview.refresh();
  expect(answers).toHaveLength(0);
  clock.advance(1_000);
  await overview.refresh();
  await answer(Promise.reject(new Error('the connection was lost')));
  expect(overview.now.database).toMatchObject({ isReplicated: null, standbys: null });
});
