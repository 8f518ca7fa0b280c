/** A store without a disk, for tests. Nothing survives the process. */
import { entryOf } from '../../src/runtime/entry-of.ts';
import { firstIndex } from '../../src/runtime/first-index.ts';
import { lastSeq, type MessageRange, messagesOf } from '../../src/store/message-range.ts';
import { changeSession, newSession, type SessionRow } from '../../src/store/session-row.ts';
import {
  type CommitOptions,
  conflictOf,
  type HeldMessage,
  type JournalRecord,
  type KeptMessage,
  type Numbers,
  type Room,
  type Store,
  type Write,
} from '../../src/store/store.ts';

/** Grows while messages are consecutive, so that a busy session is a few large objects instead of one per message. */
interface KeptRange extends MessageRange {
  bytes: Uint8Array;
  readonly ends: number[];
}

interface SessionRows extends SessionRow {
  ranges: KeptRange[];
  waiting: HeldMessage[];
}

export interface MemoryLimits {
  /** Messages of a session beyond this size are dropped, oldest first. */
  readonly keptBytesPerSession: number;
}

/** Messages are dropped by ranges, so a range is a small part of what a session may keep. */
const maxRangeBytes = 64 * 1024;
const rangesPerSession = 64;

/** Used in place of a record that was dropped. */
const gone = new Uint8Array(0);

export class MemoryStore implements Store {
  readonly #limits: MemoryLimits;
  readonly #journals = new Map<string, Uint8Array[]>();
  /** The last dropped position of each stream. */
  readonly #forgotten = new Map<string, number>();
  readonly #snapshots = new Map<string, JournalRecord>();
  readonly #sessions = new Map<string, SessionRows>();
  readonly #cursors = new Map<string, number>();

  constructor(limits: MemoryLimits = { keptBytesPerSession: 64 * 1024 * 1024 }) {
    this.#limits = limits;
  }

  async commit(writes: readonly Write[], { onWritten }: CommitOptions = {}): Promise<void> {
    // A commit is atomic, so every position is compared before anything is applied.
    const conflict = conflictOf(writes, { end: (stream) => this.#journal(stream).length });
    if (conflict !== undefined) throw conflict;
    for (const write of writes) this.#apply(write);
    onWritten?.();
  }

  async keepNow(write: Extract<Write, { kind: 'snapshot' }>): Promise<void> {
    this.#apply(write);
  }

  confirmed(): undefined {
    return undefined;
  }

  room(): Room {
    return 'plenty';
  }

  async end(stream: string): Promise<number> {
    return this.#journal(stream).length;
  }

  async read(
    stream: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly JournalRecord[]> {
    const after = Math.max(afterPosition, this.#forgotten.get(stream) ?? 0);
    return this.#journal(stream)
      .slice(after, after + limit)
      .map((payload, index) => ({ position: after + index + 1, payload }));
  }

  async snapshot(stream: string): Promise<JournalRecord | undefined> {
    return this.#snapshots.get(stream);
  }

  async numbers(session: string): Promise<Numbers> {
    const { keptBytes, ranges, waiting, ...numbers } = this.#session(session);
    return numbers;
  }

  async messages(
    session: string,
    fromSeq: number,
    toSeq: number,
    maxBytes: number,
  ): Promise<readonly KeptMessage[]> {
    const found: KeptMessage[] = [];
    let size = 0;
    const { ranges, oldestKept } = this.#session(session);
    // A range may start below the oldest kept message.
    const first = Math.max(fromSeq, oldestKept);
    for (let i = firstReaching(ranges, first); i < ranges.length; i += 1) {
      const range = ranges[i];
      if (range === undefined || range.firstSeq > toSeq) break;
      for (const message of messagesOf(range, first, toSeq)) {
        size += message.bytes.length;
        if (size > maxBytes && found.length > 0) return found;
        found.push(message);
      }
    }
    return found;
  }

  async held(
    session: string,
    afterPosition: number,
    limit: number,
  ): Promise<readonly HeldMessage[]> {
    const { waiting } = this.#session(session);
    return waiting.filter(({ position }) => position > afterPosition).slice(0, limit);
  }

  async cursor(name: string): Promise<number | undefined> {
    return this.#cursors.get(name);
  }

  /** Drops messages below `belowSeq`, as the size limit does. */
  trim(session: string, belowSeq: number): void {
    const rows = this.#session(session);
    dropOldest(rows, firstReaching(rows.ranges, belowSeq));
    rows.oldestKept = Math.max(rows.oldestKept, Math.min(belowSeq, rows.nextOut));
  }

  async ready(): Promise<void> {}

  async close(): Promise<void> {}

  #apply(write: Write): void {
    switch (write.kind) {
      case 'append':
        this.#journal(write.stream).push(write.payload);
        return;
      case 'snapshot':
        this.#snapshots.set(write.stream, write);
        return;
      case 'forget':
        this.#forgotten.set(write.stream, write.position);
        this.#journal(write.stream).fill(gone, 0, write.position);
        return;
      case 'cursor':
        this.#cursors.set(write.name, write.value);
        return;
      default: {
        const rows = this.#session(write.session);
        changeSession(rows, write);
        if (write.kind === 'messages') this.#keep(rows, write);
        else if (write.kind === 'reset') rows.ranges = [];
        else if (write.kind === 'hold') rows.waiting.push(write);
        else if (write.kind === 'mark' && write.name === 'released')
          rows.waiting = rows.waiting.filter(({ position }) => position > write.value);
      }
    }
  }

  #keep(rows: SessionRows, { firstSeq, bytes, ends }: MessageRange): void {
    const { keptBytesPerSession } = this.#limits;
    const most = Math.min(maxRangeBytes, keptBytesPerSession / rangesPerSession);
    const last = rows.ranges.at(-1);
    const follows = last !== undefined && lastSeq(last) === firstSeq - 1;
    if (follows && sizeOf(last) + bytes.length <= most) extend(last, bytes, ends);
    else rows.ranges.push({ firstSeq, bytes, ends: [...ends] });
    // Drops a quarter at a time, so that a session at its limit does not shift its whole list at each message.
    if (rows.keptBytes > keptBytesPerSession) dropOldest(rows, Math.ceil(rows.ranges.length / 4));
  }

  #journal(stream: string): Uint8Array[] {
    return entryOf(this.#journals, stream, () => []);
  }

  #session(name: string): SessionRows {
    return entryOf(this.#sessions, name, () => ({ ...newSession, ranges: [], waiting: [] }));
  }
}

function sizeOf({ ends }: MessageRange): number {
  return ends.at(-1) ?? 0;
}

/** Bytes that were returned never change: new bytes are appended after them, or to a copy. */
function extend(range: KeptRange, bytes: Uint8Array, ends: readonly number[]): void {
  const start = sizeOf(range);
  if (start + bytes.length > range.bytes.length) {
    const wider = new Uint8Array(2 * (start + bytes.length));
    wider.set(range.bytes.subarray(0, start));
    range.bytes = wider;
  }
  range.bytes.set(bytes, start);
  for (const end of ends) range.ends.push(start + end);
}

/** The index of the first range that contains `seq` or a higher number; ranges are in order of number. */
function firstReaching(ranges: readonly MessageRange[], seq: number): number {
  return firstIndex(ranges.length, (index) => lastSeq(ranges[index] as MessageRange) >= seq);
}

function dropOldest(rows: SessionRows, count: number): void {
  for (const dropped of rows.ranges.splice(0, count)) {
    rows.keptBytes -= sizeOf(dropped);
    rows.oldestKept = lastSeq(dropped) + 1;
  }
}
