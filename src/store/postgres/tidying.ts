/**
 * Housekeeping between the commits: deletes rows that no longer count, a bounded number at a time; finds sessions that exceed their
 * limit; and measures the tables.
 */
import type { Write } from '../store.ts';
import type { Reads } from './reads.ts';
import type { Rows } from './rows.ts';

/** Rows of each table that one statement deletes. */
const rowsAtOnce = 1_000;
const restMs = 200;
const measureEveryMs = 60_000;

export class Tidying {
  readonly #reads: Reads;
  readonly #rows: Rows;
  readonly #fullBytes: number;
  #streams: Set<string>;
  #sessions: Set<string>;
  /** Their messages grew. */
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
    // An owner before this one may have ended with something left to delete.
    this.#streams = new Set(rows.streams.keys());
    this.#sessions = new Set(rows.sessions.keys());
    this.#timer = setTimeout(() => this.#next(), restMs);
  }

  /** The tables are near their largest size. */
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

  /** Sessions that grew beyond the limit, each once until it is trimmed; with some slack, so that not each message trims. */
  *overLimit(keptBytes: number): Generator<string> {
    for (const session of this.#grown) {
      this.#grown.delete(session);
      const isOver = (this.#rows.sessions.get(session)?.keptBytes ?? 0) > keptBytes * (1 + 1 / 64);
      if (!isOver || this.#trimming.has(session)) continue;
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
    // If the database is away, the commits notice it and raise the alarm.
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
      // A full statement leaves some.
      if (deleted >= rowsAtOnce) {
        for (const stream of streams) this.#streams.add(stream);
        for (const session of sessions) this.#sessions.add(session);
      }
    }
  }
}
