/**
 * Writes records of a front file into the tables. Each transaction also says in the row `front` up to which record the
 * tables are, so that a record is carried over once (docs/decisions/0180-a-file-in-front-of-the-tables.md).
 */
import type { DatabaseSync } from 'node:sqlite';
import { lastSeq } from './message-range.ts';
import { committed, decodeRecord, inOrder, type StoredRecord } from './record.ts';
import {
  cursorCrc,
  type FrontRow,
  frontCrc,
  nobody,
  packEnds,
  recordCrc,
  sessionCrc,
} from './schema.ts';
import { changeSession, newSession, type SessionRow } from './session-row.ts';
import { frontRow, sessionRow } from './sqlite-rows.ts';
import { Statements } from './statements.ts';
import { CorruptRecord, PositionConflict, type Write } from './store.ts';

export interface TableLimits {
  /** The file's largest size. */
  readonly maxBytes: number;
  /** A session's kept messages beyond this are dropped, the oldest first. */
  readonly keptBytesPerSession: number;
}

export class SqliteTables {
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  readonly #keptBytesPerSession: number;
  /** What the tables hold, as far as known here. */
  readonly #sessions = new Map<string, SessionRow>();
  readonly #movedSessions = new Set<string>();

  constructor(database: DatabaseSync, { maxBytes, keptBytesPerSession }: TableLimits) {
    this.#database = database;
    this.#statements = new Statements(database);
    this.#keptBytesPerSession = keptBytesPerSession;
    const pageSize = Number(this.#statements.pragma('page_size'));
    database.exec(`PRAGMA max_page_count = ${Math.floor(maxBytes / pageSize)}`);
  }

  owner(): FrontRow {
    const row = this.#statements.get('SELECT * FROM front');
    return row === undefined ? nobody : frontRow(row);
  }

  /** Carries the records up to this one over, if their opening still owns the tables. */
  carry({ opening, mark }: FrontRow, records: Iterable<StoredRecord>, lastSequence: number): void {
    this.transaction(() => {
      const { opening: owner, carried } = this.owner();
      if (owner !== opening) throw takenOver(opening, owner);
      const next = inOrder(records, carried, 'the front file');
      if (next.length !== lastSequence - carried)
        throw new CorruptRecord('the front file', `it does not hold record ${lastSequence}`);
      this.apply(next);
      this.setOwner({ opening, mark, carried: lastSequence });
    });
  }

  transaction<T>(call: () => T): T {
    this.#statements.run('BEGIN IMMEDIATE');
    try {
      const result = call();
      this.#statements.run('COMMIT');
      return result;
    } catch (error) {
      this.#sessions.clear();
      this.#movedSessions.clear();
      if (this.#database.isTransaction) this.#statements.run('ROLLBACK');
      throw error;
    }
  }

  /** Inside a transaction. */
  setOwner(owner: FrontRow): void {
    const { opening, mark, carried } = owner;
    this.#statements.run('DELETE FROM front WHERE opening <> ?', opening);
    this.#statements.run(
      'REPLACE INTO front VALUES (?, ?, ?, ?)',
      opening,
      mark,
      carried,
      frontCrc(owner),
    );
  }

  /** Inside a transaction. */
  apply(records: readonly StoredRecord[]): void {
    for (const record of records) {
      for (const write of committed(decodeRecord(record))) this.#apply(write);
    }
    for (const session of this.#movedSessions) this.#writeSession(session);
    this.#movedSessions.clear();
  }

  #apply(write: Write): void {
    switch (write.kind) {
      case 'append': {
        const { stream, payload } = write;
        const position = write.expected + 1;
        const crc = recordCrc(stream, position, payload);
        this.#statements.run(
          'INSERT INTO journal VALUES (?, ?, ?, ?)',
          stream,
          position,
          payload,
          crc,
        );
        return;
      }
      case 'snapshot': {
        const { stream, position, payload } = write;
        const crc = recordCrc(stream, position, payload);
        this.#statements.run(
          'REPLACE INTO snapshots VALUES (?, ?, ?, ?)',
          stream,
          position,
          payload,
          crc,
        );
        return;
      }
      case 'forget': {
        const { stream, position } = write;
        this.#statements.run(
          'DELETE FROM journal WHERE stream = ? AND position <= ?',
          stream,
          position,
        );
        return;
      }
      case 'messages':
        this.#keep(write);
        return;
      case 'numbers':
        changeSession(this.#moved(write.session), write);
        return;
      case 'reset':
        this.#statements.run('DELETE FROM messages WHERE session = ?', write.session);
        changeSession(this.#moved(write.session), write);
        return;
      case 'hold': {
        const { session, position, bytes } = write;
        const crc = recordCrc(session, position, bytes);
        this.#statements.run('INSERT INTO held VALUES (?, ?, ?, ?)', session, position, bytes, crc);
        changeSession(this.#moved(session), write);
        return;
      }
      case 'mark':
        this.#mark(write);
        return;
      case 'cursor':
        this.#statements.run(
          'REPLACE INTO cursors VALUES (?, ?, ?)',
          write.name,
          write.value,
          cursorCrc(write.name, write.value),
        );
        return;
    }
  }

  #mark(write: Extract<Write, { kind: 'mark' }>): void {
    const { session, name, value } = write;
    changeSession(this.#moved(session), write);
    if (name === 'released')
      this.#statements.run('DELETE FROM held WHERE session = ? AND position <= ?', session, value);
  }

  #keep(write: Extract<Write, { kind: 'messages' }>): void {
    const { session, firstSeq, bytes } = write;
    const ends = packEnds(write.ends);
    const crc = recordCrc(session, firstSeq, ends, bytes);
    this.#statements.run(
      'INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?)',
      session,
      firstSeq,
      lastSeq(write),
      ends,
      bytes,
      crc,
    );
    const row = this.#moved(session);
    changeSession(row, write);
    while (row.keptBytes > this.#keptBytesPerSession) this.#dropOldest(session, row);
  }

  #dropOldest(session: string, row: SessionRow): void {
    const oldest = this.#statements.get(
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
    const found = this.#statements.get('SELECT * FROM sessions WHERE session = ?', session);
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
    this.#statements.run(
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
}

export function takenOver(opening: number, owner: number): PositionConflict {
  return new PositionConflict('openings of this store', opening, owner);
}
