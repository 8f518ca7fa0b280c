/**
 * The store on PostgreSQL, for an owner that may lose its machine (docs/decisions/0280-shards-nodes-and-postgresql.md).
 * Commits of one round of the event loop share a statement; commits that arrive while statements are in flight form the
 * next one. The ends of streams, sequence numbers and cursors are in memory; records and messages are read from the
 * tables.
 */
import { type Commit, CommitBatch } from '../commit-batch.ts';
import {
  type CommitOptions,
  type Durability,
  type Numbers,
  type PositionConflict,
  type Room,
  type Store,
  StoreFailed,
  type Write,
} from '../store.ts';
import { CommitLine } from './commit-line.ts';
import type { DatabasePlace } from './connection.ts';
import type { Claim } from './lease.ts';
import { Reads } from './reads.ts';
import { loadRows, type Rows } from './rows.ts';
import { Tidying } from './tidying.ts';

const defaultPostgresLimits = {
  /** The maximum size of the tables of all shards; close to it, new work is refused. */
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  /** The limit for commits that wait for a database. Beyond it the owner exits, rather than fill the memory. */
  maxWaitingBytes: 256 * 1024 ** 2,
  /** A statement without an answer for this long is settled on a new connection. */
  replyMs: 1_000,
};
type PostgresLimits = Readonly<typeof defaultPostgresLimits>;

export interface PostgresOptions extends PostgresLimits, Claim {
  readonly place: DatabasePlace;
  readonly shard: string;
  readonly durability: Durability;
  /** Refuses to open if commits would wait for no standby. */
  readonly needsStandby?: boolean;
  /** The database does not commit, or (undefined) does again. */
  readonly onAway?: (problem: string | undefined) => void;
  /** With durability `replicated`: commits no longer wait for a standby, or wait again. */
  readonly onReplicated?: (isReplicated: boolean) => void;
  /** No commit will succeed any more, so the owner must exit, even if it is idle. */
  readonly onFailed?: (error: Error) => void;
}

/** One statement is in flight while the previous one completes; with more, groups would only get smaller. */
const maxUnderWay = 2;
const maxGroupBytes = 4 * 1024 ** 2;
/** How long an owner that is about to exit waits for its last write. */
const lastWriteMs = 5_000;
/** New work is refused once the database has been unreachable for longer than this. */
const awayMs = 1_000;

export async function openPostgresStore(
  given: Omit<PostgresOptions, keyof PostgresLimits> & Partial<PostgresLimits>,
): Promise<Store> {
  const options: PostgresOptions = { ...defaultPostgresLimits, ...given };
  const { durability, needsStandby, onAway, onReplicated, shard } = options;
  let store: PostgresStore | undefined;
  let isAway = false;
  const line = await CommitLine.open(
    {
      ...options,
      onAway(problem) {
        if ((problem === undefined) === isAway) onAway?.(problem);
        isAway = problem !== undefined;
        if (!isAway) store?.renewReads();
      },
      onReplicated(isReplicated) {
        const isNews = store !== undefined || !isReplicated;
        if (durability === 'replicated' && isNews) onReplicated?.(isReplicated);
      },
      onFailed: (error) => store?.fail(error),
    },
    options,
  );
  try {
    if (needsStandby === true && !line.isReplicated) throw new StoreFailed(noStandby);
    const { connection } = line;
    if (connection === undefined)
      throw new StoreFailed('the database became unreachable at startup');
    const rows = await loadRows(connection, shard);
    store = new PostgresStore(options, line, rows);
    return store;
  } catch (error) {
    await line.close();
    throw error;
  }
}

class PostgresStore implements Store {
  readonly #options: PostgresOptions;
  readonly #line: CommitLine;
  readonly #rows: Rows;
  readonly #reads: Reads;
  readonly #tidying: Tidying;
  readonly #batch: CommitBatch;
  /** Resolves with the last group that was sent. */
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;
  #isClosed = false;

