/**
 * The embedded store: a log of segments (docs/decisions/0270-a-log-of-segments.md). Commits of one round of the event
 * loop share a record. With durability `power` the system's threads sync it while the bridge continues, and commits
 * that arrive in the meantime become the next record.
 */
import { basename, dirname } from 'node:path';
import { SpinBriefly } from '../../runtime/spin-briefly.ts';
import { type Commit, CommitBatch } from '../commit-batch.ts';
import { migrate } from '../earlier/migrate.ts';
import { leaveNote } from '../note.ts';
import { newSession } from '../session-row.ts';
import { isFull, reservePath, Space, type SpaceLimits } from '../space.ts';
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
} from '../store.ts';
import { type Disk, realDisk } from './disk.ts';
import { LogReader, type Step } from './log-reader.ts';
import { LogWriter, type WriterOptions } from './log-writer.ts';
import { type Owner, takeOver } from './owner.ts';
import type { Compress } from './seal.ts';
import { Upkeep } from './upkeep.ts';

export interface LogOptions extends SpaceLimits, Omit<WriterOptions, 'isSynced'> {
  /** The log is a folder next to this path; the reserve is there too. */
  readonly path: string;
  /** `power`: a commit is on the disk. `process`: it is in the system's cache, and survives only the process. */
  readonly durability: Durability;
  /** The limit for commits that wait for a slow disk. Beyond it the owner exits, rather than fill the memory. */
  readonly maxWaitingBytes: number;
  readonly disk: Disk;
  /** The store of an earlier version was copied into a log; this folder now contains the old files. */
  readonly onMigrated?: (kept: string) => void;
  /** No commit will succeed any more, so the owner must exit, even if it is idle. */
  readonly onFailed?: (error: Error) => void;
  /** Compresses complete segments. */
  readonly compress?: Compress;
}

/** A disk that is not busy syncs within this time. */
const syncMs = 0.5;

export const defaultStoreLimits = {
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  maxWaitingBytes: 256 * 1024 ** 2,
  segmentBytes: 8 * 1024 ** 2,
  blockBytes: 128 * 1024,
  stateShare: 20,
} as const;

export const logFolder = (path: string) => `${path.replace(/\.db$/, '')}-log`;

export async function openLogStore(
  given: Pick<LogOptions, 'path' | 'durability'> & Partial<LogOptions>,
): Promise<Store> {
  const options = { ...defaultStoreLimits, disk: realDisk, ...given };
  const { path, disk, durability } = options;
  const folder = logFolder(path);
  const writing = { ...options, isSynced: durability === 'power' };
  try {
    const kept = disk === realDisk ? await migrate(path, folder, writing) : undefined;
    if (kept !== undefined) options.onMigrated?.(kept);
    disk.makeDirectory(folder);
    await disk.syncDirectory(dirname(folder));
    const owner = takeOver(disk, folder);
    const place = { disk, folder, owner };
    const writer = await LogWriter.open(place, writing).catch((error) => {
      // Its first record must not fail while there is a reserve.
      if (!isFull(error) || !disk.has(reservePath(path))) throw error;
      disk.remove(reservePath(path));
      return LogWriter.open(place, writing);
    });
    // A full disk does not keep a bridge from starting: the next start leaves the note.
    if (disk === realDisk) await leaveNote(path, basename(folder), disk).catch(() => {});
    return new LogStore(options, writer, owner);
  } catch (error) {
    throw failed(error, `the store in ${folder} does not open`);
  }
}

/** An owner that checked its token this recently need not check again before it sends a request. */
const momentMs = 100;

class LogStore implements Store {
  readonly #options: LogOptions;
  readonly #writer: LogWriter;
  readonly #owner: Owner;
  readonly #reader: LogReader;
  readonly #space: Space;
  readonly #upkeep: Upkeep;
  readonly #batch: CommitBatch;
  readonly #warm = new SpinBriefly();
  /** A group is being written; new commits go into the next one. */
  #isBusy = false;
  #isClosed = false;
  /** When this process was last known to be the owner. */
  #ownedMs = Number.NEGATIVE_INFINITY;

