/**
 * Which shards a node takes, gives up, or finds taken from it (docs/decisions/0287-nodes-own-shards-by-leases.md, "Who
 * takes what"). It is a pure function of the node's last read. Two nodes with different reads may both want a shard;
 * then the database grants it to one of them.
 */
import { hash } from 'node:crypto';

export interface ShardSeen {
  readonly shard: string;
  readonly epoch: number;
  /** The node of the current or last owner; empty if there was none. */
  readonly node: string;
  /** The time since which this node has seen it free; undefined while it has an owner. */
  readonly freeForMs: number | undefined;
  /** The owner has exited, so its lease need not be over. */
  readonly isOver: boolean;
  /** How long its owner has had it. */
  readonly ownedForMs: number;
}

/** A worker of this node for a shard. */
export interface OwnWorker {
  /**
   * `starting`: has not taken the shard. `over`: exited by itself. `failed`: like `over`, but before it served.
   * `barred`: like both, and may not restart yet.
   */
  readonly state: 'starting' | 'owner' | 'stopping' | 'over' | 'failed' | 'barred';
  /** The worker's own epoch, or, while it is starting, the epoch that it replaces. */
  readonly epoch: number;
  /** How long its signer has been away. */
  readonly signerAwayMs?: number;
}

export interface Situation {
  readonly self: string;
  /** Nodes that are alive and not draining, possibly without this one. */
  readonly nodes: readonly string[];
  readonly shards: readonly ShardSeen[];
  readonly workers: ReadonlyMap<string, OwnWorker>;
  /** Loaded workers of this node without a shard. */
  readonly spares: number;
  /** Whether one of them has read the shard. */
  readonly hasRead?: (shard: string) => boolean;
}

export type Claimed = Pick<ShardSeen, 'shard' | 'epoch' | 'isOver'>;

export interface Decision {
  readonly take: readonly Claimed[];
  /** Shards whose workers have been replaced elsewhere, or hang. */
  readonly kill: readonly string[];
  readonly giveUp: Offer | undefined;
}

/** A shard that another node may have. */
export interface Offer {
  readonly shard: string;
  readonly to: readonly string[];
  readonly why: 'fewer_shards' | 'signer_away';
}

/** The node that should take a shard has this much time before the next node may take it. */
const turnMs = 1_000;
/** A node without a spare leaves the shard to those that have one for so many turns. */
const turnsToLoad = 2;
/**
 * How long after the expiry of its lease a worker of this node is killed. Another node may take its shard much earlier.
 * Without another node, a machine that is merely slow keeps its workers.
 */
const hungMs = 5_000;
/** A node that took a shard this recently may not have loaded another spare. */
const loadingMs = 10_000;
/** A shard does not move again within this time. */
const settledMs = 60_000;
/** A signer that is only restarted is back sooner. */
const signerLostMs = 5_000;

export function decide(situation: Situation): Decision {
  const { hasRead, nodes, self, shards, spares, workers } = situation;
  const take: Claimed[] = [];
  const kill: string[] = [];
  const counts = new Map(nodes.map((node) => [node, 0]));
  const count = (node: string) => {
    const before = counts.get(node);
    if (before !== undefined) counts.set(node, before + 1);
  };
  const given = new Map<string, number>();
  const give = (node: string) => given.set(node, (given.get(node) ?? 0) + 1);
  const free: ShardSeen[] = [];
  const isAlone = counts.size === 1;
  const mayResume = ({ state }: OwnWorker) => state === 'over' || (state === 'failed' && isAlone);
  const isStarting = [...workers.values()].some(({ state }) => state === 'starting');
  for (const seen of shards) {
    const { epoch, freeForMs, node, ownedForMs, shard } = seen;
    const worker = workers.get(shard);
    if (freeForMs === undefined && ownedForMs < loadingMs) give(node);
    const isOwn = worker?.epoch === epoch && node === self && counts.has(self);
    if (isOwn && mayResume(worker)) {
      take.push({ shard, epoch, isOver: true });
      count(self);
    } else if (freeForMs === undefined) {
      count(node);
      if (worker !== undefined && isOvertaken(worker, seen, self)) kill.push(shard);
    } else {
      free.push(seen);
    }
  }
  for (const { epoch, freeForMs = 0, isOver, shard } of free) {
    const worker = workers.get(shard);
    const turns = turnsFor(shard, counts, given);
    // A node that read the shard at its owner's request takes it: those whose turn is earlier may not be ready.
    const isPrepared = hasRead?.(shard) === true;
    const first = worker?.state === 'starting' || isPrepared ? self : turns[0];
    if (first !== undefined) {
      count(first);
      give(first);
    }
    if (worker?.state === 'starting') continue;
    // What a worker lacked that died before it served, other nodes may have.
    const isLast = worker?.state === 'failed' && !isAlone;
    const place = isLast ? turns.length : isPrepared ? 0 : turns.indexOf(self);
    const toLoad = isAlone || (spares > take.length && !isLast) ? 0 : turnsToLoad;
    const isOurs = counts.has(self) && freeForMs >= (place + toLoad) * turnMs;
    // A busy node may only be slow to start its worker. If every node started all shards, it would become slower still.
    const isHelp = first !== self && (take.length > 0 || isStarting);
    if (!isOurs || isHelp) continue;
    if (worker?.state === 'owner' && freeForMs >= hungMs) kill.push(shard);
    else if (worker === undefined || mayResume(worker) || isLast)
      take.push({ shard, epoch, isOver });
  }
  const isQuiet = free.length + take.length + kill.length === 0;
  const giveUp = isQuiet ? (unsigned(situation) ?? surplus(situation, counts)) : undefined;
  return { take, kill, giveUp };
}

