/**
 * Which shards a node takes, gives up, or finds taken from it (docs/decisions/0287-nodes-own-shards-by-leases.md, "Who takes what").
 * It is arithmetic on what the node has read. Two nodes that have read different things may both want a shard: then the database
 * lets one of them have it.
 */
import { hash } from 'node:crypto';

export interface ShardSeen {
  readonly shard: string;
  readonly epoch: number;
  /** Of the owner, or of the last one; empty if there was none. */
  readonly node: string;
  /** Since this node has found it free; undefined while somebody owns it. */
  readonly freeForMs: number | undefined;
  /** Since its owner took it. */
  readonly ownedForMs: number;
}

/** A worker of this node for a shard. */
export interface OwnWorker {
  /** `starting`: it has not taken the shard yet. `over`: it ended by itself. `barred`: the same, and it may not be restarted yet. */
  readonly state: 'starting' | 'owner' | 'stopping' | 'over' | 'barred';
  /** The one that it has; of a worker that is starting the one that it replaces. */
  readonly epoch: number;
}

export interface Situation {
  readonly self: string;
  /** Nodes that are alive and not draining; this one only if that is true of it. */
  readonly nodes: readonly string[];
  readonly shards: readonly ShardSeen[];
  readonly workers: ReadonlyMap<string, OwnWorker>;
}

export interface Claimed {
  readonly shard: string;
  readonly epoch: number;
  /** This node has seen the owner end, so the lease need not be over. */
  readonly isOver: boolean;
}

export interface Decision {
  readonly take: readonly Claimed[];
  /** Their workers are overtaken or hang. */
  readonly kill: readonly string[];
  readonly giveUp: string | undefined;
}

/** The node that should take a shard has so long before the next one may. */
const turnMs = 500;
/**
 * A worker of this node that lets its lease run out is ended here after so long. Another node may take its shard long before; where
 * there is none, a machine that is only slow keeps its workers.
 */
const hungMs = 5_000;
/** A shard stays where it is for so long. */
const settledMs = 60_000;

export function decide(situation: Situation): Decision {
  const { nodes, self, shards, workers } = situation;
  const take: Claimed[] = [];
  const kill: string[] = [];
  const counts = new Map(nodes.map((node) => [node, 0]));
  const count = (node: string) => {
    const before = counts.get(node);
    if (before !== undefined) counts.set(node, before + 1);
  };
  const free: ShardSeen[] = [];
  const isStarting = [...workers.values()].some(({ state }) => state === 'starting');
  for (const seen of shards) {
    const { epoch, freeForMs, node, shard } = seen;
    const worker = workers.get(shard);
    if (worker?.state === 'over' && worker.epoch === epoch && node === self && counts.has(self)) {
      take.push({ shard, epoch, isOver: true });
      count(self);
    } else if (freeForMs === undefined) {
      count(node);
      if (worker !== undefined && isOvertaken(worker, seen, self)) kill.push(shard);
    } else {
      free.push(seen);
    }
  }
  for (const { epoch, freeForMs = 0, shard } of free) {
    const worker = workers.get(shard);
    if (worker?.state === 'starting') {
      count(self);
      continue;
    }
    const turns = turnsFor(shard, counts);
    const [first] = turns;
    if (first !== undefined) count(first);
    const isOurs = turns.slice(0, 1 + Math.floor(freeForMs / turnMs)).includes(self);
    // A busy node may only be slow to start its worker: everybody starting all shards would make it slower.
    const isHelp = first !== self && (take.length > 0 || isStarting);
    if (!isOurs || isHelp) continue;
    if (worker?.state === 'owner' && freeForMs >= hungMs) kill.push(shard);
    else if (worker === undefined || worker.state === 'over')
      take.push({ shard, epoch, isOver: false });
  }
  const isQuiet = free.length + take.length + kill.length === 0;
  return { take, kill, giveUp: isQuiet ? surplus(situation, counts) : undefined };
}

/** Somebody else has the shard. */
function isOvertaken(
  { epoch, state }: OwnWorker,
  { epoch: present, node }: ShardSeen,
  self: string,
): boolean {
  switch (state) {
    case 'starting':
      return present > epoch && node !== self;
    case 'owner':
    case 'stopping':
      return present > epoch;
    case 'over':
    case 'barred':
      return false;
  }
}

/** The nodes in the order in which they may take a shard: those with fewest first. */
function turnsFor(shard: string, counts: ReadonlyMap<string, number>): readonly string[] {
  const rank = (node: string) => hash('sha256', `${shard} ${node}`);
  const compare = ([a, of]: [string, number], [b, other]: [string, number]) =>
    of - other || (rank(a) < rank(b) ? -1 : 1);
  return [...counts].sort(compare).map(([node]) => node);
}

/** The node with most shards gives up the one that it has had longest. One moves at a time, so no two nodes do so at once. */
function surplus(
  { self, shards, workers }: Situation,
  counts: ReadonlyMap<string, number>,
): string | undefined {
  const [fewest = 0] = [...counts.values()].sort((a, b) => a - b);
  const most = Math.max(...counts.values());
  const own = counts.get(self) ?? 0;
  const richest = [...counts].filter(([, count]) => count === most).map(([node]) => node);
  if (own < fewest + 2 || own < most || richest.sort()[0] !== self) return undefined;
  if ([...workers.values()].some(({ state }) => state === 'stopping')) return undefined;
  const [oldest] = shards
    .filter(({ node, ownedForMs }) => node === self && ownedForMs >= settledMs)
    .sort((a, b) => b.ownedForMs - a.ownedForMs);
  return oldest?.shard;
}
