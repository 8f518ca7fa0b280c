/**
 * The trail on disk: a ring of files, so that the oldest records are removed by deleting a file, never one by one. It
 * stores batches and answers the console's queries; one thread uses it.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf } from '../runtime/entry-of.ts';
import { endsOf } from './long-list.ts';
import {
  factsOf,
  linksOfMessage,
  linksOfRecord,
  linksOfRequest,
  withoutSecrets,
} from './message-fields.ts';
import { messageStream } from './message-stream.ts';
import { readBatch, type TrailEntry, type TrailKind } from './trail-batch.ts';
import { type TrailRow, type TrailSearch, TrailSegment } from './trail-segment.ts';

export interface RingOptions {
  readonly directory: string;
  /** The approximate number of records that are kept. */
  readonly maxRecords: number;
}

const segments = 4;
const maxLinks = 2_000;
/** The main thread takes over all linked records at once. */
const maxLinked = 1_200;
const maxStreams = 10_000;
const keyForm = /"key":"([0-9a-f]{1,64})"/;
const form = /^trail-(\d+)\.db$/;

export class TrailRing {
  readonly #options: RingOptions;
  readonly #segments: TrailSegment[];
  readonly #streams = new Map<string, ReturnType<typeof messageStream>>();
  /** Links of requests without an answer, by idempotency key. */
  readonly #requests = new Map<string, readonly string[]>();

  constructor(options: RingOptions) {
    this.#options = options;
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    const kept = readdirSync(options.directory)
      .flatMap((file) => form.exec(file)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b);
    this.#segments = kept.map((first) => this.#open(first));
    if (kept.length === 0) this.#segments.push(this.#open(1));
  }

  count(): number {
    return this.#segments.reduce((sum, { count }) => sum + count, 0);
  }

  /** Returns the current number of records. */
  take(batch: ArrayBuffer, length: number): number {
    this.#roll();
    const segment = this.#latest;
    segment.write(() => {
      for (const entry of readBatch(batch, length)) this.#add(segment, entry);
    });
    return this.count();
  }

  /** Messages, latest first. */
  search(search: TrailSearch): TrailRow[] {
    const found: TrailRow[] = [];
    for (const segment of this.#segments.toReversed()) {
      const limit = search.limit - found.length;
      if (limit === 0) break;
      found.push(...segment.search({ ...search, limit }));
    }
    return found;
  }

  get(id: number): TrailRow | undefined {
    for (const segment of this.#segments) {
      const row = segment.get(id);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** Records with one of these links, oldest first; of too many, the first and the last ones. */
  linked(links: readonly string[]): readonly TrailRow[] {
    if (links.length === 0) return [];
    const sought = links.slice(0, maxLinks);
    const found = this.#segments.flatMap((segment) => segment.linked(sought, maxLinked / 2));
    return endsOf(found, maxLinked).kept;
  }

  close(): void {
    for (const segment of this.#segments) segment.close();
  }

  #add(segment: TrailSegment, { kind, atUs, name, bytes }: TrailEntry): void {
    if (kind !== 'in' && kind !== 'out') {
      const links = this.#linksOf(kind, name, Buffer.from(bytes).toString());
      segment.add({ kind, atUs, name, type: kind, seq: null, bytes }, links);
      return;
    }
    for (const message of this.#stream(`${kind} ${name}`)(bytes)) {
      const shown = withoutSecrets(message);
      const facts = factsOf(shown);
      const { type, seq } = facts;
      segment.add({ kind, atUs, name, type, seq, bytes: shown }, linksOfMessage(name, facts));
    }
  }

  /** An answer has the links of its request, which its idempotency key identifies. */
  #linksOf(kind: TrailKind, account: string, text: string): readonly string[] {
    if (kind === 'journal') return linksOfRecord(text);
    const key = keyForm.exec(text)?.[1] ?? '';
    if (kind === 'answer') {
      const links = this.#requests.get(key) ?? [];
      this.#requests.delete(key);
      return links;
    }
    if (this.#requests.size >= maxStreams) this.#requests.clear();
    const links = linksOfRequest(account, text);
    this.#requests.set(key, links);
    return links;
  }

  #stream(name: string): ReturnType<typeof messageStream> {
    const isNew = !this.#streams.has(name);
    if (isNew && this.#streams.size >= maxStreams) this.#streams.clear();
    return entryOf(this.#streams, name, messageStream);
  }

  #roll(): void {
    const latest = this.#latest;
    if (latest.count < this.#options.maxRecords / segments) return;
    this.#segments.push(this.#open(latest.lastId + 1));
    while (this.#segments.length > segments) {
      const oldest = this.#segments.shift();
      oldest?.close();
      for (const end of ['', '-wal', '-shm']) rmSync(`${oldest?.path}${end}`, { force: true });
    }
  }

  get #latest(): TrailSegment {
    const latest = this.#segments.at(-1);
    if (latest === undefined) throw new Error('the trail has no file');
    return latest;
  }

  #open(firstId: number): TrailSegment {
    return new TrailSegment(join(this.#options.directory, `trail-${firstId}.db`), firstId);
  }
}
