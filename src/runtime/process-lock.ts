/**
 * A lock that one process holds at a time, and that the system releases when the process ends for any reason. Node has
 * no such file lock, but SQLite has: a transaction on an empty database that never commits anything.
 */
import { accessSync, constants, renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY. */
const busyCode = 5;

export class ProcessLock {
  readonly #path: string;
  /** Without this reference the database would be garbage-collected, and the lock with it. */
  readonly #database: DatabaseSync;
  readonly #inode: bigint | undefined;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.#inode = inodeOf(path);
  }

  /** Returns undefined if another process still holds the lock after this time; the caller blocks until then. */
  static take(path: string, patienceMs = 0): ProcessLock | undefined {
    for (;;) {
      const before = inodeOf(path);
      // SQLite only reads a file that it may not write, and then locks it for nobody else.
      if (before !== undefined) accessSync(path, constants.R_OK | constants.W_OK);
      const database = locked(path, patienceMs);
      if (database === undefined) return undefined;
      const lock = new ProcessLock(path, database);
      // The locked file is the one at the path, unless it was new or was seized in between.
      if (lock.#inode === before) return lock;
      lock.release();
    }
  }

  /** Replaces the lock file: the holder of the old one keeps a lock that nobody checks any more. */
  static seize(path: string): ProcessLock {
    const draft = `${path}.${process.pid}`;
    const database = locked(draft, 0);
    if (database === undefined) throw new Error(`${draft} is held by another process`);
    renameSync(draft, path);
    return new ProcessLock(path, database);
  }

  /** Whether the lock was seized. A missing or unreadable file does not count as seized. */
  get isLost(): boolean {
    try {
      const inode = inodeOf(this.#path);
      return inode !== undefined && inode !== this.#inode;
    } catch {
      return false;
    }
  }

  release(): void {
    this.#database.close();
  }
}

function locked(path: string, patienceMs: number): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: patienceMs });
    // There is no journal file, because nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busyCode)
      return undefined;
    throw new Error(`${path} cannot be locked: ${(error as Error).message}`, { cause: error });
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
