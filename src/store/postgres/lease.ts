/**
 * Ownership of shards (docs/decisions/0280-shards-nodes-and-postgresql.md). The lease only decides which process tries
 * to take over: an owner that was replaced cannot commit, whatever any clock shows. All times are the database's.
 */
import type { Connection } from './connection.ts';

/** An owner that has not renewed for this long may be replaced. */
export const leaseMs = 1_500;

export interface Owner {
  readonly node: string;
  /** The address for other nodes; empty for a single bridge. */
  readonly address: string;
}

export interface ShardConnections {
  readonly commits: Connection;
  readonly reads: Connection;
}

/** How a process takes a shard. */
export interface Claim {
  readonly owner: Owner;
  /** The epoch to replace, because another process may be faster. If undefined, any epoch and lease is replaced. */
  readonly seenEpoch?: number | undefined;
  /** The previous owner is known to have exited, so its lease need not have expired. */
  readonly isOver?: boolean | undefined;
  /** Connections that are already open: one for commits, with which the shard is taken, and one for reads. */
  readonly connections?: ShardConnections | undefined;
  /** Called with the new epoch. */
  readonly onTaken?: ((epoch: number) => void) | undefined;
}

export interface ShardRow extends Owner {
  readonly shard: string;
  /** 0 for a shard that never had an owner. */
  readonly epoch: number;
  readonly position: number;
  readonly isReleased: boolean;
  /** Time since the owner last committed or renewed. */
  readonly ageMs: number;
  /** The time of the last renewal. Only changes of it are meaningful. */
  readonly renewedAt: string;
  /** Time since the current owner took the shard. */
  readonly takenMs: number;
  /** The owner's connection is open. It can be seen only by the owner's role, or with pg_read_all_stats. */
  readonly isConnected: boolean;
  /** The owner's connection waits in the database: for a standby to confirm, for the disk, or for a lock. */
  readonly isWaiting: boolean;
}

/** The position of the shard's last commit. */
export interface Taken {
  readonly epoch: number;
  readonly position: number;
  readonly digest: Buffer;
}

export interface Renewed extends Omit<Taken, 'epoch'> {
  /** Whether commits wait for a standby. */
  readonly isReplicated: boolean;
}

/** Whether the owner has exited or has not renewed for a lease. A negative age comes from another server's clock. */
export function isFree({ isReleased, ageMs }: Pick<ShardRow, 'isReleased' | 'ageMs'>): boolean {
  return isReleased || Math.abs(ageMs) > leaseMs;
}

/** Whether the database has lost commits since the shard had come this far. */
export function hasGoneBack(
  before: Pick<ShardRow, 'epoch' | 'position'>,
  now: Pick<ShardRow, 'epoch' | 'position'>,
): boolean {
  return now.epoch < before.epoch || now.position < before.position;
}

export function listShards(connection: Connection): Promise<readonly ShardRow[]> {
  return connection.query<ShardRow>({
    name: 'shards',
    text: `select shard, epoch, position, node, address, is_released as "isReleased",
                  renewed_at::text as "renewedAt",
                  extract(epoch from clock_timestamp() - renewed_at)::float8 * 1000 as "ageMs",
                  extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as "takenMs",
                  "isConnected", "isWaiting"
             from causeway.shards, lateral (
                    select count(*) > 0 as "isConnected",
                           coalesce(bool_or(wait_event_type <> 'Client'), false) as "isWaiting"
                      from pg_stat_activity
                     where application_name = 'causeway ' || shard || ' ' || epoch) as connection
            order by shard`,
  });
}

/** A new shard has epoch 0. Returns undefined if the epoch has changed, or the owner's lease is valid. */
export async function takeShard(
  connection: Connection,
  shard: string,
  seenEpoch: number,
  { node, address }: Owner,
  isForced = false,
): Promise<Taken | undefined> {
  // Every age is greater than a lease of -1.
  const lease = `${isForced ? -1 : leaseMs} milliseconds`;
  const [row] = await connection.query<Taken>({
    text: 'select * from causeway.take($1, $2, $3, $4, $5)',
    values: [shard, seenEpoch, lease, node, address],
  });
  return row;
}

/** Returns undefined if the shard has another owner. */
export async function renewShard(
  connection: Connection,
  shard: string,
  epoch: number,
): Promise<Renewed | undefined> {
  const [row] = await connection.query<Renewed>({
    name: 'renew',
    text: 'select position, digest, is_replicated as "isReplicated" from causeway.renew($1, $2)',
    values: [shard, epoch],
  });
  return row;
}

/** Marks the connection as the owner's: while it is open, nobody takes the owner for dead before its lease is over. */
export async function markOwner(
  connection: Connection,
  shard: string,
  epoch: number,
): Promise<void> {
  const text = `select set_config('application_name', $1, false)`;
  await connection.query({ text, values: [`causeway ${shard} ${epoch}`] });
}

/** Lets another owner take the shard without waiting for the lease. */
export async function releaseShard(
  connection: Connection,
  shard: string,
  epoch: number,
): Promise<void> {
  const text = 'select causeway.release($1, $2)';
  await connection.query({ text, values: [shard, epoch] });
}
