/**
 * One SQLite file: applies groups of commits, reads, and keeps the reserve. A commit is in the system's cache when it
 * returns; `SqliteStore` waits for the disk, and sees that the log does not grow long.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { lastSeq, messagesOf } from './message-range.ts';
import { Reserve } from './reserve.ts';
import {
  cursorCrc,
  newSession,
  packEnds,
  recordCrc,
  type SessionRow,
  sessionCrc,
  sizeOf,
} from './schema.ts';
import { openChecked } from './sqlite-check.ts';
import {
  cursorValue,
  heldMessage,
  journalRecord,
  messageRange,
  type Row,
  sessionRow,
} from './sqlite-rows.ts';
import {
  CorruptRecord,
  type Durability,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Numbers,
  type Room,
  StoreFailed,
  type Write,
} from './store.ts';

export interface SqliteOptions {
  readonly path: string;
  /** `power`: a commit is on the disk. `process`: it is in the system's cache, and survives only our own end. */
  readonly durability: Durability;
  /** The file's largest size; below it by the reserve, new work is refused. */
  readonly maxBytes: number;
  readonly reserveBytes: number;
  /** A session's kept messages beyond this are dropped, the oldest first. */
  readonly keptBytesPerSession: number;
  /** Commits that wait for a disk that does not keep up; beyond it the owner ends, and does not fill the memory. */
  readonly maxWaitingBytes: number;
}

/** The outcome of one commit of a group: nothing, or the stream's true end when another owner appended. */
export type Outcome =
  | undefined
  | { readonly stream: string; readonly expected: number; readonly actual: number };

const sqliteFull = 13;
/** What a commit adds to the log besides its content: whole pages of the tables and indexes that it touches. */
const pagesBytes = 5 * 4096;

