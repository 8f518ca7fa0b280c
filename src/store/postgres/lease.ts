/**
 * Who owns which shard (docs/decisions/0280-shards-nodes-and-postgresql.md). The lease decides only who tries to take over: an
 * owner that was overtaken cannot commit, whatever a clock says. All times are the database's.
 */
import type { Connection } from './connection.ts';

/** An owner that has not renewed for so long may be replaced. */
export const leaseMs = 1_500;

export interface Owner {
  readonly node: string;
  /** Where other nodes reach it; empty for a bridge that is alone. */
  readonly address: string;
}

/** How a shard becomes an owner's. */
export interface Claim {
  readonly owner: Owner;
  /** The epoch that is replaced: somebody else may be faster. Undefined replaces whichever there is, whatever its lease. */
  readonly seenEpoch?: number | undefined;
  /** The owner before has ended for certain, so its lease need not be over. */
  readonly isOver?: boolean | undefined;
  /** Told the new epoch. */
  readonly onTaken?: ((epoch: number) => void) | undefined;
}

export interface ShardRow extends Owner {
  readonly shard: string;
  /** 0 for a shard that nobody has owned yet. */
  readonly epoch: number;
  readonly position: number;
  readonly isReleased: boolean;
  /** Since the owner committed or renewed. */
  readonly ageMs: number;
  /** When that was. Only whether it changes has a meaning. */
  readonly renewedAt: string;
  /** Since the shard has its owner. */
  readonly takenMs: number;
}

/** Where the shard's commits end. */
export interface Taken {
  readonly epoch: number;
  readonly position: number;
  readonly digest: Buffer;
}

export interface Renewed extends Omit<Taken, 'epoch'> {
  /** Commits wait for a standby. */
  readonly isReplicated: boolean;
}

/** Whether the owner has ended, or has not been heard of for a lease. An age below zero is of another server's clock. */
export function isFree({ isReleased, ageMs }: Pick<ShardRow, 'isReleased' | 'ageMs'>): boolean {
  return isReleased || Math.abs(ageMs) > leaseMs;
}

export async function listShards(connection: Connection): Promise<readonly ShardRow[]> {
  const rows = await connection.query<ShardRow>({
    name: 'shards',
    text: `select shard, epoch, position, node, address, is_released as "isReleased",
                  renewed_at::text as "renewedAt",
                  extract(epoch from clock_timestamp() - renewed_at)::float8 * 1000 as "ageMs",
                  extract(epoch from clock_timestamp() - taken_at)::float8 * 1000 as "takenMs"
             from causeway.shards order by shard`,
  });
  return rows.map((row) => ({
    ...row,
    epoch: Number(row.epoch),
    position: Number(row.position),
  }));
}

/** A shard that nobody has owned has epoch 0. Undefined if it has another epoch now, or an owner with a valid lease. */
export async function takeShard(
  connection: Connection,
  shard: string,
  seenEpoch: number,
  { node, address }: Owner,
  isForced = false,
): Promise<Taken | undefined> {
  // Every age is longer than a lease below zero.
  const lease = `${isForced ? -1 : leaseMs} milliseconds`;
  const [row] = await connection.query<Taken>({
    text: 'select * from causeway.take($1, $2, $3, $4, $5)',
    values: [shard, seenEpoch, lease, node, address],
  });
  return row && { ...row, epoch: Number(row.epoch), position: Number(row.position) };
}

/** Undefined if the shard has another owner. */
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
  return row && { ...row, position: Number(row.position) };
}

/** Another owner need not wait for the lease. */
export async function releaseShard(
  connection: Connection,
  shard: string,
  epoch: number,
): Promise<void> {
  const text = 'select causeway.release($1, $2)';
  await connection.query({ text, values: [shard, epoch] });
}
