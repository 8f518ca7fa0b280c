/**
 * The embedded store: SQLite in WAL mode, written where the turns run. All commits of one round of the event loop are
 * one transaction; with durability `power` the system's threads then sync the log while the bridge goes on, and what
 * was asked for meanwhile is the next transaction (docs/decisions/0135-the-store-writes-where-the-turns-run.md).
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { Checkpointer } from './checkpointer.ts';
import { prepareLog } from './prepared-log.ts';
import { sizeOf } from './schema.ts';
import { type Outcome, SqliteFile, type SqliteOptions } from './sqlite-file.ts';
import {
  type CommitOptions,
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Numbers,
  PositionConflict,
  type Room,
  type Store,
  StoreFailed,
  type Write,
} from './store.ts';

interface Commit {
  readonly writes: readonly Write[];
  readonly onWritten: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How long a commit that nobody waits for may wait for another. */
const patienceMs = 5;

/** With durability `power`: what the log is long from the start. Later it is as long as it ever was. */
const preparedBytes = 8 * 1024 ** 2;

export const defaultSqliteLimits = {
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  maxWaitingBytes: 256 * 1024 ** 2,
} as const;

export async function openSqliteStore(
  options: Pick<SqliteOptions, 'path' | 'durability'> & Partial<SqliteOptions>,
): Promise<Store> {
  return new SqliteStore({ ...defaultSqliteLimits, ...options });
}

class SqliteStore implements Store {
  readonly #options: SqliteOptions;
  readonly #file: SqliteFile;
  /** SQLite's log, which it keeps as long as the file is open. */
  readonly #log: number;
  readonly #checkpointer: Checkpointer;
  #gathered: Commit[] = [];
  #gatheredBytes = 0;
  /** A group is due or under way; what is asked for now is of the next one. */
  #isBusy = false;
  #patience: NodeJS.Timeout | undefined;
  #isClosed = false;
  #failure: Error | undefined;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#file = new SqliteFile(options);
    const log = `${options.path}-wal`;
    if (options.durability === 'power') prepareLog(log, preparedBytes);
    this.#log = openSync(log, 'r');
    this.#checkpointer = new Checkpointer(options.path, this.#file, (error) => this.#fail(error));
  }

  commit(
    writes: readonly Write[],
    { onWritten, mayWait = false }: CommitOptions = {},
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      this.#gathered.push({ writes, onWritten, resolve, reject });
      for (const write of writes) this.#gatheredBytes += sizeOf(write);
      if (this.#gatheredBytes > this.#options.maxWaitingBytes) {
        const text = `the disk does not keep up: ${this.#gatheredBytes} bytes wait`;
        this.#fail(new StoreFailed(text));
      } else if (mayWait) this.#patience ??= setTimeout(() => this.#schedule(), patienceMs);
      else this.#schedule();
    });
  }

  room(): Room {
    return this.#file.room;
  }

  end(stream: string): Promise<number> {
    return this.#read(() => this.#file.end(stream));
  }

  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]> {
    return this.#read(() => this.#file.read(stream, afterPosition, limit));
  }

  snapshot(stream: string): Promise<JournalRecord | undefined> {
    return this.#read(() => this.#file.snapshot(stream));
  }

  numbers(session: string): Promise<Numbers> {
    return this.#read(() => this.#file.numbers(session));
  }

  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    return this.#read(() => this.#file.messages(session, fromSeq, toSeq, maxBytes));
  }

  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]> {
    return this.#read(() => this.#file.held(session, afterPosition, limit));
  }

  cursor(name: string): Promise<number | undefined> {
    return this.#read(() => this.#file.cursor(name));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What was asked for before is still done; why it could not be done was told to whoever asked.
    await this.commit([]).catch(() => {});
    this.#fail(new StoreFailed('the store is closed'));
    await this.#checkpointer.close();
    closeSync(this.#log);
    this.#file.close();
  }

  /** A read comes after all commits made before it: an empty one waits for them. */
  async #read<T>(call: () => T): Promise<T> {
    await this.commit([]);
    try {
      return call();
    } catch (error) {
      if (error instanceof CorruptRecord) throw error;
      throw new StoreFailed(`the store cannot read: ${String(error)}`, { cause: error });
    }
  }

  #schedule(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    setImmediate(() => this.#commitGroup());
  }

  #commitGroup(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const group = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.#failure !== undefined) return;
    let outcomes: readonly Outcome[] = [];
    const isEmpty = group.every(({ writes }) => writes.length === 0);
    try {
      if (!isEmpty) outcomes = this.#file.commit(group.map(({ writes }) => writes));
    } catch (error) {
      this.#fail(error as Error, group);
      return;
    }
    const isSynced = isEmpty || this.#options.durability === 'process';
    if (!isSynced) {
      fdatasync(this.#log, (error) => {
        if (error === null) this.#settle(group, outcomes);
        else this.#fail(new StoreFailed(`the store cannot write: ${error.message}`), group);
      });
    }
    for (const [index, { onWritten }] of group.entries()) {
      if (outcomes[index] === undefined) onWritten?.();
    }
    if (isSynced) this.#settle(group, outcomes);
    this.#checkpointer.look();
  }

  #settle(group: readonly Commit[], outcomes: readonly Outcome[]): void {
    for (const [index, { resolve, reject }] of group.entries()) {
      const conflict = outcomes[index];
      if (conflict === undefined) resolve();
      else reject(new PositionConflict(conflict.stream, conflict.expected, conflict.actual));
    }
    this.#isBusy = false;
    if (this.#gathered.length > 0) this.#schedule();
  }

  #fail(error: Error, group: readonly Commit[] = []): void {
    this.#failure ??= error;
    for (const { reject } of [...group, ...this.#gathered]) reject(this.#failure);
    this.#gathered = [];
  }
}
