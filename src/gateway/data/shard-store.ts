/** Opens the shard of this process in the configured database, once no other process owns it. */
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Account } from '../../domain/units.ts';
import { journalStream } from '../../engine/journal.ts';
import { type Clock, pause, systemClock } from '../../runtime/clock.ts';
import type { OperatorLines } from '../../runtime/operator-line.ts';
import { FileFaults } from '../../runtime/yaml.ts';
import { realDisk } from '../../store/log/disk.ts';
import { logFolder } from '../../store/log/log-store.ts';
import { hasSegments } from '../../store/log/owner.ts';
import { goneFrom, isNoted, leaveNote } from '../../store/note.ts';
import { ConnectionLost, type DatabasePlace } from '../../store/postgres/connection.ts';
import { inspectDatabase } from '../../store/postgres/inspect.ts';
import {
  type Claim,
  hasGoneBack,
  leaseMs,
  listShards,
  type ShardRow,
} from '../../store/postgres/lease.ts';
import { Liveness, quietShardMs } from '../../store/postgres/liveness.ts';
import { placesOf, shardsOfStreams } from '../../store/postgres/nodes.ts';
import { placeOf } from '../../store/postgres/place-config.ts';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import { Primary } from '../../store/postgres/primary.ts';
import {
  CommitsForgotten,
  type Durability,
  PositionConflict,
  type Store,
  StoreInDoubt,
} from '../../store/store.ts';
import type { Config } from '../config/config.ts';
import { ConfigError, type LoadedConfig } from '../config/config-file.ts';
import { DataHeld } from './data-lock.ts';

export interface ShardOptions extends OperatorLines {
  readonly loaded: LoadedConfig;
  readonly clock?: Clock | undefined;
  /** Memory and disk no longer agree, because a commit failed or a transaction threw: the process must exit. */
  readonly fatal: (error: unknown) => void;
  /** The claim of a worker whose node has inspected the database and seen that the shard is free. */
  readonly claim?: Claim | undefined;
  /** The connections on which the shard was read ahead. */
  readonly ahead?: Pick<Claim, 'connections'> | undefined;
  /** Takes the shard even if another process owns it. */
  readonly isForced?: boolean | undefined;
  /** Called when the shard may be taken. If it throws, the shard is not taken. */
  readonly beforeTaking?: (() => Promise<unknown>) | undefined;
  /** The epoch of the owner that a standby has seen to be over. If it cannot take the shard, it waits again. */
  readonly seenEpoch?: number | undefined;
}

type FreeOptions = Pick<ShardOptions, 'clock'> & { withinMs?: number };

export interface WaitOptions extends OperatorLines {
  /** False if the caller has a fallback, such as the previous configuration. */
  readonly mayWait: boolean;
  readonly signal?: AbortSignal;
}

/** How long the previous process may take to exit, or its lease to expire. */
const patienceMs = 2 * leaseMs;
const lookMs = 100;
const againMs = 500;

/** What `causeway check` and a start report about the configured database. */
export async function inspectedDatabase({ config }: LoadedConfig, place: DatabasePlace) {
  const isStrict = config.environment === 'mainnet';
  return inspectDatabase(place, { durability: durabilityOf(config), isStrict });
}

export async function openShardStore(place: DatabasePlace, options: ShardOptions): Promise<Store> {
  const { clock, loaded, notice } = options;
  const shard = shardOf(loaded.config);
  for (let { seenEpoch } = options; ; seenEpoch = await freeShard(place, shard, { clock })) {
    try {
      const store = await takeAndOpen(place, shard, { ...options, seenEpoch });
      await noteShard(storePath(loaded), shard, place);
      return store;
    } catch (error) {
      const isPassing = error instanceof PositionConflict || error instanceof ConnectionLost;
      if (seenEpoch === undefined || !isPassing) throw error;
      const text = `standing by for shard ${shard} again, which could not be taken`;
      notice(`${text}: ${error.message}`, { event: 'standing_by' });
    }
  }
}

/** A start does not fail because the note cannot be written: the next one writes it. */
export function noteShard(path: string, shard: string, place: DatabasePlace): Promise<void> {
  return leaveNote(path, placeText(shard, place), realDisk).catch(() => {});
}

const placeText = (shard: string, { database }: DatabasePlace) =>
  `shard ${shard} of database ${database}`;