  constructor(options: PostgresOptions, line: CommitLine, rows: Rows) {
    const { connections, place, shard } = options;
    this.#options = options;
    this.#batch = new CommitBatch({
      maxWaitingBytes: options.maxWaitingBytes,
      medium: 'the database',
      canWrite: () => this.#underWay < maxUnderWay,
      write: () => this.#commitGroup(),
      fail: (error) => this.fail(error),
    });
    this.#line = line;
    this.#rows = rows;
    const confirmed = () => line.position;
    const { epoch } = line;
    this.#reads = new Reads({ place, shard, epoch, rows, confirmed, first: connections?.reads });
    this.#tidying = new Tidying(this.#reads, rows, options.maxBytes - options.reserveBytes);
  }

  commit(writes: readonly Write[], options?: CommitOptions): Promise<void> {
    return this.#batch.add(writes, options);
  }

  keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void> {
    return this.#atLast([write]);
  }

  confirmed(): Promise<void> | undefined {
    return this.#line.confirmed();
  }

  room(): Room {
    const { maxWaitingBytes } = this.#options;
    const isLate = this.#batch.waitingBytes > maxWaitingBytes / 4 || this.#line.awayMs > awayMs;
    return isLate || this.#line.isFull || this.#tidying.isFull ? 'reserve' : 'plenty';
  }

  end(stream: string): Promise<number> {
    return this.#read(() => this.#rows.end(stream));
  }

  read(...of: Parameters<Store['read']>) {
    return this.#read(() => this.#reads.records(...of));
  }

  snapshot(stream: string) {
    return this.#read(() => this.#reads.snapshot(stream));
  }

  numbers(session: string): Promise<Numbers> {
    return this.#read(() => {
      const { keptBytes: _, numbering: _numbering, ...numbers } = this.#rows.session(session);
      return numbers;
    });
  }

  messages(...of: Parameters<Store['messages']>) {
    return this.#read(() => this.#reads.messages(...of));
  }

  held(...of: Parameters<Store['held']>) {
    return this.#read(() => this.#reads.held(...of));
  }

  cursor(name: string): Promise<number | undefined> {
    return this.#read(() => this.#rows.cursors.get(name));
  }

  /** A read includes all earlier commits: an empty commit waits for them. */
  async #read<T>(call: () => T | Promise<T>): Promise<T> {
    await this.commit([]);
    return call();
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // Earlier requests are still completed; their callers got the error if they failed.
    await this.#atLast([]).catch(() => {});
    // Reads that wait for the database end.
    this.fail(new StoreFailed('the store is closed'));
    await this.#tidying.close();
    await this.#line.close();
  }

  renewReads(): void {
    this.#reads.renew();
  }

  /** This is final: an owner that was replaced, or whose database lost data, no longer uses the database. */
  fail(error: Error): void {
    if (this.#batch.failure !== undefined) return;
    this.#batch.fail(error);
    void this.#reads.close();
    void this.#tidying.close();
    if (!this.#isClosed) this.#options.onFailed?.(error);
  }

  /** For an owner that is about to exit and must not wait for an unreachable database. */
  async #atLast(writes: readonly Write[]): Promise<void> {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    const error = new StoreFailed(`the database did not answer within ${lastWriteMs} ms`);
    const late = setTimeout(() => reject(error), lastWriteMs);
    await Promise.race([this.commit(writes), tooLate]).finally(() => clearTimeout(late));
  }

  #commitGroup(): void {
    if (this.#underWay >= maxUnderWay || this.#batch.failure !== undefined) return;
    const group = this.#batch.take(maxGroupBytes);
    const conflicts = group.map(({ writes }) => this.#rows.take(writes));
    const rows = this.#rows.close();
    if (rows !== undefined) {
      this.#underWay += 1;
      this.#last = this.#line.append(rows);
    }
    this.#last.then(
      () => this.#settle(group, conflicts, rows !== undefined),
      (error) => {
        for (const { reject } of group) reject(error);
        this.fail(error);
      },
    );
    this.#batch.writeNext();
  }

  #settle(
    group: readonly Commit[],
    conflicts: readonly (PositionConflict | undefined)[],
    wasSent: boolean,
  ): void {
    if (wasSent) this.#underWay -= 1;
    for (const [at, { onWritten, writes }] of group.entries()) {
      if (conflicts[at] !== undefined) continue;
      onWritten?.();
      this.#tidying.committed(writes);
    }
    this.#trim();
    this.#batch.settle(group, conflicts);
  }

  /** Drops the oldest messages of sessions that keep too much. */
  #trim(): void {
    const { keptBytesPerSession } = this.#options;
    for (const session of this.#tidying.overLimit(keptBytesPerSession)) {
      const entry = this.#rows.session(session);
      const { numbering } = entry;
      const excess = entry.keptBytes - keptBytesPerSession;
      this.#reads
        .cutOf(session, excess)
        .then((cut) => {
          if (cut === undefined || entry.numbering !== numbering) return;
          this.#rows.trim(session, cut.oldestKept, cut.bytes);
          return this.commit([]);
        })
        .catch((error) => this.fail(error))
        .finally(() => {
          this.#tidying.trimmed(session);
          // It may have grown meanwhile.
          this.#trim();
        });
    }
  }
}

const noStandby =
  'commits would wait for no standby: set synchronous_standby_names on the database, or another durability';
