/** Writes the contents of a store into tables of a new SQLite file for SQL queries. The program never reads them. */
import { existsSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Failure } from '../advice.ts';
import type { JournalFile } from './journal-file.ts';

const schema = `
CREATE TABLE journal (stream TEXT, position INTEGER, text TEXT, bytes BLOB, PRIMARY KEY (stream, position)) STRICT;
CREATE TABLE snapshots (stream TEXT PRIMARY KEY, position INTEGER, text TEXT, bytes BLOB) STRICT;
CREATE TABLE sessions (session TEXT PRIMARY KEY, next_in INTEGER, next_out INTEGER, oldest_kept INTEGER,
  released_to INTEGER, held_to INTEGER, period_start_ms INTEGER) STRICT;
CREATE TABLE messages (session TEXT, seq INTEGER, text TEXT, bytes BLOB, PRIMARY KEY (session, seq)) STRICT;
CREATE TABLE held (session TEXT, position INTEGER, text TEXT, bytes BLOB, PRIMARY KEY (session, position)) STRICT;
CREATE TABLE cursors (name TEXT PRIMARY KEY, value INTEGER) STRICT;
`;

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Returns the number of rows. */
export function writeTables(file: JournalFile, path: string): number {
  if (existsSync(path)) throw new Failure(`there is a file ${path}`, 'Name one that is not there.');
  const database = new DatabaseSync(path);
  let rows = 0;
  const into = (table: string, columns: number) => {
    const places = Array.from({ length: columns }, () => '?').join();
    const statement = database.prepare(`INSERT INTO ${table} VALUES (${places})`);
    return (...values: (string | number | null | Uint8Array)[]) => {
      statement.run(...values);
      rows += 1;
    };
  };
  try {
    database.exec(`BEGIN; ${schema}`);
    const sessions = into('sessions', 7);
    for (const row of file.sessions()) {
      const { session, nextIn, nextOut, oldestKept, releasedTo, heldTo, periodStartMs } = row;
      sessions(session, nextIn, nextOut, oldestKept, releasedTo, heldTo, periodStartMs);
    }
    const [journal, snapshots] = [into('journal', 4), into('snapshots', 4)];
    const [messages, held] = [into('messages', 4), into('held', 4)];
    for (const one of file.writes()) {
      const bytes = 'payload' in one ? one.payload : 'bytes' in one ? one.bytes : new Uint8Array();
      const content = [textOf(bytes), bytes] as const;
      if (one.kind === 'append') journal(one.stream, one.expected + 1, ...content);
      if (one.kind === 'snapshot') snapshots(one.stream, one.position, ...content);
      if (one.kind === 'messages') messages(one.session, one.firstSeq, ...content);
      if (one.kind === 'hold') held(one.session, one.position, ...content);
    }
    const cursors = into('cursors', 2);
    for (const { cursor, value } of file.cursors()) cursors(cursor, value);
    database.exec('COMMIT');
  } catch (error) {
    database.close();
    rmSync(path);
    throw error;
  }
  database.close();
  return rows;
}

/** Returns null for bytes that are not text. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
