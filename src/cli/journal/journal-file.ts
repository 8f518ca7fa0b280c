/**
 * A store's file, read and never written: SQLite opens it read-only, so a running bridge is not disturbed and nothing
 * of a damaged file is lost. The tables are those of `store/schema.ts`.
 */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { messagesOf } from '../../store/message-range.ts';
import { type FrontRow, nobody, type SessionRow, schemaVersion } from '../../store/schema.ts';
import {
  cursorValue,
  frontRow,
  heldMessage,
  journalRecord,
  messageRange,
  type Row,
  sessionRow,
} from '../../store/sqlite-rows.ts';
import type { HeldMessage, JournalRecord, KeptMessage } from '../../store/store.ts';
import { Failure } from '../advice.ts';

/** What a data directory holds its store in. */
const fileName = 'gateway.db';

export interface StreamSummary {
  readonly stream: string;
  readonly records: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  /** The position that the snapshot stands for; 0 without one. */
  readonly snapshot: number;
}

export interface SessionSummary extends SessionRow {
  readonly session: string;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Columns of questions, beside those of the tables. */
type Sums = {
  readonly [column in 'integrity_check' | 'records' | 'first' | 'last']?: unknown;
};

export const everything: Span = { from: 0, to: Number.MAX_SAFE_INTEGER };

const nameStore = `Name the dataDir of a bridge, or the ${fileName} in it.`;

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Failure(`there is no ${path}`, nameStore);
  }
}

/**
 * SQLite makes a file of its own beside a store before it reads one. Where it may not, and no write-ahead log lies
 * there, the store is a copy that nobody writes, and is read as such.
 */
function openedToRead(file: string): DatabaseSync {
  const options = { readOnly: true, timeout: 5_000 };
  const database = new DatabaseSync(file, options);
  try {
    versionOf(database);
    return database;
  } catch (error) {
    database.close();
    if (!/readonly database/.test((error as Error).message)) throw error;
    if (existsSync(`${file}-wal`)) throw error;
    const url = pathToFileURL(file);
    url.searchParams.set('immutable', '1');
    const copy = new DatabaseSync(url, options);
    versionOf(copy);
    return copy;
  }
}

function versionOf(database: DatabaseSync): unknown {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
  return version;
}

export class JournalFile {
  readonly path: string;
  readonly #database: DatabaseSync;

  /** `path` is the file, or the data directory of a bridge. */
  static open(path: string): JournalFile {
    const file = isDirectory(path) ? join(path, fileName) : path;
    // One who may not look learns that, and not that nothing is there.
    isDirectory(file);
    let database: DatabaseSync;
    try {
      database = openedToRead(file);
    } catch (error) {
      throw new Failure(`${file} is no store: ${(error as Error).message}`, nameStore);
    }
    if (versionOf(database) === schemaVersion) return new JournalFile(file, database);
    database.close();
    throw new Failure(`${file} is no store of version ${schemaVersion}`, nameStore);
  }

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.#database = database;
  }

  close(): void {
    this.#database.close();
  }

  /** What SQLite itself says of its pages and indexes; nothing when all is right. */
  pageFaults(): string[] {
    const told = [...this.#rows('PRAGMA integrity_check(100)')].map((row) =>
      String(row.integrity_check),
    );
    return told.filter((text) => text !== 'ok');
  }

  streams(): StreamSummary[] {
    const snapshots = new Map(
      [...this.#rows('SELECT stream, position FROM snapshots')].map((row) => [
        String(row.stream),
        Number(row.position),
      ]),
    );
    const sql = `SELECT stream, count(*) AS records, min(position) AS first, max(position) AS last,
      sum(length(payload)) AS bytes FROM journal GROUP BY stream ORDER BY stream`;
    return [...this.#rows(sql)].map((row) => ({
      stream: String(row.stream),
      records: Number(row.records),
      first: Number(row.first),
      last: Number(row.last),
      bytes: Number(row.bytes),
      snapshot: snapshots.get(String(row.stream)) ?? 0,
    }));
  }

  *snapshots(): Generator<JournalRecord & { readonly stream: string }> {
    for (const row of this.#rows('SELECT * FROM snapshots ORDER BY stream')) {
      const stream = String(row.stream);
      yield { stream, ...journalRecord(stream, row) };
    }
  }

  /** Throws `CorruptRecord` where a record is not what was written, as all readers here. */
  *records(stream: string, { from, to }: Span = everything): Generator<JournalRecord> {
    const sql =
      'SELECT * FROM journal WHERE stream = ? AND position >= ? AND position <= ? ORDER BY position';
    for (const row of this.#rows(sql, stream, from, to)) yield journalRecord(stream, row);
  }

  sessionNames(): string[] {
    return [...this.#rows('SELECT session FROM sessions ORDER BY session')].map((row) =>
      String(row.session),
    );
  }

  session(name: string): SessionSummary | undefined {
    for (const row of this.#rows('SELECT * FROM sessions WHERE session = ?', name)) {
      return { session: name, ...sessionRow(name, row) };
    }
    return undefined;
  }

  *messages(session: string, { from, to }: Span = everything): Generator<KeptMessage> {
    const sql =
      'SELECT * FROM messages WHERE session = ? AND last_seq >= ? AND first_seq <= ? ORDER BY first_seq';
    for (const row of this.#rows(sql, session, from, to)) {
      yield* messagesOf(messageRange(session, row), from, to);
    }
  }

  *held(session: string): Generator<HeldMessage> {
    const sql = 'SELECT * FROM held WHERE session = ? ORDER BY position';
    for (const row of this.#rows(sql, session)) yield heldMessage(session, row);
  }

  *cursors(): Generator<{ readonly cursor: string; readonly value: number }> {
    for (const row of this.#rows('SELECT * FROM cursors ORDER BY name')) {
      yield { cursor: String(row.name), value: cursorValue(row) };
    }
  }

  /** Whose the tables are, and how far; a store that never was opened is nobody's. */
  front(): FrontRow {
    for (const row of this.#rows('SELECT * FROM front')) return frontRow(row);
    return nobody;
  }

  #rows(sql: string, ...values: (string | number)[]): Iterable<Row & Sums> {
    return this.#database.prepare(sql).iterate(...values);
  }
}
