/**
 * The SQLite tables in which earlier versions kept their store (schema versions 1 and 2), read row by row. Each row is
 * checked against its sum, so a damaged row is never returned.
 */
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { SessionRow } from '../session-row.ts';
import { CorruptRecord, type Write } from '../store.ts';
import { checkWal } from './wal-check.ts';

type Column =
  | 'stream'
  | 'position'
  | 'payload'
  | 'session'
  | 'first_seq'
  | 'ends'
  | 'bytes'
  | 'next_in'
  | 'next_out'
  | 'oldest_kept'
  | 'kept_bytes'
  | 'released_to'
  | 'held_to'
  | 'period_start_ms'
  | 'name'
  | 'value'
  | 'opening'
  | 'mark'
  | 'carried'
  | 'first'
  | 'user_version'
  | 'crc';

type Row = { readonly [column in Column]?: unknown };

/** The owner of the tables, the mark of its records, and the last record that is in the tables. */
export interface FrontRow {
  readonly opening: number;
  readonly mark: Uint8Array;
  readonly carried: number;
}

const nobody: FrontRow = { opening: 0, mark: new Uint8Array(0), carried: 0 };

export class EarlierTables {
  readonly #database: DatabaseSync;
  readonly #path: string;

  constructor(path: string) {
    checkWal(`${path}-wal`);
    this.#path = path;
    this.#database = new DatabaseSync(path, { timeout: 5_000 });
    try {
      this.#check();
    } catch (error) {
      this.#database.close();
      const isDamage =
        error instanceof Error && 'errcode' in error && damageCodes.has(Number(error.errcode));
      throw isDamage ? new CorruptRecord(path, error.message) : error;
    }
  }

  close(): void {
    this.#database.close();
  }

  front(): FrontRow {
    if (this.#version() === 1) return nobody;
    for (const row of this.#rows('SELECT * FROM front')) {
      const found = {
        opening: Number(row.opening),
        mark: bytesOf(row, 'mark'),
        carried: Number(row.carried),
      };
      const { opening, mark, carried } = found;
      demand(crc32(mark, crc32(`${opening}#${carried}`)), row, 'the row of the front file');
      return found;
    }
    return nobody;
  }

  /** The position before the first record of each stream; earlier records were forgotten. */
  *begins(): Generator<readonly [stream: string, position: number]> {
    const sql = 'SELECT stream, min(position) AS first FROM journal GROUP BY stream';
    for (const row of this.#rows(sql)) yield [String(row.stream), Number(row.first) - 1];
  }

  *cursors(): Generator<readonly [name: string, value: number]> {
    for (const row of this.#rows('SELECT * FROM cursors')) {
      const [name, value] = [String(row.name), Number(row.value)];
      demand(crc32(`${name}#${value}`), row, `cursor ${name}`);
      yield [name, value];
    }
  }

  *sessions(): Generator<readonly [session: string, row: SessionRow]> {
    for (const row of this.#rows('SELECT * FROM sessions')) {
      const session = String(row.session);
      const found = {
        nextIn: Number(row.next_in),
        nextOut: Number(row.next_out),
        oldestKept: Number(row.oldest_kept),
        keptBytes: Number(row.kept_bytes),
        releasedTo: Number(row.released_to),
        heldTo: Number(row.held_to),
        periodStartMs: Number(row.period_start_ms),
      };
      const numbers = Object.values(found).join();
      demand(crc32(`${session}#${numbers}`), row, `the numbers of session ${session}`);
      yield [session, found];
    }
  }

  /** All records, messages, held messages and snapshots, as the writes that created them; throws if one is missing. */
  *writes(): Generator<Write> {
    let before = { stream: '', position: 0 };
    for (const row of this.#rows('SELECT * FROM journal ORDER BY stream, position')) {
      const [stream, position] = [String(row.stream), Number(row.position)];
      if (before.stream === stream && before.position + 1 !== position)
        throw new CorruptRecord(
          `record ${before.position + 1} of stream ${stream}`,
          'it is missing',
        );
      before = { stream, position };
      const payload = bytesOf(row, 'payload');
      demand(recordCrc(stream, position, payload), row, `record ${position} of stream ${stream}`);
      yield { kind: 'append', stream, expected: position - 1, payload };
    }
    for (const row of this.#rows('SELECT * FROM snapshots')) {
      const [stream, position] = [String(row.stream), Number(row.position)];
      const payload = bytesOf(row, 'payload');
      demand(recordCrc(stream, position, payload), row, `the snapshot of stream ${stream}`);
      yield { kind: 'snapshot', stream, position, payload };
    }
    for (const row of this.#rows('SELECT * FROM messages ORDER BY session, first_seq')) {
      const [session, firstSeq] = [String(row.session), Number(row.first_seq)];
      const [ends, bytes] = [bytesOf(row, 'ends'), bytesOf(row, 'bytes')];
      const name = `messages from ${firstSeq} of session ${session}`;
      demand(recordCrc(session, firstSeq, ends, bytes), row, name);
      yield { kind: 'messages', session, firstSeq, bytes, ends: unpackEnds(ends) };
    }
    for (const row of this.#rows('SELECT * FROM held ORDER BY session, position')) {
      const [session, position] = [String(row.session), Number(row.position)];
      const bytes = bytesOf(row, 'bytes');
      const name = `held message ${position} of session ${session}`;
      demand(recordCrc(session, position, bytes), row, name);
      yield { kind: 'hold', session, position, bytes };
    }
  }

  #check(): void {
    const version = this.#version();
    if (version !== 1 && version !== 2)
      throw new Error(`${this.#path} has schema version ${version}; this program reads 1 and 2`);
    const [verdict] = Object.values(this.#database.prepare('PRAGMA quick_check(1)').get() ?? {});
    if (verdict !== 'ok') throw new CorruptRecord(this.#path, String(verdict));
  }

  #version(): number {
    for (const row of this.#rows('PRAGMA user_version')) return Number(row.user_version);
    return 0;
  }

  #rows(sql: string): Iterable<Row> {
    return this.#database.prepare(sql).iterate();
  }
}

/** SQLite's error codes for damage: SQLITE_CORRUPT, SQLITE_NOTADB. */
const damageCodes = new Set([11, 26]);

function bytesOf(row: Row, column: Column): Uint8Array {
  const bytes = row[column];
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(0);
}

/** The position of a record: a position in a journal stream, or a session's first number. */
function recordCrc(owner: string, place: number, ...contents: Uint8Array[]): number {
  let crc = crc32(`${owner}#${place}`);
  for (const content of contents) crc = crc32(content, crc);
  return crc;
}

function demand(crc: number, row: Row, record: string): void {
  if (crc !== row.crc) throw new CorruptRecord(record, 'its sum does not match its content');
}

function unpackEnds(packed: Uint8Array): number[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: packed.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}
