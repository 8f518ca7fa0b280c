/** The acts that all shards carry out, and what each shard has recorded about them (database/0003-acts.sql). */
import type { Connection } from './connection.ts';

interface ActNumbers {
  readonly id: number;
  readonly atMs: number;
}

export interface ActRow extends ActNumbers {
  /** The JSON value, as it was added. */
  readonly act: unknown;
}

/** Adds the act only once, however often it is sent with the same `uid`. */
export async function addAct(
  connection: Connection,
  uid: string,
  act: unknown,
): Promise<ActNumbers> {
  const [numbers] = await connection.query<ActNumbers>({
    text: 'select id, at_ms as "atMs" from causeway.add_act($1, $2)',
    values: [uid, JSON.stringify(act)],
  });
  return numbers as ActNumbers;
}

/** Returns the acts after this number, in order. */
export function actsAfter(connection: Connection, id: number): Promise<readonly ActRow[]> {
  return connection.query<ActRow>({
    name: 'acts',
    text: 'select id, at_ms as "atMs", act from causeway.acts where id > $1 order by id',
    values: [id],
  });
}

export interface ShardRecord {
  readonly shard: string;
  readonly payload: Uint8Array;
}

/** Returns the last records of this stream for each shard. */
export function lastRecords(
  connection: Connection,
  stream: string,
  limit: number,
): Promise<readonly ShardRecord[]> {
  return connection.query<ShardRecord>({
    name: 'last-records',
    text: `select s.shard, r.payload from causeway.shards s
            cross join lateral (select l.position, l.payload from causeway.records l
                                 where l.shard = s.shard and l.stream = $1
                                 order by l.position desc limit $2) r
            order by s.shard, r.position`,
    values: [stream, limit],
  });
}
