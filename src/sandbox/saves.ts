/** Keeps the venue's state in one SQLite file across restarts: each save replaces the one before, or none does. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { EmbeddedVenue, SavedVenue } from './embedded-venue.ts';

const saveEveryMs = 1000;
/** Saving takes at most one part in so many of the time, however large the state has grown. */
const share = 20;

export class Saves {
  readonly #database: DatabaseSync;
  #nextMs = 0;
  #savedText = '';

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(join(directory, 'sandbox.sqlite'));
    this.#database.exec(
      'PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS venue (name TEXT PRIMARY KEY, json TEXT NOT NULL)',
    );
  }

  load(): SavedVenue | undefined {
    const row = this.#database.prepare("SELECT json FROM venue WHERE name = 'venue'").get();
    const { json } = row ?? {};
    return typeof json === 'string' ? (JSON.parse(json) as SavedVenue) : undefined;
  }

  /** Saves once a second or less often; what happened since is lost when the process is killed. */
  keep(venue: EmbeddedVenue, monoMs: number): void {
    if (monoMs < this.#nextMs) return;
    const startMs = performance.now();
    this.#save(venue);
    const tookMs = Math.ceil(performance.now() - startMs);
    this.#nextMs = monoMs + Math.max(saveEveryMs, tookMs * share);
  }

  close(venue: EmbeddedVenue): void {
    this.#save(venue);
    this.#database.close();
  }

  #save(venue: EmbeddedVenue): void {
    const text = JSON.stringify(venue.save());
    if (text === this.#savedText) return;
    this.#savedText = text;
    this.#database.prepare("INSERT OR REPLACE INTO venue VALUES ('venue', ?)").run(text);
  }
}
