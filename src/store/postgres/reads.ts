/**
 * Reads a shard's tables, on a separate connection from its commits. Each read starts with the shard's row: a server
 * that lacks confirmed commits is an old primary, and its result is not used.
 */
import { OneAtATime } from '../../runtime/one-at-a-time.ts';
import {
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  PositionConflict,
  StoreFailed,
} from '../store.ts';
import {
  type Connection,
  ConnectionLost,
  connectToPrimary,
  type DatabasePlace,
  type Statement,
  sqlStateOf,
  within,
} from './connection.ts';
import type { Rows } from './rows.ts';

/** The maximum time for a read, whose number of rows is bounded. */
const answerMs = 10_000;
/** How often a server that can be reached may refuse to answer. */
const attempts = 50;
const betweenMs = 100;
/** The maximum number of rows of one statement. */
const most = 1_000;

export interface ReadFrom {
  readonly place: DatabasePlace;
  readonly shard: string;
  readonly epoch: number;
  /** What the owner knows; what it does not know is not there. */
  readonly rows: Rows;
  /** The number of commits that are known to have happened. */
  readonly confirmed: () => number;
  /** The caller's connection, perhaps within a transaction: all reads are part of it and fail with it. */
  readonly connection?: Connection;
  /** A connection that is already open, and is used for as long as it lasts. */
  readonly first?: Connection | undefined;
}

export class Reads {
  readonly #from: ReadFrom;
  readonly #oneAtATime = new OneAtATime();
  #connection: Connection | undefined;
  #isClosed = false;

  constructor(from: ReadFrom) {
    this.#from = from;
    this.#connection = from.connection ?? from.first;
  }

  async records(
    stream: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly JournalRecord[]> {
    const found: JournalRecord[] = [];
    const entry = this.#from.rows.streams.get(stream);
    if (entry === undefined) return found;
    const { end } = entry;
    let after = afterPosition;
    for (;;) {
      // Records may be forgotten between two statements.
      after = Math.max(after, entry.forgottenTo);
      if (after >= end || found.length >= limit) return found;
      const rows = await this.#read<JournalRecord>({
        name: 'records',
        text: `select position, payload from causeway.records
                where shard = $1 and stream = $2 and position > $3 and position <= $4
                order by position limit $5`,
        values: [this.#from.shard, stream, after, end, Math.min(most, limit - found.length)],
      });
      for (const record of rows) {
        if (record.position !== after + 1) break;
        after += 1;
        found.push(record);
      }
      if (rows.at(-1)?.position !== after && after >= entry.forgottenTo)
        throw missing(after + 1, stream);
    }
  }

  async snapshot(stream: string): Promise<JournalRecord | undefined> {
    if (!this.#from.rows.streams.has(stream)) return undefined;
    const [row] = await this.#read<JournalRecord>({
      name: 'snapshot',
      text: `select position, payload from causeway.snapshots where shard = $1 and stream = $2`,
      values: [this.#from.shard, stream],
    });
    return row;
  }

