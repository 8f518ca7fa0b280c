/**
 * One file of the trail: records in chronological order, with links to find those of one order. It is not
 * authoritative, so it is written without waiting for the disk: after a power loss its end may be missing.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { TrailEntry } from './trail-batch.ts';

export interface TrailRow extends TrailEntry {
  readonly id: number;
  readonly type: string;
  readonly seq: number | null;
}

export interface TrailSearch {
  readonly session?: string | undefined;
  readonly direction?: 'in' | 'out' | undefined;
  readonly type?: string | undefined;
  /** Bytes to find in the message, such as `\x0158=hello\x01`. */
  readonly contains?: string | undefined;
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

const schema = `
CREATE TABLE IF NOT EXISTS records (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, at_us REAL NOT NULL, name TEXT NOT NULL, type TEXT NOT NULL, seq INTEGER,
  bytes BLOB NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS links (link TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (link, id))
  STRICT, WITHOUT ROWID;
`;
const columns = 'id, kind, at_us AS atUs, name, type, seq, bytes';

export class TrailSegment {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #link: StatementSync;
  #lastId: number;
  #count: number;

  constructor(path: string, firstId: number) {
    this.path = path;
    this.#database = new DatabaseSync(path);
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    this.#database.exec(schema);
    this.#insert = this.#database.prepare(`INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?)`);
    this.#link = this.#database.prepare('INSERT OR IGNORE INTO links VALUES (?, ?)');
    const held = this.#database.prepare('SELECT max(id) AS last, count(*) AS count FROM records');
    const { last, count } = held.get() as { readonly last: number | null; readonly count: number };
    this.#lastId = last ?? firstId - 1;
    this.#count = count;
  }

  get lastId(): number {
    return this.#lastId;
  }

  get count(): number {
    return this.#count;
  }

  /** Everything that `call` adds is one transaction. */
  write(call: () => void): void {
    const [lastId, count] = [this.#lastId, this.#count];
    this.#database.exec('BEGIN');
    try {
      call();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#lastId = lastId;
      this.#count = count;
      // On a full disk SQLite has rolled back by itself, and another attempt would hide the reason.
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  add(row: Omit<TrailRow, 'id'>, links: readonly string[]): void {
    const { kind, atUs, name, type, seq, bytes } = row;
    this.#lastId += 1;
    this.#count += 1;
    this.#insert.run(this.#lastId, kind, atUs, name, type, seq, bytes);
    for (const link of links) this.#link.run(link, this.#lastId);
  }

  /** Messages, latest first. */
  search(search: TrailSearch): TrailRow[] {
    const terms = ["kind IN ('in', 'out')"];
    const values: SQLInputValue[] = [];
    const where = (term: string, value: SQLInputValue | undefined) => {
      if (value === undefined) return;
      terms.push(term);
      values.push(value);
    };
    where('name = ?', search.session);
    where('kind = ?', search.direction);
    where('type = ?', search.type);
    where('at_us >= ?', search.fromUs);
    where('at_us <= ?', search.toUs);
    where('id < ?', search.beforeId);
    where('instr(bytes, ?) > 0', search.contains && Buffer.from(search.contains));
    return this.#rows(
      `SELECT ${columns} FROM records WHERE ${terms.join(' AND ')} ORDER BY id DESC LIMIT ?`,
      [...values, search.limit],
    );
  }

  get(id: number): TrailRow | undefined {
    return this.#rows(`SELECT ${columns} FROM records WHERE id = ?`, [id])[0];
  }

  /** Records with one of these links: the first and the last `limit` of them, oldest first. */
  linked(links: readonly string[], limit: number): TrailRow[] {
    const places = links.map(() => '?').join();
    return this.#rows(
      `WITH found AS (SELECT DISTINCT id FROM links WHERE link IN (${places}))
       SELECT ${columns} FROM records WHERE id IN (SELECT id FROM found ORDER BY id LIMIT ?)
       OR id IN (SELECT id FROM found ORDER BY id DESC LIMIT ?) ORDER BY id`,
      [...links, limit, limit],
    );
  }

  close(): void {
    this.#database.close();
  }

  #rows(sql: string, values: readonly SQLInputValue[]): TrailRow[] {
    // The table is strict, so its columns have the types of the schema.
    return this.#database.prepare(sql).all(...values) as unknown as TrailRow[];
  }
}
