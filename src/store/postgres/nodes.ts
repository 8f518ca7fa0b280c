/**
 * The registry of the cluster's nodes, and the placement of accounts and sessions
 * (docs/decisions/0287-nodes-own-shards-by-leases.md).
 */
import type { Connection } from './connection.ts';
import { leaseMs, listShards, type ShardRow } from './lease.ts';

export interface Announcement {
  readonly node: string;
  /** Differs for each process. */
  readonly instance: string;
  /** The addresses for other nodes and for the clients of each protocol, as HOST:PORT; empty if there is none. */
  readonly relay: string;
  readonly fix: string;
  readonly fixp: string;
  readonly version: string;
  readonly isDraining: boolean;
  /** The shards whose workers take clients. A shard can be owned before it is served. */
  readonly serving: readonly string[];
}

export interface NodeRow extends Announcement {
  /** The age of its last announcement, by the clock of the database. */
  readonly ageMs: number;
  /** The time of the announcement. Only changes of it are meaningful. */
  readonly renewedAt: string;
}

export interface ClusterRows {
  readonly nodes: readonly NodeRow[];
  readonly shards: readonly ShardRow[];
}

/** Another process uses the name of this node. */
export class NameTaken extends Error {}

/** Writes this node's row and reads all rows, in one round trip. */
export async function announce(connection: Connection, own: Announcement): Promise<ClusterRows> {
  const { fix, fixp, instance, isDraining, node, relay, serving, version } = own;
  const lease = `${leaseMs} milliseconds`;
  const announced = connection.query<{ isOurs: boolean }>({
    name: 'announce',
    text: 'select causeway.announce($1, $2, $3, $4, $5, $6, $7, $8, $9) as "isOurs"',
    values: [node, instance, relay, fix, fixp, version, isDraining, serving, lease],
  });
  const [[row], nodes, shards] = await Promise.all([
    announced,
    listNodes(connection),
    listShards(connection),
  ]);
  if (row?.isOurs !== true) throw new NameTaken(`another process runs as node ${node}`);
  return { nodes, shards };
}

/** Returns all nodes by name, alive or not. */
export function listNodes(connection: Connection): Promise<readonly NodeRow[]> {
  return connection.query<NodeRow>({
    name: 'nodes',
    text: `select node, instance, relay, fix, fixp, version, is_draining as "isDraining", serving,
                  renewed_at::text as "renewedAt",
                  extract(epoch from clock_timestamp() - renewed_at)::float8 * 1000 as "ageMs"
             from causeway.nodes order by node`,
  });
}

/** Removes this node's row at its exit, so that other nodes need not wait until it counts as dead. */
export async function leaveCluster(
  connection: Connection,
  { instance, node }: Pick<Announcement, 'instance' | 'node'>,
): Promise<void> {
  await connection.query({ text: 'select causeway.leave($1, $2)', values: [node, instance] });
}

/** Removes a node permanently, unless it announces itself again. A node that is alive is not removed. */
export async function removeNode(
  connection: Connection,
  name: string,
): Promise<'removed' | 'unknown' | 'alive'> {
  const row = (await listNodes(connection)).find(({ node }) => node === name);
  if (row === undefined) return 'unknown';
  if (row.ageMs <= leaseMs) return 'alive';
  await leaveCluster(connection, row);
  return 'removed';
}

export interface Place {
  readonly kind: 'account' | 'session';
  readonly name: string;
  readonly shard: string;
}

/** Returns those that already belong to another shard; if there are any, nothing is placed. */
export function placeAll(
  connection: Connection,
  places: readonly Place[],
): Promise<readonly Place[]> {
  const column = (of: (place: Place) => string) => places.map(of);
  return connection.query<Place>({
    text: 'select * from causeway.place($1, $2, $3)',
    values: [column(({ kind }) => kind), column(({ name }) => name), column(({ shard }) => shard)],
  });
}

/** Returns where the cluster of this database has placed these accounts and sessions. */
export function placesOf(
  connection: Connection,
  accounts: readonly string[],
  sessions: readonly string[],
): Promise<readonly Place[]> {
  return connection.query<Place>({
    text: `select kind, name, shard from causeway.placement
            where name = any(case kind when 'account' then $1::text[] else $2::text[] end) order by kind, name`,
    values: [accounts, sessions],
  });
}

/** Returns the shards in which the cluster of this database has ever placed an account. */
export async function placedShards(connection: Connection): Promise<readonly string[]> {
  const rows = await connection.query<{ shard: string }>({
    text: `select distinct shard from causeway.placement where kind = 'account' order by shard`,
  });
  return rows.map(({ shard }) => shard);
}

/** Returns the shards that have one of these streams, with its name. */
export function shardsOfStreams(
  connection: Connection,
  streams: readonly string[],
): Promise<readonly { readonly shard: string; readonly stream: string }[]> {
  return connection.query({
    text: 'select shard, stream from causeway.streams where stream = any($1) order by shard, stream',
    values: [streams],
  });
}