export class SqliteFile {
  readonly #options: SqliteOptions;
  readonly #database: DatabaseSync;
  readonly #reserve: Reserve;
  readonly #statements = new Map<string, StatementSync>();
  // What the tables hold, as far as known here; forgotten when another owner wrote or a transaction was undone.
  readonly #ends = new Map<string, number>();
  readonly #sessions = new Map<string, SessionRow>();
  readonly #movedSessions = new Set<string>();
  #dataVersion = 0;
  #bytesSinceMeasured = 0;
  #logBytes = 0;
  #room: Room = 'plenty';

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#database = openChecked(options.path);
    this.#database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0');
    const pageSize = this.#pragma('page_size');
    this.#database.exec(`PRAGMA max_page_count = ${Math.floor(options.maxBytes / pageSize)}`);
    this.#reserve = new Reserve(`${options.path}-reserve`, options.reserveBytes);
    this.#measureRoom();
  }

  get room(): Room {
    return this.#room;
  }

  /** About how much was committed since the last checkpoint. */
  get logBytes(): number {
    return this.#logBytes;
  }

  /** Carries the log over into the file. */
  checkpoint(): void {
    this.#logBytes = 0;
    this.#database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  }

  /** All commits of a group in one transaction; a commit that conflicts is left out, the others go through. */
  commit(commits: readonly (readonly Write[])[]): Outcome[] {
    if (this.#bytesSinceMeasured > this.#options.reserveBytes / 8) this.#measureRoom();
    try {
      return this.#transaction(commits);
    } catch (error) {
      if (!isFull(error) || !this.#reserve.release()) throw failed(error);
    }
    this.#room = 'reserve';
    try {
      return this.#transaction(commits);
    } catch (error) {
      throw failed(error);
    }
  }

  end(stream: string): number {
    const known = this.#ends.get(stream);
    if (known !== undefined) return known;
    const row = this.#get('SELECT max(position) AS answer FROM journal WHERE stream = ?', stream);
    const end = Number(row?.answer ?? 0);
    this.#ends.set(stream, end);
    return end;
  }

  read(stream: string, afterPosition: number, limit: number): JournalRecord[] {
    const rows = this.#statement(
      'SELECT position, payload, crc FROM journal WHERE stream = ? AND position > ? ORDER BY position LIMIT ?',
    ).all(stream, afterPosition, limit);
    return rows.map((row) => journalRecord(stream, row));
  }

  snapshot(stream: string): JournalRecord | undefined {
    const row = this.#get('SELECT position, payload, crc FROM snapshots WHERE stream = ?', stream);
    return row === undefined ? undefined : journalRecord(stream, row);
  }

  numbers(session: string): Numbers {
    const { keptBytes: _, ...numbers } = this.#session(session);
    return numbers;
  }

  messages(session: string, fromSeq: number, toSeq: number, maxBytes: number): KeptMessage[] {
    const found: KeptMessage[] = [];
    let size = 0;
    const rows = this.#statement(
      `SELECT first_seq, ends, bytes, crc FROM messages WHERE session = ?1 AND last_seq >= ?2
       AND first_seq >= (SELECT ifnull(max(first_seq), 0) FROM messages WHERE session = ?1 AND first_seq <= ?2)
       AND first_seq <= ?3 ORDER BY first_seq`,
    ).iterate(session, fromSeq, toSeq);
    for (const row of rows) {
      for (const { seq, bytes } of messagesOf(messageRange(session, row), fromSeq, toSeq)) {
        size += bytes.length;
        if (size > maxBytes && found.length > 0) return found;
        found.push({ seq, bytes: Uint8Array.prototype.slice.call(bytes) });
      }
    }
    return found;
  }

  held(session: string, afterPosition: number, limit: number): HeldMessage[] {
    return this.#statement(
      'SELECT position, bytes, crc FROM held WHERE session = ? AND position > ? ORDER BY position LIMIT ?',
    )
      .all(session, afterPosition, limit)
      .map((row) => heldMessage(session, row));
  }

  cursor(name: string): number | undefined {
    const row = this.#get('SELECT * FROM cursors WHERE name = ?', name);
    return row === undefined ? undefined : cursorValue(row);
  }

  close(): void {
    this.#database.close();
  }

  #transaction(commits: readonly (readonly Write[])[]): Outcome[] {
    return this.#inTransaction(() =>
      commits.map((writes) => {
        const conflict = this.#conflict(writes);
        if (conflict === undefined) for (const write of writes) this.#apply(write);
        return conflict;
      }),
    );
  }

  #inTransaction<T>(call: () => T): T {
    this.#run('BEGIN IMMEDIATE');
    try {
      this.#forgetIfForeign();
      const result = call();
      for (const session of this.#movedSessions) this.#writeSession(session);
      this.#movedSessions.clear();
      this.#run('COMMIT');
      this.#logBytes += pagesBytes;
      return result;
    } catch (error) {
      this.#forget();
      if (this.#database.isTransaction) this.#run('ROLLBACK');
      throw error;
    }
  }

  /** Another process may own the same file for a moment; then what is known here is read anew. */
  #forgetIfForeign(): void {
    const version = this.#pragma('data_version');
    if (version !== this.#dataVersion) this.#forget();
    this.#dataVersion = version;
  }

  #forget(): void {
    this.#ends.clear();
    this.#sessions.clear();
    this.#movedSessions.clear();
  }

  #conflict(writes: readonly Write[]): Outcome {
    const grown = new Map<string, number>();
    for (const write of writes) {
      if (write.kind !== 'append') continue;
      const { stream, expected } = write;
      const actual = grown.get(stream) ?? this.end(stream);
      if (actual !== expected) return { stream, expected, actual };
      grown.set(stream, actual + 1);
    }
    return undefined;
  }

  #apply(write: Write): void {
    const size = sizeOf(write);
    this.#bytesSinceMeasured += size;
    this.#logBytes += size;
    switch (write.kind) {
      case 'append': {
        const { stream, payload } = write;
        const position = write.expected + 1;
        const crc = recordCrc(stream, position, payload);
        this.#run('INSERT INTO journal VALUES (?, ?, ?, ?)', stream, position, payload, crc);
        this.#ends.set(stream, position);
        return;
      }
      case 'snapshot': {
        const { stream, position, payload } = write;
        const crc = recordCrc(stream, position, payload);
        this.#run('REPLACE INTO snapshots VALUES (?, ?, ?, ?)', stream, position, payload, crc);
        return;
      }
      case 'forget': {
        const { stream, position } = write;
        this.#run('DELETE FROM journal WHERE stream = ? AND position <= ?', stream, position);
        return;
      }
      case 'messages':
        this.#keep(write);
        return;
      case 'numbers':
        Object.assign(this.#moved(write.session), {
          nextIn: write.nextIn,
          nextOut: write.nextOut,
        });
        return;
      case 'reset': {
        const { session, nextIn, nextOut } = write;
        this.#run('DELETE FROM messages WHERE session = ?', session);
        const emptied = { nextIn, nextOut, oldestKept: nextOut, keptBytes: 0 };
        Object.assign(this.#moved(session), emptied);
        return;
      }
      case 'hold': {
        const { session, position, bytes } = write;
        const crc = recordCrc(session, position, bytes);
        this.#run('INSERT INTO held VALUES (?, ?, ?, ?)', session, position, bytes, crc);
        this.#moved(session).heldTo = position;
        return;
      }
      case 'mark':
        this.#mark(write);
        return;
      case 'cursor':
        this.#run(
          'REPLACE INTO cursors VALUES (?, ?, ?)',
          write.name,
          write.value,
          cursorCrc(write.name, write.value),
        );
        return;
    }
  }

  #mark({ session, name, value }: Extract<Write, { kind: 'mark' }>): void {
    const row = this.#moved(session);
    if (name === 'period') {
      row.periodStartMs = value;
      return;
    }
    this.#run('DELETE FROM held WHERE session = ? AND position <= ?', session, value);
    row.releasedTo = value;
  }

  #keep(write: Extract<Write, { kind: 'messages' }>): void {
    const { session, firstSeq, bytes } = write;
    const ends = packEnds(write.ends);
    const crc = recordCrc(session, firstSeq, ends, bytes);
    this.#run(
      'INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)',
      session,
      firstSeq,
      lastSeq(write),
      ends,
      bytes,
      crc,
    );
    const row = this.#moved(session);
    row.keptBytes += bytes.length;
    while (row.keptBytes > this.#options.keptBytesPerSession) this.#dropOldest(session, row);
  }

  #dropOldest(session: string, row: SessionRow): void {
    const oldest = this.#get(
      `DELETE FROM messages WHERE session = ?1 AND first_seq =
       (SELECT min(first_seq) FROM messages WHERE session = ?1) RETURNING last_seq, length(bytes) AS answer`,
      session,
    );
    row.keptBytes -= Number(oldest?.answer);
    row.oldestKept = Number(oldest?.last_seq) + 1;
  }

  #session(session: string): SessionRow {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const found = this.#get('SELECT * FROM sessions WHERE session = ?', session);
    const row = found === undefined ? { ...newSession } : sessionRow(session, found);
    this.#sessions.set(session, row);
    return row;
  }

  #moved(session: string): SessionRow {
    this.#movedSessions.add(session);
    return this.#session(session);
  }

  #writeSession(session: string): void {
    const row = this.#session(session);
    const { nextIn, nextOut, oldestKept, keptBytes, releasedTo, heldTo, periodStartMs } = row;
    this.#run(
      'REPLACE INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      session,
      nextIn,
      nextOut,
      oldestKept,
      keptBytes,
      releasedTo,
      heldTo,
      periodStartMs,
      sessionCrc(session, row),
    );
  }

  #measureRoom(): void {
    this.#bytesSinceMeasured = 0;
    const pages = this.#pragma('page_count');
    const free = this.#pragma('freelist_count');
    const pageSize = this.#pragma('page_size');
    const { maxBytes, reserveBytes } = this.#options;
    const isWithinLimit = (pages - free) * pageSize <= maxBytes - reserveBytes;
    this.#room = isWithinLimit && this.#reserve.take() ? 'plenty' : 'reserve';
  }

  #pragma(name: string): number {
    return Number(Object.values(this.#statement(`PRAGMA ${name}`).get() ?? {})[0]);
  }

  #get(sql: string, ...values: (string | number)[]): Row | undefined {
    return this.#statement(sql).get(...values);
  }

  #run(sql: string, ...values: (string | number | Uint8Array)[]): void {
    this.#statement(sql).run(...values);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

export function isFull(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteFull;
}

function failed(error: unknown): unknown {
  if (error instanceof CorruptRecord) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreFailed(`the store cannot write: ${reason}`, { cause: error });
}
