/**
 * Housekeeping between commits: deletes rows that are no longer needed, a bounded number at a time; finds sessions that
 * exceed their limit; and measures the tables.
 */
import type { Write } from '../store.ts';
import type { Reads } from './reads.ts';
import type { Rows } from './rows.ts';

/** The number of rows of each table that one statement deletes. */
const rowsAtOnce = 1_000;
const restMs = 200;
const measureEveryMs = 60_000;

export class Tidying {
  readonly #reads: Reads;
  readonly #rows: Rows;
  readonly #fullBytes: number;
  #streams: Set<string>;
  #sessions: Set<string>;
  /** Sessions whose messages grew. */
  readonly #grown = new Set<string>();
  readonly #trimming = new Set<string>();
  #isFull = false;
  #measuredMs = Number.NEGATIVE_INFINITY;
  #underWay: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(reads: Reads, rows: Rows, fullBytes: number) {
    this.#reads = reads;
    this.#rows = rows;
    this.#fullBytes = fullBytes;
    // The previous owner may have exited with rows left to delete.
    this.#streams = new Set(rows.streams.keys());
    this.#sessions = new Set(rows.sessions.keys());
    this.#timer = setTimeout(() => this.#next(), restMs);
  }

  /** Whether the tables are close to their maximum size. */
  get isFull(): boolean {
    return this.#isFull;
  }

  committed(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind === 'forget') this.#streams.add(write.stream);
      else if (write.kind === 'messages') this.#grown.add(write.session);
      else if (write.kind === 'reset') this.#sessions.add(write.session);
    }
  }

  /** Sessions that exceed the limit, each once until it is trimmed; with slack, so that not every message trims. */
  *overLimit(keptBytes: number): Generator<string> {
    for (const session of this.#grown) {
      if (this.#trimming.has(session)) continue;
      this.#grown.delete(session);
      const isOver = (this.#rows.sessions.get(session)?.keptBytes ?? 0) > keptBytes * (1 + 1 / 64);
      if (!isOver) continue;
      this.#trimming.add(session);
      yield session;
    }
  }

  trimmed(session: string): void {
    this.#trimming.delete(session);
    this.#sessions.add(session);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#underWay;
  }

  #next(): void {
    // If the database is away, the commits detect it and raise the alarm.
    this.#underWay = this.#tidy()
      .catch(() => {})
      .then(() => {
        this.#underWay = undefined;
        if (this.#timer !== undefined) this.#timer = setTimeout(() => this.#next(), restMs);
      });
  }

  async #tidy(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#measuredMs > measureEveryMs) {
      this.#measuredMs = nowMs;
      this.#isFull = (await this.#reads.usedBytes()) > this.#fullBytes;
    }
    if (this.#streams.size + this.#sessions.size === 0) return;
    const streams = this.#streams;
    const sessions = this.#sessions;
    this.#streams = new Set();
    this.#sessions = new Set();
    let deleted = rowsAtOnce;
    try {
      deleted = await this.#reads.tidy([...streams], [...sessions], rowsAtOnce);
    } finally {
      // If a statement deletes the maximum, more rows are left.
      if (deleted >= rowsAtOnce) {
        for (const stream of streams) this.#streams.add(stream);
        for (const session of sessions) this.#sessions.add(session);
      }
    }
  }
}
