/**
 * The lock of a data directory: only one process runs on it, and a standby waits until that process exits. The lock
 * decides who may start. The store itself decides whose records are valid, so a wrong lock can stop a bridge but never
 * cause a wrong order (docs/decisions/0200-owner-of-a-data-directory.md).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { type Clock, pause } from '../../runtime/clock.ts';
import { isThere, makePrivateDirectory } from '../../runtime/directory.ts';
import { ProcessLock } from '../../runtime/process-lock.ts';
import { ConfigError, type LoadedConfig } from '../config/config-file.ts';

/**
 * A file in the directory of a node that records which shard has the data of each account and session. Each shard has
 * its own directory for the data itself.
 */
export const placementFile = 'shards.json';
/** How long the previous process may take to exit. */
const patienceMs = 2_000;
/** The interval at which a standby checks the lock. */
export const waitingLookMs = 50;
/** The interval at which the owner checks the lock. */
export const heldLookMs = 1_000;
const longestHolder = 200;
const unknownHolder = 'another process';

/** Another process is running on the data. */
export class DataHeld extends Error {}

export class DataLock {
  readonly #lock: ProcessLock;
  #cancelLook = () => {};

  private constructor(lock: ProcessLock, path: string) {
    this.#lock = lock;
    const since = new Date().toISOString();
    const holder = `process ${process.pid} of ${hostname()}, since ${since}\n`;
    try {
      writeFileSync(holderFile(path), holder, { mode: 0o600 });
    } catch {
      // A bridge also starts on a full disk; the lock then does not name its owner.
    }
  }

  /** Returns undefined if another process holds the lock. */
  static tryToTake(loaded: LoadedConfig, withinMs = 0): DataLock | undefined {
    const path = lockPath(loaded);
    makePrivateDirectory(dirname(path));
    const lock = ProcessLock.take(path, withinMs);
    return lock && new DataLock(lock, path);
  }

  static take(loaded: LoadedConfig): DataLock {
    const lock = DataLock.tryToTake(loaded, patienceMs);
    if (lock !== undefined) return lock;
    const path = lockPath(loaded);
    throw new DataHeld(`${path} is held by ${holderOf(path)}`);
  }

  /** Waits until the lock is free. */
  static async await(loaded: LoadedConfig, clock: Clock): Promise<DataLock> {
    for (;;) {
      const lock = DataLock.tryToTake(loaded);
      if (lock !== undefined) return lock;
      await pause(clock, waitingLookMs);
    }
  }

  /** Takes the lock away from its owner. */
  static seize(loaded: LoadedConfig): DataLock {
    const path = lockPath(loaded);
    return new DataLock(ProcessLock.seize(path), path);
  }

  /**
   * Calls back once the lock has been taken by another process. The store would detect that at the next record, but a
   * bridge that records nothing would keep its clients away from its successor.
   */
  whenLost(clock: Clock, lost: () => void): void {
    this.#cancelLook = clock.at(clock.now().monoMs + heldLookMs, () => {
      if (this.#lock.isLost) lost();
      else this.whenLost(clock, lost);
    });
  }

  release(): void {
    this.#cancelLook();
    this.#lock.release();
  }
}

/** Describes the last process that took the lock. */
export function holderOf(path: string): string {
  try {
    const text = readFileSync(holderFile(path), 'utf8').slice(0, longestHolder).trimEnd();
    return text === '' ? unknownHolder : text;
  } catch {
    return unknownHolder;
  }
}

/** The lock file is next to the store; a relay has its own. */
export function lockPath({ config, path }: LoadedConfig): string {
  const isBridge = config.roles.includes('order-entry');
  const directory = path(config.dataDir);
  // A single process would start beside that data and know nothing of it.
  if (isBridge && isThere(join(directory, placementFile))) {
    throw new ConfigError(
      `dataDir: ${directory} has the data of a node (${placementFile}): run it with causeway node`,
    );
  }
  return join(directory, `${isBridge ? 'gateway' : 'relay'}.lock`);
}

const holderFile = (path: string) => `${path}.holder`;