async function takeAndOpen(place: DatabasePlace, shard: string, options: ShardOptions) {
  const { alarm, clock = systemClock, notice, fatal } = options;
  const { config } = options.loaded;
  const claim = options.claim ?? (await claimOf(place, shard, options));
  if (claim.seenEpoch === 0) refuseNew(storePath(options.loaded), shard, place);
  const beforeMs = clock.now().monoMs;
  await options.beforeTaking?.();
  // Meanwhile an owner that seemed dead may have come back, and the lease of a dead one has expired.
  const isLate = clock.now().monoMs - beforeMs >= leaseMs;
  const durability = durabilityOf(config);
  return openPostgresStore({
    place,
    shard,
    durability,
    ...claim,
    isOver: claim.isOver === true && !isLate,
    connections: options.ahead?.connections,
    needsStandby: durability === 'replicated' && config.environment === 'mainnet',
    maxBytes: config.maxDataBytes,
    onAway: (problem) =>
      problem === undefined
        ? notice('the database commits again', { event: 'database_back' })
        : alarm(`the database does not commit: ${problem}`, { event: 'database_away' }),
    onReplicated: (isReplicated) =>
      isReplicated
        ? notice('commits wait for a standby again', { event: 'standby_back' })
        : alarm('commits wait for no standby, so a failover can lose them', {
            event: 'standby_lost',
          }),
    onFailed: fatal,
  });
}

/** Inspects the database, and waits until the shard is free. */
async function claimOf(place: DatabasePlace, shard: string, options: ShardOptions): Promise<Claim> {
  const { alarm, clock, isForced, loaded, notice, seenEpoch } = options;
  await requireDatabase(loaded, place, { alarm, notice, mayWait: true });
  await refuseOtherShards(loaded, place, shard);
  const owner = { node: hostname(), address: '' };
  if (isForced === true && (await hasHadOwner(place, shard))) return { owner };
  const epoch = seenEpoch ?? (await freeShard(place, shard, { clock, withinMs: patienceMs }));
  return { owner, seenEpoch: epoch };
}

async function hasHadOwner(place: DatabasePlace, shard: string): Promise<boolean> {
  await using primary = new Primary({ place });
  return (await primary.ask(listShards)).some((row) => row.shard === shard);
}

/** Throws if the shard has had no owner in this database, and a process that started here before had its store. */
function refuseNew(path: string, shard: string, place: DatabasePlace): void {
  refuseUncopied(path, shard);
  const where = placeText(shard, place);
  if (isNoted(path, where, realDisk)) throw goneFrom(path, where, 'has nothing of it');
}

/** Throws if a journal is still at this path: the shard has had no owner, so it would begin as new. */
export function refuseUncopied(path: string, shard: string, option = ''): void {
  const folder = logFolder(path);
  if (!hasSegments(realDisk, folder)) return;
  throw new StoreInDoubt(
    `${folder} is a store, and the database has nothing of shard ${shard}: run "causeway store copy ${dirname(folder)} FILE${option}", or move the folder away`,
  );
}

/** Throws if another shard has the journal or the sequence numbers of something that would start here without them. */
async function refuseOtherShards(
  { config }: LoadedConfig,
  place: DatabasePlace,
  shard: string,
): Promise<void> {
  // A relay only reads accounts of other processes.
  if (!config.roles.includes('order-entry')) return;
  await using primary = new Primary({ place });
  const accounts = config.accounts.map(({ name }) => name);
  const sessions = config.sessions.map(({ senderCompId }) => senderCompId);
  const places = await primary.ask((connection) => placesOf(connection, accounts, sessions));
  const moved = places
    .filter((one) => one.shard !== shard)
    .map(({ kind, name, shard: before }) => movedText(kind, name, before, shard));
  const texts = [...moved, ...(await journalsElsewhere(primary, journalsOf(config), () => shard))];
  if (texts.length === 0) return;
  const heading =
    'the database has these data in other shards: run a cluster with causeway node, or name the shard in store.postgres.shard:';
  throw new ConfigError(heading, [...new Set(texts)]);
}

/** Returns the accounts, by the names of their journals, that have a journal in a shard other than `shardOf` gives. */
export async function journalsElsewhere(
  primary: Primary,
  journals: ReadonlyMap<string, string>,
  shardOf: (account: string) => string | undefined,
): Promise<readonly string[]> {
  const found = await primary.ask((connection) =>
    shardsOfStreams(connection, [...journals.keys()]),
  );
  return found.flatMap(({ shard, stream }) => {
    const name = journals.get(stream) ?? '';
    const now = shardOf(name);
    return now === shard ? [] : [movedText('account', name, shard, now)];
  });
}

