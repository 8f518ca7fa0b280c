/**
 * A store's file, read and never written: SQLite opens it read-only, so a running bridge is not disturbed and nothing
 * of a damaged file is lost. The tables are those of `store/schema.ts`; what lies in front of them is told behind them.
 */
import {
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { leftBehind } from '../../store/front-file.ts';
import { messagesOf } from '../../store/message-range.ts';
import { committed, decodeRecord } from '../../store/record.ts';
import { type FrontRow, nobody, schemaVersion } from '../../store/schema.ts';
import { newSession, type SessionRow } from '../../store/session-row.ts';
import {
  cursorValue,
  frontRow,
  heldMessage,
  journalRecord,
  messageRange,
  type Row,
  sessionRow,
} from '../../store/sqlite-rows.ts';
import {
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
} from '../../store/store.ts';
import { Failure } from '../advice.ts';
import { LeftBehind } from './left-behind.ts';

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
    return openedAsCopy(file);
  }
}

/** Nobody writes it while it is read. */
function openedAsCopy(file: string): DatabaseSync {
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  versionOf(database);
  return database;
}

/** Where a bridge runs on the store, its write-ahead log grows, and SQLite's own file is there already. */
function isRunning(file: string): boolean {
  try {
    const holder = readFileSync(join(dirname(file), 'gateway.lock.holder'), 'utf8');
    const [, pid = '', host] = /^process (\d+) of (\S+),/.exec(holder) ?? [];
    return host === hostname() && process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The folder of a copy, where SQLite could not read the file without one of its own beside it. */
function copyOf(file: string): string | undefined {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log === undefined || log.size === 0 || isRunning(file)) return undefined;
  const copy = mkdtempSync(join(tmpdir(), 'causeway-copy-'));
  for (const end of ['', '-wal']) {
    copyFileSync(`${file}${end}`, join(copy, `${fileName}${end}`), constants.COPYFILE_FICLONE);
  }
  return copy;
}

function versionOf(database: DatabaseSync): unknown {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
  return version;
}

export class JournalFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #copy: string | undefined;
  #left = new LeftBehind([]);
  #groupsLeft: number | undefined;

  /**
   * `path` is the file, or the data directory of a bridge. `isUntouched`: SQLite makes no file beside it either; what a
   * killed bridge left is read in a copy.
   */
  static open(path: string, isUntouched = false): JournalFile {
    const file = isDirectory(path) ? join(path, fileName) : path;
    // One who may not look learns that, and not that nothing is there.
    isDirectory(file);
    const copy = isUntouched ? copyOf(file) : undefined;
    let database: DatabaseSync;
    try {
      if (copy !== undefined) database = openedToRead(join(copy, fileName));
      else database = isUntouched && !isRunning(file) ? openedAsCopy(file) : openedToRead(file);
    } catch (error) {
      if (copy !== undefined) rmSync(copy, { recursive: true });
      throw new Failure(`${file} is no store: ${(error as Error).message}`, nameStore);
    }
    const opened = new JournalFile(file, database, copy);
    if (versionOf(database) === schemaVersion) return opened;
    opened.close();
    throw new Failure(`${file} is no store of version ${schemaVersion}`, nameStore);
  }

  private constructor(path: string, database: DatabaseSync, copy?: string) {
    this.path = path;
    this.#database = database;
    this.#copy = copy;
  }

  close(): void {
    this.#database.close();
    if (this.#copy !== undefined) rmSync(this.#copy, { recursive: true });
  }

  snapshot(stream: string): JournalRecord | undefined {
    for (const snapshot of this.snapshots()) if (snapshot.stream === stream) return snapshot;
    return undefined;
  }

  /**
   * From here on all is read as of now, with what lies in front of the tables; says how many groups of commits that is.
   * Throws `CorruptRecord` when the next start would refuse them. A bridge that runs may write over what it has carried
   * over meanwhile; then it is looked at again.
   */
  takeInFront(): number {
    while (this.#groupsLeft === undefined) {
      this.#database.exec('BEGIN');
      const before = this.front();
      try {
        const groups = leftBehind(this.path, before);
        this.#left = new LeftBehind(groups.flatMap((group) => committed(decodeRecord(group))));
        this.#groupsLeft = groups.length;
      } catch (error) {
        this.#database.exec('COMMIT');
        if (this.front().carried === before.carried) throw error;
      }
    }
    return this.#groupsLeft;
  }

  /** Takes in what is left in front, and says so, for people. */
  noteWhatIsLeft(): void {
    const place = `${this.path}-front-*`;
    try {
      const count = this.takeInFront();
      if (count === 0) return;
      console.error(
        `Note: ${count} groups of commits lie in ${place} and not in the tables yet; they are told here, too. A bridge that runs carries them over within a second; where none runs, the next start does.`,
      );
    } catch (error) {
      if (!(error instanceof CorruptRecord)) throw error;
      console.error(`Note: no start can carry ${place} over: ${error.message}`);
    }
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
    for (const [stream, { position }] of this.#left.snapshots()) snapshots.set(stream, position);
    const carried = [...this.#rows(sql)].map((row) => ({
      stream: String(row.stream),
      records: Number(row.records),
      first: Number(row.first),
      last: Number(row.last),
      bytes: Number(row.bytes),
    }));
    const names = new Set([...carried.map(({ stream }) => stream), ...this.#left.streamNames()]);
    return [...names].sort().map((stream) => {
      const left = this.#left.records(stream);
      const first = left[0]?.position ?? 0;
      const known = carried.find((one) => one.stream === stream);
      const { records, bytes, ...ends } = known ?? { records: 0, bytes: 0, first, last: 0 };
      return {
        ...ends,
        stream,
        records: records + left.length,
        last: left.at(-1)?.position ?? ends.last,
        bytes: left.reduce((sum, { payload }) => sum + payload.length, bytes),
        snapshot: snapshots.get(stream) ?? 0,
      };
    });
  }

  *snapshots(): Generator<JournalRecord & { readonly stream: string }> {
    const left = this.#left.snapshots();
    for (const row of this.#rows('SELECT * FROM snapshots ORDER BY stream')) {
      const stream = String(row.stream);
      const newer = left.get(stream);
      left.delete(stream);
      yield { stream, ...(newer ?? journalRecord(stream, row)) };
    }
    for (const [stream, { position, payload }] of left) yield { stream, position, payload };
  }

  /** Throws `CorruptRecord` where a record is not what was written, as all readers here. */
  *records(stream: string, { from, to }: Span = everything): Generator<JournalRecord> {
    const sql =
      'SELECT * FROM journal WHERE stream = ? AND position >= ? AND position <= ? ORDER BY position';
    for (const row of this.#rows(sql, stream, from, to)) yield journalRecord(stream, row);
    for (const record of this.#left.records(stream)) {
      if (record.position >= from && record.position <= to) yield record;
    }
  }

  sessionNames(): string[] {
    const carried = [...this.#rows('SELECT session FROM sessions')].map((row) =>
      String(row.session),
    );
    return [...new Set([...carried, ...this.#left.sessionNames()])].sort();
  }

  session(name: string): SessionSummary | undefined {
    for (const row of this.#rows('SELECT * FROM sessions WHERE session = ?', name)) {
      return { session: name, ...this.#left.session(name, sessionRow(name, row)) };
    }
    if (!this.#left.sessionNames().includes(name)) return undefined;
    return { session: name, ...this.#left.session(name, newSession) };
  }

  *messages(session: string, { from, to }: Span = everything): Generator<KeptMessage> {
    const sql =
      'SELECT * FROM messages WHERE session = ? AND last_seq >= ? AND first_seq <= ? ORDER BY first_seq';
    const carried = this.#left.isReset(session) ? [] : this.#rows(sql, session, from, to);
    for (const row of carried) yield* messagesOf(messageRange(session, row), from, to);
    yield* this.#left.messages(session, from, to);
  }

  *held(session: string): Generator<HeldMessage> {
    const sql = 'SELECT * FROM held WHERE session = ? ORDER BY position';
    const { releasedTo = 0 } = this.session(session) ?? {};
    for (const row of this.#rows(sql, session)) {
      const message = heldMessage(session, row);
      if (message.position > releasedTo) yield message;
    }
    for (const message of this.#left.held(session))
      if (message.position > releasedTo) yield message;
  }

  *cursors(): Generator<{ readonly cursor: string; readonly value: number }> {
    const left = this.#left.cursors();
    for (const row of this.#rows('SELECT * FROM cursors ORDER BY name')) {
      const cursor = String(row.name);
      const newer = left.get(cursor);
      left.delete(cursor);
      yield { cursor, value: newer ?? cursorValue(row) };
    }
    for (const [cursor, value] of left) yield { cursor, value };
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