  constructor(options: LogOptions, writer: LogWriter, owner: Owner) {
    const { path, disk, maxBytes } = options;
    const { index, segments } = writer;
    this.#options = options;
    this.#batch = new CommitBatch({
      maxWaitingBytes: options.maxWaitingBytes,
      medium: 'the disk',
      canWrite: () => !this.#isBusy,
      write: () => this.#commitGroup(),
      fail: (error) => this.#fail(error),
    });
    this.#writer = writer;
    this.#owner = owner;
    this.#reader = new LogReader(index, segments);
    this.#space = new Space(disk, path, options, () => segments.usedBytes);
    this.#upkeep = new Upkeep({
      disk,
      folder: logFolder(path),
      owner,
      writer,
      carry: (live) => this.commit([], {}, live),
      compress: options.compress,
      isTight: () => segments.usedBytes > 0.8 * maxBytes,
      failed: (error) => this.#fail(failed(error)),
    });
    this.#upkeep.look();
  }

  commit(
    writes: readonly Write[],
    options?: CommitOptions,
    carry?: () => readonly Write[],
  ): Promise<void> {
    return this.#batch.add(writes, options, carry);
  }

  /** This runs synchronously, so that it takes effect before commits that are in progress. */
  async keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void> {
    if (this.#batch.failure !== undefined) throw this.#batch.failure;
    try {
      // Records in progress are synced first: no record may outlive an earlier one.
      this.#writer.syncNow();
      this.#writer.begin();
      this.#writer.take([write]);
      this.#append([write], [], 0);
      this.#writer.syncNow();
    } catch (error) {
      this.#fail(failed(error));
      throw this.#batch.failure;
    }
  }

  confirmed(): Promise<void> | undefined {
    if (performance.now() - this.#ownedMs < momentMs) return undefined;
    const { conflict } = this.#writer;
    if (conflict !== undefined) {
      this.#fail(conflict);
      return Promise.reject(conflict);
    }
    this.#ownedMs = performance.now();
    return undefined;
  }

  room(): Room {
    return this.#space.room;
  }

  recheckRoom(): string | undefined {
    return this.#space.recheck();
  }

  async end(stream: string): Promise<number> {
    await this.commit([]);
    return this.#writer.index.end(stream);
  }

  read(stream: string, afterPosition: number, limit: number): Promise<readonly JournalRecord[]> {
    return this.#read((from) => this.#reader.records(stream, from), afterPosition + 1, limit);
  }

  async snapshot(stream: string): Promise<JournalRecord | undefined> {
    await this.commit([]);
    return this.#reading(() => this.#reader.snapshot(stream));
  }

  async numbers(session: string): Promise<Numbers> {
    await this.commit([]);
    const row = this.#writer.index.sessions.get(session)?.row ?? newSession;
    const { keptBytes: _, ...numbers } = row;
    return numbers;
  }

  messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    const step = (from: number) => this.#reader.messages(session, from, toSeq);
    return this.#read(step, fromSeq, maxBytes, ({ bytes }) => bytes.length);
  }

  held(session: string, afterPosition: number, limit: number): Promise<readonly HeldMessage[]> {
    return this.#read((from) => this.#reader.held(session, from), afterPosition + 1, limit);
  }

  async cursor(name: string): Promise<number | undefined> {
    await this.commit([]);
    return this.#writer.index.cursors.get(name);
  }

  ready(): Promise<void> {
    return this.#upkeep.prepared();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Earlier requests are still completed; their callers got the error if they failed.
    await this.commit([]).catch(() => {});
    await this.#upkeep.close();
    this.#fail(new StoreFailed('the store is closed'));
    this.#owner.giveUp();
    this.#writer.close();
  }

  /**
   * A read includes all earlier commits: an empty commit waits for them. Other work can run between blocks. Returns as
   * many as fit into `most`, and at least one.
   */
  async #read<T>(
    step: (from: number) => Step<T>,
    from: number,
    most: number,
    sizeOf: (one: T) => number = () => 1,
  ): Promise<readonly T[]> {
    await this.commit([]);
    const all: T[] = [];
    let left = most;
    for (let at: number | undefined = from; at !== undefined && left > 0; ) {
      if (at !== from) await new Promise((resolve) => setImmediate(resolve));
      const here: number = at;
      const { found, next } = this.#reading(() => step(here));
      for (const one of found) {
        left -= sizeOf(one);
        if (left < 0 && all.length > 0) return all;
        all.push(one);
      }
      at = next;
    }
    return all;
  }

  #reading<T>(call: () => T): T {
    if (this.#batch.failure !== undefined) throw this.#batch.failure;
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
    const group = this.#batch.take();
    if (this.#batch.failure !== undefined) return;
    const conflicts: (PositionConflict | undefined)[] = [];
    const settle = () => {
      this.#isBusy = false;
      this.#batch.settle(group, conflicts);
    };
    let isSynced = true;
    try {
      isSynced = !this.#write(group, conflicts) || this.#options.durability === 'process';
    } catch (error) {
      this.#fail(failed(error), group);
      return;
    }
    if (!isSynced) {
      this.#warm.keep(syncMs);
      this.#writer.sync().then(
        () => {
          this.#warm.rest();
          settle();
        },
        (error) => this.#fail(failed(error), group),
      );
    }
    for (let at = 0; at < group.length; at += 1) {
      if (conflicts[at] === undefined) group[at]?.onWritten?.();
    }
    if (isSynced) settle();
  }

  /** Writes all commits of a group that do not conflict, usually as one record; returns false if there are none. */
  #write(group: readonly Commit[], conflicts: (PositionConflict | undefined)[]): boolean {
    const writer = this.#writer;
    let writes: Write[] = [];
    let size = 0;
    let isWritten = false;
    const flush = (carried: readonly Write[] = []) => {
      if (writes.length + carried.length === 0) return;
      this.#append(writes, carried, size);
      isWritten = true;
      writes = [];
      size = 0;
      writer.begin();
    };
    writer.leaveLong();
    writer.begin();
    for (const commit of group) {
      const conflict = writer.take(commit.writes);
      conflicts.push(conflict);
      if (conflict !== undefined) continue;
      for (const write of commit.writes) writes.push(write);
      size += commit.bytes;
      // A record is read as a whole, so a large group is split into several.
      if (size >= this.#options.blockBytes) flush();
    }
    const carried = group.flatMap(({ carry }) => carry?.() ?? []);
    writer.take(carried, true);
    flush(carried);
    if (isWritten) {
      // After every write the owner checks that its token still exists.
      this.#ownedMs = performance.now();
      this.#upkeep.look();
    }
    return isWritten;
  }

  #append(writes: readonly Write[], carried: readonly Write[], size: number): void {
    this.#space.take(size);
    try {
      this.#writer.write(writes, carried);
    } catch (error) {
      if (!isFull(error) || !this.#space.giveUpReserve()) throw error;
      this.#writer.write(writes, carried);
    }
  }

  /** The next owner removes files that this one is working on, so what it then lacks is no fault of the disk. */
  #fail(error: Error, group: readonly Commit[] = []): void {
    const reason = (isMissing(error) && this.#writer.conflict) || error;
    this.#upkeep.end();
    this.#batch.fail(reason, group);
    if (!this.#isClosed) this.#options.onFailed?.(reason);
  }
}

function isMissing({ cause }: Error): boolean {
  return (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
}

function failed(error: unknown, what = 'the store cannot write'): Error {
  if (error instanceof CorruptRecord || error instanceof PositionConflict) return error;
  if (error instanceof StoreFailed) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreFailed(`${what}: ${reason}`, { cause: error });
}
