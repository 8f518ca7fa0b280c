/**
 * How `causeway run` gets its data: at once where no process has it, as a standby after the process that has it ends, or
 * by force (docs/decisions/0200-a-standby-waits-for-a-lock.md).
 */
import { ConfigError, type LoadedConfig } from '../gateway/config-file.ts';
import { DataLock, holderOf, lockPath } from '../gateway/data-lock.ts';
import { databaseOf, freeShard, shardOf } from '../gateway/shard-store.ts';
import { systemClock } from '../runtime/clock.ts';
import { freePort } from '../runtime/free-port.ts';
import type { Log } from '../runtime/log.ts';
import { Failure } from './advice.ts';
import { checkedConfig } from './checked-config.ts';
import { writeAlarm, writeLine } from './operator-log.ts';

export interface DataLease {
  readonly loaded: LoadedConfig;
  readonly lock: DataLock;
  /** When it was another's before: since when it is ours, by the monotonic clock. */
  readonly tookOverMs?: number;
}

export type Manner = 'at once' | 'standby' | 'by force';

/** Undefined when a signal stopped it before the data was free. */
export async function tenureOf(
  manner: Manner,
  file: string,
  log: Log,
): Promise<DataLease | undefined> {
  switch (manner) {
    case 'at once': {
      const loaded = await checkedConfig(file);
      for (const warning of loaded.warnings) writeLine(log, warning, { event: 'config_warning' });
      return { loaded, lock: DataLock.take(loaded) };
    }
    case 'standby':
      return standBy(file, log);
    case 'by force':
      return takeOver(file, log);
  }
}

/** Opens nothing until the data is free. */
async function standBy(file: string, log: Log): Promise<DataLease | undefined> {
  const loaded = await checkedConfig(file);
  const free = DataLock.tryToTake(loaded);
  const place = databaseOf(loaded);
  if (free !== undefined && place === undefined) return { loaded, lock: free };
  const path = lockPath(loaded);
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  const look = () => void usable(file, loaded, log);
  process.on('SIGTERM', stop).on('SIGINT', stop).on('SIGHUP', look);
  try {
    if (free === undefined) {
      const holder = `${path} is held by ${holderOf(path)}`;
      writeLine(log, `stands by: ${holder}`, { event: 'standing_by' });
    }
    const lock = free ?? (await DataLock.await(loaded, systemClock, stopped.signal));
    if (lock === undefined) return undefined;
    if (place !== undefined) {
      const shard = shardOf(loaded.config);
      writeLine(log, `stands by for shard ${shard}`, { event: 'standing_by' });
      await freeShard(place, shard, Number.POSITIVE_INFINITY, stopped.signal);
    }
    const tookOverMs = systemClock.now().monoMs;
    writeLine(log, 'takes over: the data are free', { event: 'taking_over' });
    const fresh = await usable(file, loaded, log);
    if (!stopped.signal.aborted) return { loaded: fresh, lock, tookOverMs };
    lock.release();
    return undefined;
  } finally {
    process.off('SIGTERM', stop).off('SIGINT', stop).off('SIGHUP', look);
  }
}

/** The store lets the process that ran before do nothing from then on; what would fail is found before. */
async function takeOver(file: string, log: Log): Promise<DataLease> {
  const loaded = await checkedConfig(file);
  const free = DataLock.tryToTake(loaded);
  if (free !== undefined) return { loaded, lock: free };
  const holder = holderOf(lockPath(loaded));
  requireOwnSigner(loaded, holder);
  await requireFreePorts(loaded);
  writeLine(log, `takes over by force from ${holder}`, { event: 'taking_over' });
  return { loaded, lock: DataLock.seize(loaded), tookOverMs: systemClock.now().monoMs };
}

/** The file may have changed while the standby waited; where it is wrong now, what was right before is used. */
async function usable(file: string, before: LoadedConfig, log: Log): Promise<LoadedConfig> {
  try {
    const loaded = await checkedConfig(file);
    if (lockPath(loaded) !== lockPath(before)) {
      throw new ConfigError('dataDir, roles: restart the standby to use other data');
    }
    writeLine(log, `${file} was read again`, { event: 'config_read' });
    return loaded;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const text = `the configuration stays as it was: ${error.message}`;
    writeAlarm(log, text, { event: 'config_refused' });
    return before;
  }
}

/** A signer inside the process that hangs keeps its ledger, and no second one may write to that. */
function requireOwnSigner({ config: { signer } }: LoadedConfig, holder: string): void {
  if (signer === undefined || signer.mode !== 'inline') return;
  throw new Failure(
    `--take-over needs signer.mode process: the signer inside ${holder} keeps its ledger`,
    'End that process and start without force; kill -9 also ends one that hangs.',
  );
}

async function requireFreePorts({ config: { console, fix, fixp } }: LoadedConfig): Promise<void> {
  for (const port of [fix, fixp, console]) if (port !== undefined) await freePort(port.listen);
}
