/**
 * The relational schema of the store. The tables are plain enough for PostgreSQL to share; each record carries a
 * CRC-32 over its place and its content, so that a record that is not what was written is told from one that is.
 */
import { crc32 } from 'node:zlib';
import type { SessionRow } from './session-row.ts';

export const schemaVersion = 2;

/** What version 2 adds to 1: which opening owns the tables, and up to which of its records they are. */
const frontTable = `
CREATE TABLE front (
  opening INTEGER NOT NULL PRIMARY KEY, mark BLOB NOT NULL, carried INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT;
`;

// Journal and messages grow at the end of one table each: a commit of many sessions touches few pages.
const schema = `
CREATE TABLE journal (
  stream TEXT NOT NULL, position INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL,
  PRIMARY KEY (stream, position)) STRICT;
CREATE TABLE snapshots (
  stream TEXT NOT NULL PRIMARY KEY, position INTEGER NOT NULL, payload BLOB NOT NULL, crc INTEGER NOT NULL)
  STRICT;
CREATE TABLE sessions (
  session TEXT NOT NULL PRIMARY KEY, next_in INTEGER NOT NULL, next_out INTEGER NOT NULL,
  oldest_kept INTEGER NOT NULL, kept_bytes INTEGER NOT NULL, released_to INTEGER NOT NULL, held_to INTEGER NOT NULL,
  period_start_ms INTEGER NOT NULL,
  crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE messages (
  session TEXT NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, ends BLOB NOT NULL,
  bytes BLOB NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (session, first_seq)) STRICT;
CREATE TABLE held (
  session TEXT NOT NULL, position INTEGER NOT NULL, bytes BLOB NOT NULL, crc INTEGER NOT NULL,
  PRIMARY KEY (session, position)) STRICT;
CREATE TABLE cursors (
  name TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT, WITHOUT ROWID;
${frontTable}`;

/** What makes a file of an older version one of this version. */
export const upgrades: ReadonlyMap<number, string> = new Map([
  [0, schema],
  [1, frontTable],
]);

/** Which opening of the store owns the tables, the mark of its records, and up to which of them the tables are. */
export interface FrontRow {
  readonly opening: number;
  readonly mark: Uint8Array;
  readonly carried: number;
}

/** The owner of a store that was never opened. */
export const nobody: FrontRow = { opening: 0, mark: new Uint8Array(0), carried: 0 };

/** Of a record that lies at a place: a journal stream's position, a session's first number. */
export function recordCrc(owner: string, place: number, ...contents: Uint8Array[]): number {
  let crc = crc32(`${owner}#${place}`);
  for (const content of contents) crc = crc32(content, crc);
  return crc;
}

export function sessionCrc(session: string, row: SessionRow): number {
  const { nextIn, nextOut, oldestKept, keptBytes, releasedTo, heldTo, periodStartMs } = row;
  const numbers = [nextIn, nextOut, oldestKept, keptBytes, releasedTo, heldTo, periodStartMs];
  return crc32(`${session}#${numbers.join()}`);
}

export function cursorCrc(name: string, value: number): number {
  return crc32(`${name}#${value}`);
}

export function frontCrc({ opening, mark, carried }: FrontRow): number {
  return crc32(mark, crc32(`${opening}#${carried}`));
}

/** The ends of a range's messages as the table keeps them: unsigned 32-bit, little-endian. */
export function packEnds(ends: readonly number[]): Uint8Array {
  const packed = Buffer.allocUnsafe(4 * ends.length);
  for (let i = 0; i < ends.length; i += 1) packed.writeUInt32LE(ends[i] ?? 0, 4 * i);
  return packed;
}

export function unpackEnds(packed: Uint8Array): number[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  return Array.from({ length: packed.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}
