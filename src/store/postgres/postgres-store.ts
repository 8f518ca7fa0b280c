/**
 * The store on PostgreSQL, for an owner that may lose its machine (docs/decisions/0280-shards-nodes-and-postgresql.md). Commits of one
 * round of the event loop share a statement, and what is asked for while some are under way is the next one. Where streams end, the
 * numbers of sessions and cursors are in memory; records and messages are read from the tables.
 */
import { Rounds } from '../rounds.ts';
import { sizeOf } from '../session-row.ts';
import {
  type CommitOptions,
  type Durability,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
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

export interface PostgresLimits {
  /** What the tables of all shards may take; near it new work is refused. */
  readonly maxBytes: number;
  readonly reserveBytes: number;
  readonly keptBytesPerSession: number;
  /** Commits that wait for a database that does not answer; beyond it the owner ends, and does not fill the memory. */
  readonly maxWaitingBytes: number;
  /** A statement without an answer for so long is settled on a new connection. */
  readonly replyMs: number;
}

export interface PostgresOptions extends PostgresLimits, Claim {
  readonly place: DatabasePlace;
  readonly shard: string;
  readonly durability: Durability;
  /** Refuses to open where commits would wait for no standby. */
  readonly needsStandby?: boolean;
  /** The database does not commit, or does again (undefined). */
  readonly onAway?: (problem: string | undefined) => void;
  /** With durability `replicated`: commits wait for no standby, or do again. */
  readonly onReplicated?: (isReplicated: boolean) => void;
  /** No commit will succeed any more: the owner must end, also one that commits nothing. */
  readonly onFailed?: (error: Error) => void;
}

export const defaultPostgresLimits: PostgresLimits = {
  maxBytes: 64 * 1024 ** 3,
  reserveBytes: 32 * 1024 ** 2,
  keptBytesPerSession: 1024 ** 3,
  maxWaitingBytes: 256 * 1024 ** 2,
  replyMs: 1_000,
};

/** A statement under way while the one before it is answered; with more, groups would only be smaller. */
const mostUnderWay = 2;
const mostGroupBytes = 4 * 1024 ** 2;
/** How long a commit that nobody waits for may wait for another. */
const patienceMs = 5;
/** How long an owner that is about to end waits for its last write. */
const lastWriteMs = 5_000;
/** New work is refused while the database is away for longer. */
const awayMs = 1_000;

interface Commit {
  readonly writes: readonly Write[];
  readonly bytes: number;
  readonly onWritten: (() => void) | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export async function openPostgresStore(
  given: Omit<PostgresOptions, keyof PostgresLimits> & Partial<PostgresLimits>,
): Promise<Store> {
  const options: PostgresOptions = { ...defaultPostgresLimits, ...given };
  return PostgresStore.open(options);
}

class PostgresStore implements Store {
  readonly #options: PostgresOptions;
  readonly #line: CommitLine;
  readonly #rows: Rows;
  readonly #reads: Reads;
  readonly #tidying: Tidying;
  readonly #rounds = new Rounds(() => this.#commitGroup());
  #gathered: Commit[] = [];
  /** Of commits that are not confirmed. */
  #waitingBytes = 0;
  /** Resolves with the last group that was sent. */
  #last: Promise<void> = Promise.resolve();
  #underWay = 0;
  #patience: NodeJS.Timeout | undefined;
  #isClosed = false;
  #failure: Error | undefined;

  static async open(options: PostgresOptions): Promise<Store> {
    const { durability, needsStandby, onAway, onReplicated, place, shard } = options;
    let store: PostgresStore | undefined;
    let isAway = false;
    const line = await CommitLine.open(
      {
        place,
        shard,
        durability,
        replyMs: options.replyMs,
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
      if (connection === undefined) throw new StoreFailed('the database went away at the start');
      const rows = await loadRows(connection, shard);
      store = new PostgresStore(options, line, rows);
      return store;
    } catch (error) {
      await line.close();
      throw error;
    }
  }

  private constructor(options: PostgresOptions, line: CommitLine, rows: Rows) {
    const { place, shard } = options;
    this.#options = options;
    this.#line = line;
    this.#rows = rows;
    const confirmed = () => line.position;
    this.#reads = new Reads({ place, shard, epoch: line.epoch, confirmed });
    this.#tidying = new Tidying(this.#reads, rows, options.maxBytes - options.reserveBytes);
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
      this.#waitingBytes += bytes;
      if (this.#waitingBytes > this.#options.maxWaitingBytes) {
        this.fail(
          new StoreFailed(`the database does not keep up: ${this.#waitingBytes} bytes wait`),
        );
      } else if (this.#underWay >= mostUnderWay) return;
      else if (mayWait) this.#patience ??= setTimeout(() => this.#rounds.soon(), patienceMs);
      // What writes nothing only waits for the others.
      else if (writes.length === 0) this.#rounds.atEnd();
      else this.#rounds.soon();
    });
  }

  keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void> {
    return this.#atLast([write]);
  }

  confirmed(): Promise<void> | undefined {
    return this.#line.confirmed();
  }

  room(): Room {
    const { maxWaitingBytes } = this.#options;
    const isLate = this.#waitingBytes > maxWaitingBytes / 4 || this.#line.awayMs > awayMs;
    return isLate || this.#line.isFull || this.#tidying.isFull ? 'reserve' : 'plenty';
  }

  async end(stream: string): Promise<number> {
    await this.commit([]);
    return this.#rows.end(stream);
  }

  async read(
    stream: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly JournalRecord[]> {
    await this.commit([]);
    const entry = this.#rows.streams.get(stream);
    if (entry === undefined) return [];
    return this.#reads.records(stream, entry, afterPosition, limit);
  }

  async snapshot(stream: string): Promise<JournalRecord | undefined> {
    await this.commit([]);
    if (!this.#rows.streams.has(stream)) return undefined;
    return this.#reads.snapshot(stream);
  }

  async numbers(session: string): Promise<Numbers> {
    await this.commit([]);
    const { keptBytes: _, numbering: _numbering, ...numbers } = this.#rows.session(session);
    return numbers;
  }

  async messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    await this.commit([]);
    const entry = this.#rows.sessions.get(session);
    if (entry === undefined) return [];
    return this.#reads.messages(session, entry, fromSeq, toSeq, maxBytes);
  }

  async held(
    session: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly HeldMessage[]> {
    await this.commit([]);
    if (!this.#rows.sessions.has(session)) return [];
    return this.#reads.held(session, afterPosition, limit);
  }

  async cursor(name: string): Promise<number | undefined> {
    await this.commit([]);
    return this.#rows.cursors.get(name);
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    // What was asked for before is still done; why it could not be done was told to whoever asked.
    await this.#atLast([]).catch(() => {});
    await this.#tidying.close();
    this.fail(new StoreFailed('the store is closed'));
    await this.#line.close();
  }

  renewReads(): void {
    this.#reads.renew();
  }

  /** For good: an owner that was replaced, or whose database is not what it was, asks nothing more of it. */
  fail(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    clearTimeout(this.#patience);
    void this.#reads.close();
    void this.#tidying.close();
    for (const { reject } of this.#gathered) reject(this.#failure);
    this.#gathered = [];
    if (!this.#isClosed) this.#options.onFailed?.(error);
  }

  /** Of an owner that is about to end, which does not wait for ever for a database that is away. */
  async #atLast(writes: readonly Write[]): Promise<void> {
    let late: NodeJS.Timeout | undefined;
    const tooLate = new Promise<never>((_, reject) => {
      const error = new StoreFailed(`the database did not answer within ${lastWriteMs} ms`);
      late = setTimeout(() => reject(error), lastWriteMs);
    });
    try {
      await Promise.race([this.commit(writes), tooLate]);
    } finally {
      clearTimeout(late);
    }
  }

  #commitGroup(): void {
    if (this.#underWay >= mostUnderWay || this.#failure !== undefined) return;
    clearTimeout(this.#patience);
    this.#patience = undefined;
    const group: Commit[] = [];
    const conflicts = new Map<Commit, PositionConflict>();
    let bytes = 0;
    while (this.#gathered.length > 0 && bytes < mostGroupBytes) {
      const commit = this.#gathered.shift();
      if (commit === undefined) break;
      const conflict = this.#rows.take(commit.writes);
      if (conflict !== undefined) conflicts.set(commit, conflict);
      group.push(commit);
      bytes += commit.bytes;
    }
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
    if (this.#gathered.length > 0 && this.#underWay < mostUnderWay) this.#rounds.soon();
  }

  #settle(
    group: readonly Commit[],
    conflicts: ReadonlyMap<Commit, PositionConflict>,
    wasSent: boolean,
  ): void {
    if (wasSent) this.#underWay -= 1;
    for (const commit of group) {
      this.#waitingBytes -= commit.bytes;
      const conflict = conflicts.get(commit);
      if (conflict !== undefined) commit.reject(conflict);
      else {
        commit.onWritten?.();
        commit.resolve();
        this.#tidying.committed(commit.writes);
      }
    }
    this.#trim();
    if (this.#gathered.length > 0) this.#rounds.soon();
  }

  /** A session that keeps too much loses its oldest messages. */
  #trim(): void {
    const { keptBytesPerSession } = this.#options;
    for (const session of this.#tidying.overLimit(keptBytesPerSession)) {
      const entry = this.#rows.session(session);
      const { numbering } = entry;
      const excess = entry.keptBytes - keptBytesPerSession;
      this.#reads
        .cutOf(session, entry, excess)
        .then((cut) => {
          if (cut === undefined || entry.numbering !== numbering) return;
          this.#rows.trim(session, cut.oldestKept, cut.bytes);
          return this.commit([]);
        })
        .catch((error) => this.fail(error))
        .finally(() => this.#tidying.trimmed(session));
    }
  }
}

const noStandby =
  'commits would wait for no standby: set synchronous_standby_names on the database, or another durability';