/** Returns the shards of these that the node would take if they were free and each node had a spare for every one. */
export function takenIfFree(
  free: readonly string[],
  seen: readonly ShardSeen[],
  self: string,
  nodes: readonly string[],
): readonly string[] {
  const shards = seen.map((one) => (free.includes(one.shard) ? { ...one, freeForMs: 0 } : one));
  const { take } = decide({ self, nodes, shards, spares: shards.length, workers: new Map() });
  return take.map(({ shard }) => shard).filter((shard) => free.includes(shard));
}

/** Returns the nodes in the order in which they would take the shard if it were free and each had a spare for it. */
export function heirsOf(
  shard: string,
  seen: readonly ShardSeen[],
  nodes: readonly string[],
): readonly string[] {
  const first = nodes.find((node) => takenIfFree([shard], seen, node, nodes).length > 0);
  if (first === undefined) return [];
  const others = nodes.filter((node) => node !== first);
  return [first, ...heirsOf(shard, seen, others)];
}

/** Whether another process owns the shard. */
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
    case 'failed':
    case 'barred':
      return false;
  }
}

/**
 * The nodes in the order in which they may take a shard. Those that were given the fewest of the free shards, or took
 * the fewest in the last seconds, come first, because each has a spare for one, and among them those that have the
 * fewest shards.
 */
function turnsFor(
  shard: string,
  counts: ReadonlyMap<string, number>,
  given: ReadonlyMap<string, number>,
): readonly string[] {
  const rank = (node: string) => hash('sha256', `${shard} ${node}`);
  const compare = ([a, of]: [string, number], [b, other]: [string, number]) =>
    (given.get(a) ?? 0) - (given.get(b) ?? 0) || of - other || (rank(a) < rank(b) ? -1 : 1);
  return [...counts].sort(compare).map(([node]) => node);
}

/**
 * The node with the most shards gives up the one that it has had longest, to a node that has two fewer. Only one shard
 * moves at a time.
 */
function surplus(
  { self, shards, workers }: Situation,
  counts: ReadonlyMap<string, number>,
): Offer | undefined {
  const most = Math.max(...counts.values());
  const own = counts.get(self) ?? 0;
  const richest = [...counts].filter(([, count]) => count === most).map(([node]) => node);
  const to = [...counts].filter(([, count]) => count + 2 <= own).map(([node]) => node);
  if (to.length === 0 || own < most || richest.sort()[0] !== self) return undefined;
  if ([...workers.values()].some(({ state }) => state === 'stopping')) return undefined;
  const [oldest] = settledOf(self, shards).toSorted((a, b) => b.ownedForMs - a.ownedForMs);
  return oldest && { shard: oldest.shard, to, why: 'fewer_shards' };
}

/** Orders of a shard without its signer are refused. Another node may reach that signer, or another one. */
function unsigned({ nodes, self, shards, workers }: Situation): Offer | undefined {
  const lost = settledOf(self, shards).find(({ shard }) => {
    const { signerAwayMs = 0, state } = workers.get(shard) ?? {};
    return state === 'owner' && signerAwayMs >= signerLostMs;
  });
  const to = nodes.filter((node) => node !== self);
  if (lost === undefined || to.length === 0) return undefined;
  return { shard: lost.shard, to, why: 'signer_away' };
}

function settledOf(self: string, shards: readonly ShardSeen[]): readonly ShardSeen[] {
  return shards.filter(({ node, ownedForMs }) => node === self && ownedForMs >= settledMs);
}
