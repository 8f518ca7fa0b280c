/**
 * Who runs on a data directory: one process at a time, and a standby waits for its end (docs/decisions/
 * 0200-a-standby-waits-for-a-lock.md). The lock says who may start. Whose records are believed is the store's own affair
 * (0180), so that a lock that is wrong costs a stop and never an order.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
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
const unknownHolder = 'another process';

/** Another process runs on the data. */
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
      // A bridge starts on a disk that is full as well; who holds the lock is then not told.
    }
  }

  /** Undefined while another process has it. */
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

  /** Once nobody has it; undefined when the wait was ended before. */
  static async await(
    loaded: LoadedConfig,
    clock: Clock,
    signal?: AbortSignal,
  ): Promise<DataLock | undefined> {
    for (;;) {
      if (signal?.aborted === true) return undefined;
      const lock = DataLock.tryToTake(loaded);
      if (lock !== undefined) return lock;
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

/** Who took the lock last, in words. */
export function holderOf(path: string): string {
  try {
    const text = readFileSync(holderFile(path), 'utf8').slice(0, longestHolder).trimEnd();
    return text === '' ? unknownHolder : text;
  } catch {
    return unknownHolder;
  }
}

/** Beside the store; that of a relay is another one. */
export function lockPath({ config, path }: LoadedConfig): string {
  const name = config.roles.includes('order-entry') ? 'gateway' : 'relay';
  return join(path(config.dataDir), `${name}.lock`);
}

const holderFile = (path: string) => `${path}.holder`;