  async messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    const found: KeptMessage[] = [];
    const entry = this.#from.rows.sessions.get(session);
    if (entry === undefined) return found;
    const { numbering, oldestKept } = entry;
    let left = maxBytes;
    let from = Math.max(fromSeq, oldestKept);
    for (;;) {
      const rows = await this.#read<KeptMessage>({
        name: 'messages',
        text: `select seq, bytes
                 from (select seq, bytes, sum(length(bytes)) over (order by seq) as size
                         from causeway.messages
                        where shard = $1 and session = $2 and numbering = $3 and seq between $4 and $5
                        order by seq limit $6) m
                where size - length(bytes) = 0 or size <= $7 order by seq`,
        values: [this.#from.shard, session, numbering, from, toSeq, most, Math.max(left, 0)],
      });
      for (const message of rows) {
        left -= message.bytes.length;
        if (left < 0 && found.length > 0) return found;
        found.push(message);
      }
      if (rows.length < most) return found;
      from = (found.at(-1)?.seq ?? 0) + 1;
    }
  }

  async held(
    session: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly HeldMessage[]> {
    if (!this.#from.rows.sessions.has(session)) return [];
    return this.#read<HeldMessage>({
      name: 'held',
      text: `select position, bytes from causeway.held
              where shard = $1 and session = $2 and position > $3 order by position limit $4`,
      values: [this.#from.shard, session, afterPosition, limit],
    });
  }

  /** Returns the message from which a session exceeds its size by at most this much, and the bytes before it. */
  async cutOf(
    session: string,
    excessBytes: number,
  ): Promise<{ readonly oldestKept: number; readonly bytes: number } | undefined> {
    const { numbering, oldestKept } = this.#from.rows.session(session);
    const [row] = await this.#read<{ seq: number; bytes: number }>({
      text: `select seq, size as bytes
               from (select seq, sum(length(bytes)) over (order by seq) as size
                       from causeway.messages
                      where shard = $1 and session = $2 and numbering = $3 and seq >= $4) m
              where size >= $5 order by seq limit 1`,
      values: [this.#from.shard, session, numbering, oldestKept, excessBytes],
    });
    return row && { oldestKept: row.seq + 1, bytes: row.bytes };
  }

  /** Deletes rows that are no longer needed; returns their number. */
  async tidy(
    streams: readonly string[],
    sessions: readonly string[],
    rows: number,
  ): Promise<number> {
    const [row] = await this.#read<{ deleted: number }>({
      name: 'tidy',
      text: 'select causeway.tidy($1, $2, $3, $4) as deleted',
      values: [this.#from.shard, streams, sessions, rows],
    });
    return row?.deleted ?? 0;
  }

  /** The disk usage of the tables of all shards. */
  async usedBytes(): Promise<number> {
    const [row] = await this.#read<{ bytes: number }>({
      text: `select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes
               from pg_class where relnamespace = 'causeway'::regnamespace and relkind = 'r'`,
    });
    return row?.bytes ?? 0;
  }

  /** The commits have moved to another connection, so this one may lead to a server that is no longer the primary. */
  renew(): void {
    this.#connection?.destroy();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
  }

  #read<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    return this.#oneAtATime.run(async () => {
      for (let refusals = 0; ; ) {
        if (this.#isClosed) throw new StoreFailed('the store is closed');
        try {
          return await this.#attempt<Row>(statement);
        } catch (error) {
          if (error instanceof PositionConflict) throw error;
          // While the database is away, commits wait as well, and they end an owner that was replaced.
          const isLost = error instanceof ConnectionLost;
          if (!isLost && /^(2[^5]|42)/.test(sqlStateOf(error) ?? '')) throw unreadable(error);
          this.#connection?.destroy();
          this.#connection = undefined;
          if (!isLost) refusals += 1;
          if (refusals === attempts || this.#from.connection !== undefined) throw unreadable(error);
          await new Promise((resolve) => setTimeout(resolve, betweenMs));
        }
      }
    });
  }

  async #attempt<Row extends object>(statement: Statement): Promise<readonly Row[]> {
    const { place, shard, epoch, confirmed } = this.#from;
    this.#connection ??= await connectToPrimary(place, 'process');
    const connection = this.#connection;
    if (this.#isClosed) connection.destroy();
    const needed = confirmed();
    const asked = connection.query<{ epoch: number; position: number }>({
      name: 'place',
      text: 'select epoch, position from causeway.shards where shard = $1',
      values: [shard],
    });
    const answered = connection.query<Row>(statement);
    answered.catch(() => {});
    const [row] = await within(connection, answerMs, asked);
    if (row === undefined || row.position < needed)
      throw new ConnectionLost('the server does not have what was committed');
    if (row.epoch !== epoch)
      throw new PositionConflict(`openings of shard ${shard}`, epoch, row.epoch);
    return await within(connection, answerMs, answered);
  }
}

function missing(position: number, stream: string): CorruptRecord {
  return new CorruptRecord(
    `record ${position} of stream ${stream}`,
    'it is missing in the database',
  );
}

function unreadable(error: unknown): StoreFailed {
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreFailed(`the database cannot be read: ${reason}`, { cause: error });
}
