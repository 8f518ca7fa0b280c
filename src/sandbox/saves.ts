/**
 * Keeps the venue's state in one SQLite file across restarts: the state about every second, and behind it each input
 * before its answer is let out. A start applies those again, so a venue that is killed has lost nothing it has told.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { EmbeddedVenue, SavedVenue, VenueInput } from './embedded-venue.ts';
import type { VenueRequest } from './http-message.ts';

const saveEveryMs = 1000;
/** Saving takes at most one part in so many of the time, however large the state has grown. */
const share = 20;
/** A kill leaves what was written; only a loss of power may take the last of it. */
const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS venue (name TEXT PRIMARY KEY, json TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS input (position INTEGER PRIMARY KEY, json TEXT NOT NULL);
`;

/** An input as text: the bytes of a body in base64. */
interface WrittenInput {
  readonly wallMs: number;
  readonly request?: Omit<VenueRequest, 'body'> & { readonly body: string };
}

export class Saves {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  #nextMs = 0;

  constructor(directory: string) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(join(directory, 'sandbox.sqlite'));
    this.#database.exec(schema);
    this.#insert = this.#database.prepare('INSERT INTO input (json) VALUES (?)');
  }

  load(): SavedVenue | undefined {
    const row = this.#database.prepare("SELECT json FROM venue WHERE name = 'venue'").get();
    const { json } = row ?? {};
    if (typeof json !== 'string') return undefined;
    const inputs = this.#database.prepare('SELECT json FROM input ORDER BY position').all();
    return {
      ...(JSON.parse(json) as SavedVenue),
      inputs: inputs.map(({ json: input }) => read(input)),
    };
  }

  record({ request, wallMs }: VenueInput): void {
    const body = Buffer.from(request?.body ?? []).toString('base64');
    const written = { wallMs, ...(request && { request: { ...request, body } }) };
    this.#insert.run(JSON.stringify(written));
  }

  /** Saves once a second or less often. */
  keep(venue: EmbeddedVenue, monoMs: number): void {
    if (monoMs < this.#nextMs) return;
    const startMs = performance.now();
    this.save(venue);
    const tookMs = Math.ceil(performance.now() - startMs);
    this.#nextMs = monoMs + Math.max(saveEveryMs, tookMs * share);
  }

  /** The state stands for all inputs before it. */
  save(venue: EmbeddedVenue): void {
    const text = JSON.stringify(venue.save());
    this.#database.exec('BEGIN');
    this.#database.prepare("INSERT OR REPLACE INTO venue VALUES ('venue', ?)").run(text);
    this.#database.exec('DELETE FROM input; COMMIT');
  }

  close(venue: EmbeddedVenue): void {
    this.save(venue);
    this.#database.close();
  }
}

function read(json: unknown): VenueInput {
  const { request, wallMs } = JSON.parse(String(json)) as WrittenInput;
  if (request === undefined) return { wallMs };
  return { wallMs, request: { ...request, body: Buffer.from(request.body, 'base64') } };
}
