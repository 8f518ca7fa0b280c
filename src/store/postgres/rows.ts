/**
 * A shard owner's knowledge of its rows, and the changes of a group of commits. As the only owner it knows the end of
 * each stream, so a conflicting commit is refused here, and the statement contains rows only.
 */
import { entryOf } from '../../runtime/entry-of.ts';
import { messagesOf } from '../message-range.ts';
import { changeSession, newSession, type SessionRow, sizeOf } from '../session-row.ts';
import { CorruptRecord, conflictOf, type PositionConflict, type Write } from '../store.ts';
import type { Connection } from './connection.ts';

export interface SessionEntry extends SessionRow {
  /** Messages of an earlier numbering are no longer valid. */
  numbering: number;
}

export interface StreamEntry {
  end: number;
  forgottenTo: number;
}

/** A group of commits in the form of one statement. */
export interface Group {
  /** The rows of each table that changes, as JSON. */
  readonly rows: string;
  /** The contents of all rows, concatenated. */
  readonly contents: Buffer;
}

interface Content {
  readonly at: number;
  readonly length: number;
}

export class Rows {
  readonly streams = new Map<string, StreamEntry>();
  readonly sessions = new Map<string, SessionEntry>();
  readonly cursors = new Map<string, number>();
  #group = new GroupRows();

  get groupBytes(): number {
    return this.#group.bytes;
  }

  end(stream: string): number {
    return this.streams.get(stream)?.end ?? 0;
  }

  session(name: string): SessionEntry {
    return entryOf(this.sessions, name, () => ({ ...newSession, numbering: 1 }));
  }

  /** Adds a commit to the group, completely or not at all. */
  take(writes: readonly Write[]): PositionConflict | undefined {
    const conflict = conflictOf(writes, this);
    if (conflict !== undefined) return conflict;
    for (const write of writes) this.#apply(write);
    return undefined;
  }

  /** Adds a stream whose first records were forgotten in another store. */
  begin(stream: string, forgottenTo: number): void {
    Object.assign(this.#stream(stream), { end: forgottenTo, forgottenTo });
  }

  /** Adds a session with the numbers that it has in another store. */
  restore(session: string, row: SessionRow): void {
    const { numbering } = this.session(session);
    Object.assign(this.session(session), row, { numbering });
    this.#group.sessions.add(session);
  }

  /** The next group drops the oldest messages of a session. */
  trim(session: string, oldestKept: number, bytes: number): void {
    const entry = this.session(session);
    entry.oldestKept = oldestKept;
    entry.keptBytes -= bytes;
    this.#group.sessions.add(session);
  }

  /** Returns undefined if nothing changes. */
  close(): Group | undefined {
    const group = this.#group;
    if (group.bytes + group.sessions.size + group.streams.size === 0) return undefined;
    this.#group = new GroupRows();
    const streams = [...group.streams].map((stream) => {
      return { stream, forgotten_to: this.streams.get(stream)?.forgottenTo ?? 0 };
    });
    const sessions = [...group.sessions].map((name) => sessionRow(name, this.session(name)));
    const cursors = [...group.cursors].map((cursor) => {
      return { cursor, value: this.cursors.get(cursor) };
    });
    const snapshots = [...group.snapshots].map(([stream, row]) => ({ stream, ...row }));
    const { records, messages, held, released } = group;
    const tables = Object.entries({
      streams,
      records,
      snapshots,
      sessions,
      messages,
      held,
      released,
      cursors,
    }).filter(([, rows]) => rows.length > 0);
    return {
      rows: JSON.stringify(Object.fromEntries(tables)),
      contents: Buffer.concat(group.contents),
    };
  }

  #apply(write: Write): void {
    const group = this.#group;
    group.bytes += sizeOf(write);
    switch (write.kind) {
      case 'append': {
        const { stream, payload } = write;
        const position = write.expected + 1;
        this.#stream(stream).end = position;
        group.records.push({ stream, position, ...group.content(payload) });
        return;
      }
      case 'snapshot': {
        const { stream, position, payload } = write;
        this.#stream(stream);
        group.snapshots.set(stream, { position, ...group.content(payload) });
        return;
      }
      case 'forget': {
        const entry = this.#stream(write.stream);
        entry.forgottenTo = Math.max(entry.forgottenTo, write.position);
        group.streams.add(write.stream);
        return;
      }
      case 'cursor':
        this.cursors.set(write.name, write.value);
        group.cursors.add(write.name);
        return;
      default: {
        const { session } = write;
        const entry = this.session(session);
        changeSession(entry, write);
        group.sessions.add(session);
        if (write.kind === 'reset') entry.numbering += 1;
        const { numbering } = entry;
        if (write.kind === 'messages') {
          for (const { seq, bytes } of messagesOf(write, 0, Number.MAX_SAFE_INTEGER)) {
            group.messages.push({ session, numbering, seq, ...group.content(bytes) });
          }
        } else if (write.kind === 'mark' && write.name === 'released') {
          group.released.push({ session, position: write.value });
        } else if (write.kind === 'hold') {
          const { bytes, position } = write;
          group.held.push({ session, position, ...group.content(bytes) });
        }
      }
    }
  }

