/**
 * Who runs on a data directory: one process at a time, and a standby waits for its end (docs/decisions/
 * 0200-a-standby-waits-for-a-lock.md). The lock says who may start. Whose records are believed is the store's own affair
 * (0180), so that a lock that is wrong costs a stop and never an order.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { makePrivateDirectory } from '../runtime/directory.ts';
import { ProcessLock } from '../runtime/process-lock.ts';
import type { LoadedConfig } from './config-file.ts';

/** How long the process before this one may take to end. */
const patienceMs = 2_000;
/** Between two looks of a standby. */
export const waitingLookMs = 50;
/** Between two looks of whoever has the lock. */
export const heldLookMs = 1_000;
const longestHolder = 200;

/** Another process runs on the data. */
export class DataHeld extends Error {}

export class DataLock {
  readonly #lock: ProcessLock;
  #cancelLook = () => {};

  private constructor(lock: ProcessLock, path: string) {
    this.#lock = lock;
    const since = new Date().toISOString();
    writeFileSync(holderFile(path), `process ${process.pid} of ${hostname()}, since ${since}\n`, {
      mode: 0o600,
    });
  }

  static take(loaded: LoadedConfig, withinMs = patienceMs): DataLock {
    const path = lockPath(loaded);
    const lock = ProcessLock.take(path, withinMs);
    if (lock === undefined) throw new DataHeld(`${path} is held by ${holderOf(path)}`);
    return new DataLock(lock, path);
  }

  /** Once nobody has it; undefined when the wait was ended before. */
  static async await(
    loaded: LoadedConfig,
    clock: Clock,
    signal: AbortSignal,
  ): Promise<DataLock | undefined> {
    const path = lockPath(loaded);
    for (;;) {
      if (signal.aborted) return undefined;
      const lock = ProcessLock.take(path);
      if (lock !== undefined) return new DataLock(lock, path);
      await new Promise<void>((resolve) => {
        clock.at(clock.now().monoMs + waitingLookMs, resolve);
      });
    }
  }

  /** Takes it away from whoever has it. */
  static seize(loaded: LoadedConfig): DataLock {
    const path = lockPath(loaded);
    return new DataLock(ProcessLock.seize(path), path);
  }

  /**
   * Calls back once it was seized. The store would say so at the next record; a bridge that records nothing would keep
   * its clients from the one that took over.
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

/** Who held the lock last, in words. */
export function holderOf(path: string): string {
  try {
    return readFileSync(holderFile(path), 'utf8').slice(0, longestHolder).trimEnd();
  } catch {
    return 'another process';
  }
}

/** Beside the store; that of a relay is another one. */
export function lockPath({ config, path }: LoadedConfig): string {
  const directory = path(config.dataDir);
  makePrivateDirectory(directory);
  const name = config.roles.includes('order-entry') ? 'gateway' : 'relay';
  return join(directory, `${name}.lock`);
}

const holderFile = (path: string) => `${path}.holder`;
