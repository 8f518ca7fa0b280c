/**
 * Reads the contents of a log one block at a time. Each step uses the current index, so records may be appended,
 * forgotten or carried forward between two steps.
 */
import { messagesOf } from '../message-range.ts';
import {
  CorruptRecord,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Write,
} from '../store.ts';
import type { LiveIndex } from './live-index.ts';
import type { LogRecord } from './segment.ts';
import { type Kind, spanOf } from './segment-table.ts';
import type { Segments } from './segments.ts';

/** The records found in one block. */
export interface Step<T> {
  readonly found: readonly T[];
  /** The position of the next step; undefined at the end. */
  readonly next: number | undefined;
}

interface BlockOf {
  readonly segment: number;
  readonly block: number;
}

/** Where the records between two positions are stored. */
interface Run extends BlockOf {
  readonly from: number;
  readonly to: number;
}

/** All from there on, step by step. */
export function* stepped<T>(from: number, step: (at: number) => Step<T>): Generator<T> {
  let at: number | undefined = from;
  while (at !== undefined) {
    const here: Step<T> = step(at);
    yield* here.found;
    at = here.next;
  }
}

export class LogReader {
  readonly #index: LiveIndex;
  readonly #segments: Segments;

  constructor(index: LiveIndex, segments: Segments) {
    this.#index = index;
    this.#segments = segments;
  }

  records(stream: string, from: number): Step<JournalRecord> {
    const run = this.#run('append', stream, from);
    if (run === undefined) return { found: [], next: undefined };
    const first = Math.max(from, (this.#index.streams.get(stream)?.forgottenTo ?? 0) + 1);
    if (run.from !== first) throw this.#missing(`record ${first} of stream ${stream}`, run);
    const found = new Map<number, JournalRecord>();
    // If another record of the block is damaged, the records of this stream may still be complete.
    const { records, damage } = this.#segments.wholeOf(run.segment, run.block);
    for (const write of records.flatMap(writesOf)) {
      if (write.kind !== 'append' || write.stream !== stream) continue;
      const position = write.expected + 1;
      if (position < run.from || position > run.to) continue;
      found.set(position, { position, payload: copied(write.payload) });
    }
    for (let position = run.from; position <= run.to; position += 1) {
      if (found.has(position)) continue;
      const record = `record ${position} of stream ${stream}`;
      throw damage === undefined
        ? this.#missing(record, run)
        : new CorruptRecord(record, damage.message);
    }
    return { found: [...found.values()], next: run.to + 1 };
  }

  snapshot(stream: string): JournalRecord | undefined {
    const place = this.#index.streams.get(stream)?.snapshot;
    if (place === undefined) return undefined;
    let found: JournalRecord | undefined;
    for (const write of this.#named(`the snapshot of stream ${stream}`, place)) {
      if (write.kind === 'snapshot' && write.stream === stream) found = write;
    }
    if (found === undefined) throw this.#missing(`the snapshot of stream ${stream}`, place);
    return { position: found.position, payload: copied(found.payload) };
  }

  /** Reads messages from `from` to at most `to`. */
  messages(session: string, from: number, to: number): Step<KeptMessage> {
    const run = this.#run('messages', session, from);
    if (run === undefined || run.from > to) return { found: [], next: undefined };
    let found: KeptMessage[] = [];
    const about = `messages from ${run.from} of session ${session}`;
    for (const write of this.#named(about, run)) {
      if (!('session' in write) || write.session !== session) continue;
      if (write.kind === 'reset') found = [];
      if (write.kind !== 'messages' || write.firstSeq > run.to) continue;
      for (const { seq, bytes } of messagesOf(write, run.from, to)) {
        found.push({ seq, bytes: copied(bytes) });
      }
    }
    found.sort((a, b) => a.seq - b.seq);
    return { found, next: Math.max(run.to, found.at(-1)?.seq ?? 0) + 1 };
  }

  held(session: string, from: number): Step<HeldMessage> {
    const run = this.#run('hold', session, from);
    if (run === undefined) return { found: [], next: undefined };
    const found: HeldMessage[] = [];
    const about = `held messages from ${run.from} of session ${session}`;
    for (const write of this.#named(about, run)) {
      if (write.kind !== 'hold' || write.session !== session) continue;
      const { position, bytes } = write;
      if (position >= run.from && position <= run.to)
        found.push({ position, bytes: copied(bytes) });
    }
    found.sort((a, b) => a.position - b.position);
    return { found, next: run.to + 1 };
  }

  /** The writes of a block that are still needed, because of which its segment cannot be removed. */
  live(segment: number, block: number): readonly Write[] {
    const found = new Map<string, Write>();
    for (const write of this.#named(`what is live of block ${block}`, { segment, block })) {
      const span = spanOf(write);
      if (span !== undefined) {
        const { kind, name, from, to } = span;
        const run = this.#run(kind, name, to);
        const isHere = run?.segment === segment && run.block === block && run.from === to;
        // The last message with a number is the valid one: earlier ones belong to a numbering that was reset.
        if (isHere) found.set(`${kind} ${from} ${name}`, write);
      } else if (write.kind === 'snapshot') {
        const place = this.#index.streams.get(write.stream)?.snapshot;
        if (place?.segment === segment && place.block === block)
          found.set(`snapshot ${write.stream}`, write);
      } else if (write.kind === 'reset') {
        for (const [name, other] of found) {
          if (other.kind === 'messages' && other.session === write.session) found.delete(name);
        }
      }
    }
    return [...found.values()];
  }

  #run(kind: Kind, name: string, position: number): Run | undefined {
    const extent = this.#index.extents({ kind, name })?.reaching(position);
    if (extent === undefined) return undefined;
    const from = Math.max(position, extent.from);
    const place = this.#segments.reader(extent.segment).table.find(kind, name, from);
    if (place === undefined) throw this.#missing(`${kind} ${from} of ${name}`, extent);
    return {
      segment: extent.segment,
      block: place.block,
      from: Math.max(from, place.from),
      to: Math.min(extent.to, place.to),
    };
  }

  #missing(what: string, { segment }: { readonly segment: number }): CorruptRecord {
    return new CorruptRecord(what, `it is missing in ${this.#segments.pathOf(segment)}`);
  }

  /** All writes of a block; a read error contains the requested stream or session. */
  #named(about: string, { segment, block }: BlockOf): readonly Write[] {
    const { records, damage } = this.#segments.wholeOf(segment, block);
    if (damage !== undefined) throw new CorruptRecord(about, damage.message);
    return records.flatMap(writesOf);
  }
}

function writesOf({ writes, carried }: LogRecord): readonly Write[] {
  return [...writes, ...carried];
}

/** Copies the bytes, so that one record does not keep its whole block in memory. */
function copied(bytes: Uint8Array): Uint8Array {
  return Uint8Array.prototype.slice.call(bytes);
}
