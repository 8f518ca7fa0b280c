/**
 * The embedded store: a front file that is appended to where the turns run, and SQLite tables that it is carried over
 * into. Commits of one round of the event loop share a record of the front file; with durability `power` the system's
 * threads then sync it while the bridge goes on, and what was asked for meanwhile is the next record
 * (docs/decisions/0180-a-file-in-front-of-the-tables.md).
 */
import { fdatasync, fdatasyncSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { SpinBriefly } from '../runtime/spin-briefly.ts';
import { Carrier } from './carrier.ts';
import { Ends, type Outcome } from './ends.ts';
import type { FrontFile } from './front-file.ts';
import { Rounds } from './rounds.ts';
import type { FrontRow } from './schema.ts';
import { sizeOf } from './session-row.ts';
import { isFull, Space, type SpaceLimits } from './space.ts';
import { openChecked } from './sqlite-check.ts';
import { SqliteReader } from './sqlite-reader.ts';
import type { TableLimits } from './sqlite-tables.ts';
import {
  type CommitOptions,
  CorruptRecord,
  type Durability,
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
import { giveUp, type Owned, takeOver } from './take-over.ts';

export interface SqliteOptions extends TableLimits, SpaceLimits {
  readonly path: string;
  /** `power`: a commit is on the disk. `process`: it is in the system's cache, and survives only our own end. */
  readonly durability: Durability;
  /** Commits that wait for a disk that does not keep up; beyond it the owner ends, and does not fill the memory. */
  readonly maxWaitingBytes: number;
  /** What is not in the tables yet; beyond it commits wait. A start reads it whole. */
  readonly maxUncarriedBytes: number;
}

interface Commit {
  readonly writes: readonly Write[];
  readonly bytes: number;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How long a commit that nobody waits for may wait for another. */
const patienceMs = 5;

/** A disk that is not busy has synced by then. */
const syncMs = 0.5;

/** When one front file is left for the other. */
const longBytes = 4 * 1024 ** 2;

export const defaultSqliteLimits = {
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  maxWaitingBytes: 256 * 1024 ** 2,
  maxUncarriedBytes: 64 * 1024 ** 2,
} as const;

export async function openSqliteStore(
  options: Pick<SqliteOptions, 'path' | 'durability'> & Partial<SqliteOptions>,
): Promise<Store> {
  return new SqliteStore({ ...defaultSqliteLimits, ...options });
}

class SqliteStore implements Store {
  readonly #options: SqliteOptions;
  readonly #database: DatabaseSync;
  readonly #reader: SqliteReader;
  readonly #ends: Ends;
  readonly #space: Space;
  readonly #owner: FrontRow;
  readonly #front: FrontFile;
  readonly #carrier: Carrier;
  #gathered: Commit[] = [];
  #gatheredBytes = 0;
  readonly #warm = new SpinBriefly();
  readonly #rounds = new Rounds(() => this.#commitGroup());
  /** A group is under way; what is asked for now is of the next one. */
  #isBusy = false;
  #patience: NodeJS.Timeout | undefined;
  #isClosed = false;
  #failure: Error | undefined;

  constructor(options: SqliteOptions) {
    const { path, durability, maxBytes, keptBytesPerSession } = options;
    this.#options = options;
    this.#database = openChecked(path);
    const owned = this.#own();
    const { owner, front } = owned;
    this.#owner = owner;
    this.#front = front;
    // What the opening before promised is on the disk; from here on it is what this one promises.
    if (durability === 'power') front.prepare();
    else this.#database.exec('PRAGMA synchronous = NORMAL');
    const reader = new SqliteReader(this.#database);
    this.#reader = reader;
    this.#ends = new Ends(reader);
    this.#space = new Space(path, options, () => reader.usedBytes() + front.uncarriedBytes);
    const setup = { path, owner, durability, limits: { maxBytes, keptBytesPerSession } };
    this.#carrier = new Carrier(setup, owned, {
      makeRoom: () => this.#space.giveUpReserve(),
      failed: (error) => this.#fail(front.conflict ?? error),
    });
  }

  #own(): Owned {
    try {
      return takeOver(this.#options.path, this.#database, { ...this.#options, longBytes });
    } catch (error) {
      this.#database.close();
      throw failed(error);
    }
  }

  commit(
    writes: readonly Write[],
    { onWritten, mayWait = false }: CommitOptions = {},
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure);
      let bytes = 0;
      for (const write of writes) bytes += sizeOf(write);
      this.#gathered.push({ writes, bytes, onWritten, resolve, reject });
      this.#gatheredBytes += bytes;
      if (this.#gatheredBytes > this.#options.maxWaitingBytes) {
        const text = `the disk does not keep up: ${this.#gatheredBytes} bytes wait`;
        this.#fail(new StoreFailed(text));
      } else if (this.#isBusy) return;
      else if (mayWait) this.#patience ??= setTimeout(() => this.#rounds.soon(), patienceMs);
      // What writes nothing only waits for the others.
      else if (writes.length === 0) this.#rounds.atEnd();
      else this.#rounds.soon();
    });
  }

  keepNow(write: Extract<Write, { kind: 'snapshot' }>): void {
    if (this.#failure !== undefined) throw this.#failure;
    this.#front.append([write]);
    fdatasyncSync(this.#front.descriptor);
  }

  room(): Room {
    return this.#space.room;
  }

  end(stream: string): Promise<number> {
    return this.#read(() => this.#ends.of(stream));
  }

  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]> {
    return this.#read(() => this.#reader.read(stream, afterPosition, limit));
  }

  snapshot(stream: string): Promise<JournalRecord | undefined> {
    return this.#read(() => this.#reader.snapshot(stream));
  }

  numbers(session: string): Promise<Numbers> {
    return this.#read(() => this.#reader.numbers(session));
  }

  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    return this.#read(() => this.#reader.messages(session, fromSeq, toSeq, maxBytes));
  }

  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]> {
    return this.#read(() => this.#reader.held(session, afterPosition, limit));
  }

  cursor(name: string): Promise<number | undefined> {
    return this.#read(() => this.#reader.cursor(name));
  }

  ready(): Promise<void> {
    return this.#carrier.ready();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What was asked for before is still done; why it could not be done was told to whoever asked.
    await this.commit([]).catch(() => {});
    const isSound = this.#failure === undefined;
    this.#fail(new StoreFailed('the store is closed'));
    await this.#carrier.close();
    if (isSound) this.#leave();
    this.#front.close();
    this.#database.close();
  }

  /** Carries the rest over. What cannot be, is left to the next start, which says why. */
  #leave(): void {
    try {
      giveUp(this.#options.path, this.#database, this.#options, this.#owner);
    } catch {}
  }

  /** A read comes after all commits made before it: an empty one waits for them. */
  async #read<T>(call: () => T): Promise<T> {
    await this.commit([]);
    await this.#carrier.all();
    try {
      return call();
    } catch (error) {
      if (error instanceof CorruptRecord) throw error;
      throw new StoreFailed(`the store cannot read: ${String(error)}`, { cause: error });
    }
  }

  #commitGroup(): void {
    if (this.#isBusy) return;
    this.#isBusy = true;
    if (this.#front.uncarriedBytes <= this.#options.maxUncarriedBytes) {
      this.#commitGathered();
      return;
    }
    // Why this fails is told to whoever waits, as for all that fails.
    this.#carrier.all().then(
      () => this.#commitGathered(),
      () => {},
    );
  }

  #commitGathered(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const group = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    if (this.#failure !== undefined) return;
    const outcomes: Outcome[] = [];
    let isSynced = true;
    try {
      isSynced = !this.#write(group, outcomes) || this.#options.durability === 'process';
    } catch (error) {
      this.#fail(failed(error), group);
      return;
    }
    if (!isSynced) {
      this.#warm.keep(syncMs);
      fdatasync(this.#front.descriptor, (error) => {
        this.#warm.rest();
        if (error === null) this.#settle(group, outcomes);
        else this.#fail(failed(error), group);
      });
    }
    for (let at = 0; at < group.length; at += 1) {
      if (outcomes[at] === undefined) group[at]?.onWritten?.();
    }
    if (isSynced) this.#settle(group, outcomes);
  }

  /** Writes all commits of a group that do not conflict; false where that is nothing. */
  #write(group: readonly Commit[], outcomes: Outcome[]): boolean {
    const writes: Write[] = [];
    let size = 0;
    for (const commit of group) {
      const outcome = this.#ends.take(commit.writes);
      outcomes.push(outcome);
      if (outcome !== undefined) continue;
      for (const write of commit.writes) writes.push(write);
      size += commit.bytes;
    }
    if (writes.length === 0) return false;
    this.#space.take(size);
    try {
      this.#front.append(writes);
    } catch (error) {
      if (!isFull(error) || !this.#space.giveUpReserve()) throw error;
      this.#front.append(writes);
    }
    this.#carrier.look();
    return true;
  }

  #settle(group: readonly Commit[], outcomes: readonly Outcome[]): void {
    for (let at = 0; at < group.length; at += 1) {
      const conflict = outcomes[at];
      if (conflict === undefined) group[at]?.resolve();
      else {
        const { stream, expected, actual } = conflict;
        group[at]?.reject(new PositionConflict(stream, expected, actual));
      }
    }
    this.#isBusy = false;
    if (this.#gathered.length > 0) this.#rounds.soon();
  }

  #fail(error: Error, group: readonly Commit[] = []): void {
    this.#failure ??= error;
    for (const { reject } of [...group, ...this.#gathered]) reject(this.#failure);
    this.#gathered = [];
  }
}

function failed(error: unknown): Error {
  if (error instanceof CorruptRecord || error instanceof PositionConflict) return error;
  if (error instanceof StoreFailed) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreFailed(`the store cannot write: ${reason}`, { cause: error });
}