  /** A new stream gets a row, so that a start finds it. */
  #stream(name: string): StreamEntry {
    return entryOf(this.streams, name, () => {
      this.#group.streams.add(name);
      return { end: 0, forgottenTo: 0 };
    });
  }
}

class GroupRows {
  readonly streams = new Set<string>();
  readonly sessions = new Set<string>();
  readonly cursors = new Set<string>();
  /** The last snapshot of each stream. */
  readonly snapshots = new Map<string, Content & { readonly position: number }>();
  readonly records: object[] = [];
  readonly messages: object[] = [];
  readonly held: object[] = [];
  readonly released: object[] = [];
  readonly contents: Uint8Array[] = [];
  #contentBytes = 0;
  bytes = 0;

  /** Returns the offset in the contents; SQL counts from 1. */
  content(bytes: Uint8Array): Content {
    const at = this.#contentBytes + 1;
    this.contents.push(bytes);
    this.#contentBytes += bytes.length;
    return { at, length: bytes.length };
  }
}

const sessionColumns: Readonly<Record<keyof SessionRow, string>> = {
  nextIn: 'next_in',
  nextOut: 'next_out',
  oldestKept: 'oldest_kept',
  keptBytes: 'kept_bytes',
  releasedTo: 'released_to',
  heldTo: 'held_to',
  periodStartMs: 'period_start_ms',
};
const columnNames = Object.entries(sessionColumns) as [keyof SessionRow, string][];

function sessionRow(session: string, entry: SessionEntry) {
  const row: Record<string, string | number> = { session, numbering: entry.numbering };
  for (const [name, column] of columnNames) row[column] = entry[name];
  return row;
}

/** Loads the state of the tables, for the owner that has just taken the shard. */
export async function loadRows(connection: Connection, shard: string): Promise<Rows> {
  const rows = new Rows();
  const streams = await connection.query<StreamEntry & { readonly stream: string }>({
    text: `select s.stream, s.forgotten_to as "forgottenTo",
                  coalesce((select max(r.position) from causeway.records r
                             where r.shard = s.shard and r.stream = s.stream), 0) as end
             from causeway.streams s where s.shard = $1`,
    values: [shard],
  });
  for (const { stream, ...entry } of streams) {
    if (entry.end < entry.forgottenTo)
      throw new CorruptRecord(
        `record ${entry.forgottenTo + 1} of stream ${stream}`,
        'it is missing in the database',
      );
    rows.streams.set(stream, entry);
  }
  const columns = columnNames.map(([name, column]) => `${column} as "${name}"`).join(', ');
  const sessions = await connection.query<SessionEntry & { readonly session: string }>({
    text: `select session, numbering, ${columns} from causeway.sessions where shard = $1`,
    values: [shard],
  });
  for (const { session, ...entry } of sessions) rows.sessions.set(session, entry);
  const cursors = await connection.query<{ cursor: string; value: number }>({
    text: 'select cursor, value from causeway.cursors where shard = $1',
    values: [shard],
  });
  for (const { cursor, value } of cursors) rows.cursors.set(cursor, value);
  return rows;
}
