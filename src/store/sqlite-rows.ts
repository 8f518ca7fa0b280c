/** Rows of the tables as records, each compared with its sum: what was not written so is never handed out. */
import type { MessageRange } from './message-range.ts';
import { cursorCrc, type FrontRow, frontCrc, recordCrc, sessionCrc, unpackEnds } from './schema.ts';
import type { SessionRow } from './session-row.ts';
import { CorruptRecord, type HeldMessage, type JournalRecord } from './store.ts';

type Column =
  | 'stream'
  | 'position'
  | 'payload'
  | 'session'
  | 'first_seq'
  | 'last_seq'
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
  | 'crc'
  /** Of sums and the like: whatever was asked for, under this one name. */
  | 'answer';

export type Row = { readonly [column in Column]?: unknown };

export function journalRecord(stream: string, row: Row): JournalRecord {
  const position = Number(row.position);
  const payload = bytesOf(row, 'payload');
  demand(recordCrc(stream, position, payload), row, `record ${position} of stream ${stream}`);
  return { position, payload };
}

export function messageRange(session: string, row: Row): MessageRange {
  const firstSeq = Number(row.first_seq);
  const ends = bytesOf(row, 'ends');
  const bytes = bytesOf(row, 'bytes');
  demand(
    recordCrc(session, firstSeq, ends, bytes),
    row,
    `messages from ${firstSeq} of session ${session}`,
  );
  return { firstSeq, bytes, ends: unpackEnds(ends) };
}

export function heldMessage(session: string, row: Row): HeldMessage {
  const position = Number(row.position);
  const bytes = bytesOf(row, 'bytes');
  demand(
    recordCrc(session, position, bytes),
    row,
    `held message ${position} of session ${session}`,
  );
  return { position, bytes };
}

export function sessionRow(session: string, row: Row): SessionRow {
  const found = {
    nextIn: Number(row.next_in),
    nextOut: Number(row.next_out),
    oldestKept: Number(row.oldest_kept),
    keptBytes: Number(row.kept_bytes),
    releasedTo: Number(row.released_to),
    heldTo: Number(row.held_to),
    periodStartMs: Number(row.period_start_ms),
  };
  demand(sessionCrc(session, found), row, `the numbers of session ${session}`);
  return found;
}

export function cursorValue(row: Row): number {
  const name = String(row.name);
  const value = Number(row.value);
  demand(cursorCrc(name, value), row, `cursor ${name}`);
  return value;
}

export function frontRow(row: Row): FrontRow {
  const found = {
    opening: Number(row.opening),
    mark: bytesOf(row, 'mark'),
    carried: Number(row.carried),
  };
  demand(frontCrc(found), row, 'the row of the front file');
  return found;
}

function bytesOf(row: Row, column: Column): Uint8Array {
  const bytes = row[column];
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(0);
}

function demand(crc: number, row: Row, record: string): void {
  if (crc !== row.crc) throw new CorruptRecord(record, 'its sum does not match its content');
}
