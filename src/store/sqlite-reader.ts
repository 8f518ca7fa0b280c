/** What the tables hold. What was committed and is not carried over yet is not among it. */
import type { DatabaseSync } from 'node:sqlite';
import { messagesOf } from './message-range.ts';
import { newSession } from './session-row.ts';
import {
  cursorValue,
  heldMessage,
  journalRecord,
  messageRange,
  sessionRow,
} from './sqlite-rows.ts';
import { Statements } from './statements.ts';
import type { HeldMessage, JournalRecord, KeptMessage, Numbers } from './store.ts';

export class SqliteReader {
  readonly #statements: Statements;

  constructor(database: DatabaseSync) {
    this.#statements = new Statements(database);
  }

  end(stream: string): number {
    const sql = 'SELECT max(position) AS answer FROM journal WHERE stream = ?';
    return Number(this.#statements.get(sql, stream)?.answer ?? 0);
  }

  /** The number of a session's last kept message, 0 without one. */
  lastKept(session: string): number {
    const sql = 'SELECT max(last_seq) AS answer FROM messages WHERE session = ?';
    return Number(this.#statements.get(sql, session)?.answer ?? 0);
  }

  read(stream: string, afterPosition: number, limit: number): JournalRecord[] {
    const sql =
      'SELECT position, payload, crc FROM journal WHERE stream = ? AND position > ? ORDER BY position LIMIT ?';
    const rows = this.#statements.of(sql).all(stream, afterPosition, limit);
    return rows.map((row) => journalRecord(stream, row));
  }

  snapshot(stream: string): JournalRecord | undefined {
    const sql = 'SELECT position, payload, crc FROM snapshots WHERE stream = ?';
    const row = this.#statements.get(sql, stream);
    return row === undefined ? undefined : journalRecord(stream, row);
  }

  numbers(session: string): Numbers {
    const row = this.#statements.get('SELECT * FROM sessions WHERE session = ?', session);
    const { keptBytes: _, ...numbers } = row === undefined ? newSession : sessionRow(session, row);
    return numbers;
  }

  messages(session: string, fromSeq: number, toSeq: number, maxBytes: number): KeptMessage[] {
    const found: KeptMessage[] = [];
    let size = 0;
    const sql = `SELECT first_seq, ends, bytes, crc FROM messages WHERE session = ?1 AND last_seq >= ?2
       AND first_seq >= (SELECT ifnull(max(first_seq), 0) FROM messages WHERE session = ?1 AND first_seq <= ?2)
       AND first_seq <= ?3 ORDER BY first_seq`;
    for (const row of this.#statements.of(sql).iterate(session, fromSeq, toSeq)) {
      for (const { seq, bytes } of messagesOf(messageRange(session, row), fromSeq, toSeq)) {
        size += bytes.length;
        if (size > maxBytes && found.length > 0) return found;
        found.push({ seq, bytes: Uint8Array.prototype.slice.call(bytes) });
      }
    }
    return found;
  }

  held(session: string, afterPosition: number, limit: number): HeldMessage[] {
    const sql =
      'SELECT position, bytes, crc FROM held WHERE session = ? AND position > ? ORDER BY position LIMIT ?';
    const rows = this.#statements.of(sql).all(session, afterPosition, limit);
    return rows.map((row) => heldMessage(session, row));
  }

  cursor(name: string): number | undefined {
    const row = this.#statements.get('SELECT * FROM cursors WHERE name = ?', name);
    return row === undefined ? undefined : cursorValue(row);
  }

  /** How much of the file is in use. */
  usedBytes(): number {
    const number = (name: string) => Number(this.#statements.pragma(name));
    return (number('page_count') - number('freelist_count')) * number('page_size');
  }
}
