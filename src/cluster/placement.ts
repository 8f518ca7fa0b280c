/**
 * Records which shard has the data of each account and session: the account's journal and orders, and the sequence
 * numbers of its sessions. In another shard it would start without this data.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError } from '../gateway/config/config-file.ts';
import { placementFile } from '../gateway/data/data-lock.ts';
import {
  journalsElsewhere,
  movedText,
  noteShard,
  refuseUncopied,
} from '../gateway/data/shard-store.ts';
import { isThere, makePrivateDirectory } from '../runtime/directory.ts';
import { replaceFileSync } from '../runtime/replace-file.ts';
import type { DatabasePlace } from '../store/postgres/connection.ts';
import { isFree, listShards } from '../store/postgres/lease.ts';
import { type Place, placeAll, placedShards } from '../store/postgres/nodes.ts';
import type { Primary } from '../store/postgres/primary.ts';
import type { Shard } from './shards.ts';

/** The files of a single-process bridge in its directory, of this or an earlier version. */
const wholeStores = ['gateway-log', 'gateway.db'];

const shape = z.strictObject({
  accounts: z.record(z.string(), z.string()),
  sessions: z.record(z.string(), z.string()),
});

type Placement = z.output<typeof shape>;

interface ClusterData {
  readonly primary: Primary;
  readonly place: DatabasePlace;
  /** It has the journals of the shards before they were copied. */
  readonly directory: string;
}

/**
 * Records where the data of these shards is; returns other shards that have had accounts. Throws, and changes nothing,
 * if some of the data is elsewhere.
 */
export function keepPlacement(directory: string, shards: readonly Shard[]): readonly string[] {
  refuseWhole(directory);
  const file = join(directory, placementFile);
  const before = read(file);
  const after: Placement = {
    accounts: { ...before.accounts, ...placed(shards, 'accounts') },
    sessions: { ...before.sessions, ...placed(shards, 'sessions') },
  };
  const moved = (['accounts', 'sessions'] as const).flatMap((list) =>
    Object.entries(before[list])
      .filter(([name, shard]) => after[list][name] !== shard)
      .map(([name, shard]) => movedText(list.slice(0, -1), name, shard, after[list][name])),
  );
  refuse(moved);
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    makePrivateDirectory(directory);
    replaceFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
  }
  return othersOf(Object.values(after.accounts), shards);
}

/**
 * Does the same for shards in the database, and throws if the journal of a new shard is in a directory. `journals` has
 * the account alias of each journal. Leaves notes, so that no shard goes back to a directory that has an older journal.
 */
export async function keepPlacementInDatabase(
  { directory, place, primary }: ClusterData,
  shards: readonly Shard[],
  journals: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const pathOf = (shard: string) => join(directory, shard, 'gateway.db');
  const rows = await primary.ask(listShards);
  const isNew = ({ name }: Shard) => !rows.some(({ epoch, shard }) => shard === name && epoch > 0);
  for (const { name } of shards.filter(isNew))
    refuseUncopied(pathOf(name), name, ` --shard ${name}`);
  if (shards.every(isNew)) refuseWhole(directory);
  const places = shards.flatMap(({ accounts, name: shard, sessions }): Place[] => [
    ...accounts.map((name) => ({ kind: 'account', name, shard }) as const),
    ...sessions.map((name) => ({ kind: 'session', name, shard }) as const),
  ]);
  const expected = new Map(places.map(({ kind, name, shard }) => [`${kind} ${name}`, shard]));
  // A bridge that ran as one process has not recorded which shard it belongs to, but it has journals.
  refuse(await journalsElsewhere(primary, journals, (name) => expected.get(`account ${name}`)));
  const moved = await primary.ask((connection) => placeAll(connection, places));
  refuse(
    moved.map(({ kind, name, shard }) =>
      movedText(kind, name, shard, expected.get(`${kind} ${name}`)),
    ),
  );
  // The first worker of a new shard leaves its note: before that it would say that the database has lost the shard.
  for (const { name } of shards.filter((shard) => !isNew(shard))) {
    makePrivateDirectory(join(directory, name));
    await noteShard(pathOf(name), name, place);
  }
  // A node that still has the configuration of before may serve one.
  const isHeld = (name: string) => rows.some((row) => row.shard === name && !isFree(row));
  return othersOf(await primary.ask(placedShards), shards).filter((name) => !isHeld(name));
}

function othersOf(names: readonly string[], shards: readonly Shard[]): readonly string[] {
  return [...new Set(names)].filter((one) => !shards.some(({ name }) => name === one));
}

function refuseWhole(directory: string): void {
  const found = wholeStores.find((name) => isThere(join(directory, name)));
  if (found === undefined) return;
  throw new ConfigError(
    `${directory} has the data of a bridge that ran as one process (${found}): use causeway run, or another dataDir`,
  );
}

function refuse(moved: readonly string[]): void {
  if (moved.length === 0) return;
  const advice = 'name the shards in cluster.yaml so that each has the accounts that it had';
  throw new ConfigError(`data does not move between shards; ${advice}:`, moved);
}

function read(file: string): Placement {
  if (!isThere(file)) return { accounts: {}, sessions: {} };
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function placed(shards: readonly Shard[], list: 'accounts' | 'sessions'): Record<string, string> {
  return Object.fromEntries(shards.flatMap((one) => one[list].map((name) => [name, one.name])));
}