export function movedText(kind: string, name: string, before: string, now = 'no shard'): string {
  return `${kind} ${name} has its data in shard ${before} and is now in ${now}`;
}

/**
 * Throws if the database is not in the required state. Waits while the database is temporarily unusable: after a power
 * loss a bridge may start before its database, and nobody would start it again. `then` needs the database directly
 * afterwards; a primary that has just been promoted may not commit yet, so `then` is retried as well.
 */
export async function requireDatabase(
  loaded: LoadedConfig,
  place: DatabasePlace,
  { alarm, mayWait, notice, signal }: WaitOptions,
  then: () => Promise<void> = async () => {},
): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { faults, mayPass, warnings } = await inspectedDatabase(loaded, place);
    if (faults.length > 0 && !(mayPass && mayWait))
      throw new FileFaults('the database is not ready:', faults);
    const lost = (error: Error) => {
      if (error instanceof ConnectionLost && mayWait) return error.message;
      throw error;
    };
    const problem = faults.length > 0 ? faults.join('; ') : await then().catch(lost);
    if (problem === undefined) {
      if (attempt > 0) notice('the database can be used', { event: 'database_back' });
      for (const warning of warnings) notice(warning, { event: 'config_warning' });
      return;
    }
    signal?.throwIfAborted();
    if (attempt === 0) alarm(`waits for the database: ${problem}`, { event: 'database_away' });
    await new Promise((resolve) => setTimeout(resolve, againMs));
  }
}

/**
 * Returns the epoch of the previous owner, once that is over. Throws `DataHeld` if another process keeps the shard for
 * too long, and `CommitsForgotten` if the database goes back in the meantime.
 */
export async function freeShard(
  place: DatabasePlace,
  shard: string,
  { clock = systemClock, withinMs = Number.POSITIVE_INFINITY }: FreeOptions = {},
): Promise<number> {
  await using primary = new Primary({ place });
  const life = new Liveness(leaseMs, quietShardMs);
  const deadlineMs = clock.now().monoMs + withinMs;
  let before: ShardRow | undefined;
  for (;;) {
    // A standby also waits for a database that is failing over.
    const rows = await primary.ask(listShards).catch((error) => {
      if (clock.now().monoMs > deadlineMs) throw error;
      life.reset();
    });
    const { monoMs } = clock.now();
    const row = rows?.find((each) => each.shard === shard);
    if (rows !== undefined) refuseEarlier(shard, before, row);
    before = row ?? before;
    const isSilent = row !== undefined && life.over(new Map([[shard, row]]), monoMs).size > 0;
    const isOver = rows !== undefined && (row === undefined || row.isReleased || isSilent);
    if (isOver) return row?.epoch ?? 0;
    if (monoMs >= deadlineMs)
      throw new DataHeld(
        `shard ${shard} of the database is held by a process of ${row?.node ?? 'a node'}`,
      );
    await pause(clock, lookMs);
  }
}

function refuseEarlier(shard: string, before?: ShardRow, now?: ShardRow): void {
  const { epoch = 0, position = 0 } = now ?? {};
  if (before === undefined || !hasGoneBack(before, { epoch, position })) return;
  throw new CommitsForgotten(
    `the database has commit ${position} of shard ${shard} as its last one, and this standby has seen ${before.position}: an older backup was restored, or a standby without it was promoted`,
  );
}

/** The default durability of a record. */
export function durabilityOf({ durability, store }: Config): Durability {
  return durability ?? (store === undefined ? 'power' : 'replicated');
}

/** Undefined if the data is in `dataDir`. */
export function databaseOf({ config, path }: LoadedConfig): DatabasePlace | undefined {
  return config.store && placeOf(config.store.postgres, path);
}

/** The path that stands for the store in `dataDir`; with a database it is only a note. */
export function storePath({ config: { dataDir, roles }, path }: LoadedConfig): string {
  return join(path(dataDir), roles.includes('order-entry') ? 'gateway.db' : 'relay.db');
}

/** The alias of each account, by the name of its journal. */
export function journalsOf({ accounts }: Config): ReadonlyMap<string, string> {
  return new Map(accounts.map(({ account, name }) => [journalStream(account as Account), name]));
}

export function shardOf({ roles, store }: Config): string {
  return store?.postgres.shard ?? (roles.includes('order-entry') ? 'gateway' : 'relay');
}
