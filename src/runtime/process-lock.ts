/**
 * A lock that one process has at a time, and that the system takes back when the process ends, however it ends. Node has
 * no lock of a file like that, SQLite has: a transaction on an empty database that never commits anything.
 */
import { renameSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY. */
const busyCode = 5;

export class ProcessLock {
  readonly #path: string;
  /** Were it not kept here it would be collected, and the lock with it. */
  readonly #database: DatabaseSync;
  readonly #inode: bigint | undefined;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
    this.#inode = inodeOf(path);
  }

  /** Undefined when another one still has it after so long; nothing else is done meanwhile. */
  static take(path: string, patienceMs = 0): ProcessLock | undefined {
    for (;;) {
      const before = inodeOf(path);
      const database = locked(path, patienceMs);
      if (database === undefined) return undefined;
      const lock = new ProcessLock(path, database);
      // What was locked is what stands there, unless it was new or was seized in between.
      if (lock.#inode === before) return lock;
      lock.release();
    }
  }

  /** Another file takes the lock's place: whoever has the old one keeps a lock that nobody asks for any more. */
  static seize(path: string): ProcessLock {
    const draft = `${path}.${process.pid}`;
    const database = locked(draft, 0);
    if (database === undefined) throw new Error(`${draft} is held by another process`);
    renameSync(draft, path);
    return new ProcessLock(path, database);
  }

  /** It was seized. A file that is gone, or cannot be looked at, is no other one. */
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
  const database = new DatabaseSync(path, { timeout: patienceMs });
  try {
    // No journal lies beside it: nothing is ever written.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busyCode)
      return undefined;
    throw error;
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}
