/**
 * How `causeway run` gets its data: at once if no process has it, as a standby after the process that has it exits, or
 * by force (docs/decisions/0200-owner-of-a-data-directory.md).
 */
import { ConfigError, type LoadedConfig } from '../gateway/config/config-file.ts';
import { DataLock, holderOf, lockPath } from '../gateway/data/data-lock.ts';
import { databaseOf, freeShard, shardOf } from '../gateway/data/shard-store.ts';
import { systemClock } from '../runtime/clock.ts';
import { freePort } from '../runtime/free-port.ts';
import type { Log } from '../runtime/log.ts';
import type { WriteNotice } from '../runtime/operator-line.ts';
import { Failure } from './advice.ts';
import { checkedConfig } from './checked-config.ts';
import { readAgain, writeLine } from './operator-log.ts';

export interface DataLease {
  readonly loaded: LoadedConfig;
  readonly lock: DataLock;
  /** Set if another process owned the data before: when we took over, on the monotonic clock. */
  readonly tookOverMs?: number;
  /** The epoch of the owner in the database that a standby has seen to be over. */
  readonly seenEpoch?: number | undefined;
}

export async function takeAtOnce(file: string, log: Log): Promise<DataLease> {
  const loaded = await checkedConfig(file);
  for (const warning of loaded.warnings) writeLine(log, warning, { event: 'config_warning' });
  return { loaded, lock: DataLock.take(loaded) };
}

/** Opens nothing until the data is free. */
export async function standBy(file: string, log: Log): Promise<DataLease> {
  const loaded = await checkedConfig(file);
  const free = DataLock.tryToTake(loaded);
  const place = databaseOf(loaded);
  if (free !== undefined && place === undefined) return { loaded, lock: free };
  const path = lockPath(loaded);
  const look = () => void usable(file, loaded, log);
  process.on('SIGHUP', look);
  try {
    if (free === undefined) {
      const holder = `${path} is held by ${holderOf(path)}`;
      writeLine(log, `standing by: ${holder}`, { event: 'standing_by' });
    }
    const lock = free ?? (await DataLock.await(loaded, systemClock));
    let seenEpoch: number | undefined;
    if (place !== undefined) {
      const shard = shardOf(loaded.config);
      writeLine(log, `standing by for shard ${shard}`, { event: 'standing_by' });
      seenEpoch = await freeShard(place, shard);
    }
    const tookOverMs = systemClock.now().monoMs;
    writeLine(log, 'takes over: the data are free', { event: 'taking_over' });
    const fresh = await usable(file, loaded, log);
    return { loaded: fresh, lock, tookOverMs, seenEpoch };
  } finally {
    process.off('SIGHUP', look);
  }
}

/** Opening the store fences off the previous process, so everything that could fail is checked first. */
export async function takeOver(file: string, log: Log): Promise<DataLease> {
  const loaded = await checkedConfig(file);
  const free = DataLock.tryToTake(loaded);
  if (free !== undefined) return { loaded, lock: free };
  const holder = holderOf(lockPath(loaded));
  requireOwnSigner(loaded, holder);
  const { console, fix, fixp } = loaded.config;
  for (const port of [fix, fixp, console]) if (port !== undefined) await freePort(port.listen);
  writeLine(log, `takes over by force from ${holder}`, { event: 'taking_over' });
  return { loaded, lock: DataLock.seize(loaded), tookOverMs: systemClock.now().monoMs };
}

/** The file may have changed while the standby waited; if it is invalid now, the previous configuration is used. */
async function usable(file: string, before: LoadedConfig, log: Log): Promise<LoadedConfig> {
  const write: WriteNotice = (text, facts) => writeLine(log, text, facts);
  const read = async () => {
    const loaded = await checkedConfig(file);
    if (lockPath(loaded) === lockPath(before)) return loaded;
    throw new ConfigError('dataDir, roles: restart the standby to use other data');
  };
  return (await readAgain(file, read, { alarm: write, notice: write })) ?? before;
}

/** A hanging signer inside the other process keeps its ledger, which a second signer must not write. */
function requireOwnSigner({ config: { signer } }: LoadedConfig, holder: string): void {
  if (signer === undefined || signer.mode !== 'inline') return;
  throw new Failure(
    `--take-over needs signer.mode process: the signer inside ${holder} keeps its ledger`,
    'End that process and start without force; kill -9 also ends one that hangs.',
  );
}
