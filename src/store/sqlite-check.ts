/**
 * Opens a store's file only if all that a start relies on is what was written: the log, the pages, the numbers, the
 * messages kept for resends, and each journal from its last snapshot. What is older is compared when it is read.
 */
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { schemaVersion, upgrades } from './schema.ts';
import {
  cursorValue,
  heldMessage,
  journalRecord,
  messageRange,
  type Row,
  sessionRow,
} from './sqlite-rows.ts';
import { Statements } from './statements.ts';
import { CorruptRecord } from './store.ts';
import { checkWal } from './wal-check.ts';

export function openChecked(path: string): DatabaseSync {
  checkWal(`${path}-wal`);
  // SQLite gives its log the mode of the file.
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    prepareSchema(database, path);
    checkPages(database, path);
    checkSessions(database);
    checkJournals(database);
    for (const row of rows(database, 'SELECT * FROM cursors')) cursorValue(row);
    // A log that starts anew holds no left-overs of a torn tail that a later check could take for records.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return database;
  } catch (error) {
    database.close();
    throw isDamage(error) ? new CorruptRecord(path, error.message) : error;
  }
}

function prepareSchema(database: DatabaseSync, path: string): void {
  const version = Number(new Statements(database).pragma('user_version'));
  if (version === schemaVersion) return;
  const upgrade = upgrades.get(version);
  if (upgrade === undefined)
    throw new Error(
      `${path} has schema version ${version}; this program reads version ${schemaVersion}`,
    );
  database.exec(`BEGIN IMMEDIATE; ${upgrade}; PRAGMA user_version = ${schemaVersion}; COMMIT`);
}

function checkPages(database: DatabaseSync, path: string): void {
  const verdict = new Statements(database).pragma('quick_check(1)');
  if (verdict !== 'ok') throw new CorruptRecord(path, String(verdict));
}

function checkSessions(database: DatabaseSync): void {
  for (const row of rows(database, 'SELECT * FROM sessions')) {
    const session = String(row.session);
    const { nextOut, oldestKept } = sessionRow(session, row);
    let next = 0;
    const sql = 'SELECT * FROM messages WHERE session = ? ORDER BY first_seq';
    for (const messages of rows(database, sql, session)) {
      const { firstSeq, ends } = messageRange(session, messages);
      if (firstSeq < next || firstSeq + ends.length > nextOut || firstSeq < Math.min(oldestKept, 1))
        throw new CorruptRecord(
          `messages from ${firstSeq} of session ${session}`,
          `they do not fit between ${next} and ${nextOut}`,
        );
      next = firstSeq + ends.length;
    }
    const held = 'SELECT * FROM held WHERE session = ?';
    for (const message of rows(database, held, session)) heldMessage(session, message);
  }
}

/** Positions from the snapshot on must be there without a hole. */
function checkJournals(database: DatabaseSync): void {
  const snapshots = new Map<string, number>();
  for (const row of rows(database, 'SELECT * FROM snapshots')) {
    const stream = String(row.stream);
    snapshots.set(stream, journalRecord(stream, row).position);
  }
  for (const { stream } of rows(database, 'SELECT DISTINCT stream FROM journal')) {
    const name = String(stream);
    let last = snapshots.get(name) ?? 0;
    const sql = 'SELECT * FROM journal WHERE stream = ? AND position > ? ORDER BY position';
    for (const row of rows(database, sql, name, last)) {
      const { position } = journalRecord(name, row);
      if (position !== last + 1)
        throw new CorruptRecord(`record ${last + 1} of stream ${name}`, 'it is missing');
      last = position;
    }
  }
}

function rows(database: DatabaseSync, sql: string, ...values: (string | number)[]): Iterable<Row> {
  return database.prepare(sql).iterate(...values);
}

const damageCodes = new Set([11, 26]);

/** SQLite's own word for it: SQLITE_CORRUPT, SQLITE_NOTADB. */
function isDamage(error: unknown): error is Error {
  return error instanceof Error && 'errcode' in error && damageCodes.has(Number(error.errcode));
}
