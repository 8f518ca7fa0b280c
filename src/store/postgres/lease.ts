/**
 * Who owns which shard (docs/decisions/0280-shards-nodes-and-postgresql.md). The lease decides only who tries to take over: an
 * owner that was overtaken cannot commit, whatever a clock says. All times are the database's.
 */
import { OneAtATime } from '../../runtime/one-at-a-time.ts';
import { type Connection, connectToPrimary, type DatabasePlace, within } from './connection.ts';

/** An owner that has not renewed for so long may be replaced. */
export const leaseMs = 1_500;
/** How long an answer about leases may take. */
const answerMs = 2_000;

export interface Owner {
  readonly node: string;
  /** Where its worker listens, for the front doors; empty for a bridge that is alone. */
  readonly address: string;
}

export interface ShardRow extends Owner {
  readonly shard: string;
  /** 0 for a shard that nobody has owned yet. */
  readonly epoch: number;
  readonly position: number;
  readonly isReleased: boolean;
  /** Since the owner committed or renewed. */
  readonly ageMs: number;
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
                  extract(epoch from clock_timestamp() - renewed_at)::float8 * 1000 as "ageMs"
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

/** The shards as the primary has them, for whoever owns none of them: a node, a standby. */
export class ShardTable {
  readonly #place: DatabasePlace;
  readonly #oneAtATime = new OneAtATime();
  #connection: Connection | undefined;

  constructor(place: DatabasePlace) {
    this.#place = place;
  }

  /** Throws `ConnectionLost` where no primary answers in time; the next call connects again. */
  list(): Promise<readonly ShardRow[]> {
    return this.#oneAtATime.run(async () => {
      this.#connection ??= await connectToPrimary(this.#place, 'process');
      const connection = this.#connection;
      connection.whenLost(() => {
        if (this.#connection === connection) this.#connection = undefined;
      });
      return await within(connection, answerMs, listShards(connection));
    });
  }

  async close(): Promise<void> {
    await this.#connection?.close();
    this.#connection = undefined;
  }
}
