/**
 * The in-memory index of the log. It contains numbers and cursors themselves, and for everything else the segments that
 * contain it. One function applies a write: at a commit, at a start, and for `causeway journal verify`. The state
 * record at the start of each segment is this index (docs/decisions/0270-a-log-of-segments.md).
 */
import { entryOf } from '../../runtime/entry-of.ts';
import { lastSeq } from '../message-range.ts';
import { changeSession, newSession, type SessionRow, sizeOf } from '../session-row.ts';
import type { Write } from '../store.ts';
import { Extents } from './extents.ts';
import { type Span, spanOf } from './segment-table.ts';

export interface SnapshotPlace {
  readonly position: number;
  readonly segment: number;
  readonly block: number;
  readonly bytes: number;
}

export interface StreamRow {
  end: number;
  forgottenTo: number;
  snapshot: SnapshotPlace | undefined;
  readonly extents: Extents;
}

export interface SessionEntry {
  readonly row: SessionRow;
  readonly kept: Extents;
  readonly held: Extents;
}

/** Where a write is stored. */
export interface Place {
  readonly segment: number;
  readonly block: number;
  /** The write is a copy of an earlier one whose segment is about to be removed. */
  readonly isCarried: boolean;
}

type PackedExtents = ReturnType<Extents['pack']>;

export interface PackedIndex {
  readonly streams: readonly (readonly [
    string,
    number,
    number,
    SnapshotPlace | null,
    PackedExtents,
  ])[];
  readonly sessions: readonly (readonly [string, SessionRow, PackedExtents, PackedExtents])[];
  readonly cursors: readonly (readonly [string, number])[];
}

export class LiveIndex {
  readonly streams = new Map<string, StreamRow>();
  readonly sessions = new Map<string, SessionEntry>();
  readonly cursors = new Map<string, number>();
  readonly keptBytesPerSession: number;

  constructor(keptBytesPerSession: number) {
    this.keptBytesPerSession = keptBytesPerSession;
  }

  static unpack(packed: PackedIndex, keptBytesPerSession: number): LiveIndex {
    const index = new LiveIndex(keptBytesPerSession);
    for (const [name, end, forgottenTo, snapshot, extents] of packed.streams) {
      const row = { end, forgottenTo, extents: Extents.unpack(extents) };
      index.streams.set(name, { ...row, snapshot: snapshot ?? undefined });
    }
    for (const [name, row, kept, held] of packed.sessions) {
      const entry = { row, kept: Extents.unpack(kept), held: Extents.unpack(held) };
      index.sessions.set(name, entry);
    }
    for (const [name, value] of packed.cursors) index.cursors.set(name, value);
    return index;
  }

  pack(): PackedIndex {
    const { streams, sessions, cursors } = this;
    return {
      streams: [...streams].map(([name, { end, forgottenTo, snapshot, extents }]) => {
        return [name, end, forgottenTo, snapshot ?? null, extents.pack()];
      }),
      sessions: [...sessions].map(([name, { row, kept, held }]) => {
        return [name, row, kept.pack(), held.pack()];
      }),
      cursors: [...cursors],
    };
  }

  end(stream: string): number {
    return this.streams.get(stream)?.end ?? 0;
  }

  /** Throws if a write does not follow the existing ones, which would be a bug. */
  apply(write: Write, place: Place): void {
    const span = place.isCarried ? spanOf(write) : undefined;
    if (span !== undefined) {
      this.extents(span)?.move(span.from, span.to, place.segment, extentBytes(write));
      return;
    }
    switch (write.kind) {
      case 'append':
        this.#append(write, place);
        return;
      case 'snapshot': {
        const { segment, block } = place;
        const { position } = write;
        this.stream(write.stream).snapshot = { position, segment, block, bytes: sizeOf(write) };
        return;
      }
      case 'forget': {
        const row = this.stream(write.stream);
        row.forgottenTo = Math.max(row.forgottenTo, write.position);
        row.extents.dropUpTo(write.position);
        return;
      }
      case 'messages':
        this.#keep(write, place);
        return;
      case 'hold':
        this.#hold(write, place);
        return;
      case 'cursor':
        this.cursors.set(write.name, write.value);
        return;
      default: {
        const { row, kept, held } = this.session(write.session);
        changeSession(row, write);
        if (write.kind === 'reset') kept.clear();
        if (write.kind === 'mark' && write.name === 'released') held.dropUpTo(write.value);
      }
    }
  }

  /** The approximate number of bytes of each segment that are still needed. */
  liveBytes(): Map<number, number> {
    const found = new Map<number, number>();
    const count = (segment: number, bytes: number) =>
      found.set(segment, (found.get(segment) ?? 0) + bytes);
    const countAll = (extents: Extents) => {
      for (const { segment, bytes } of extents) count(segment, bytes);
    };
    for (const { snapshot, extents } of this.streams.values()) {
      if (snapshot !== undefined) count(snapshot.segment, snapshot.bytes);
      countAll(extents);
    }
    for (const { kept, held } of this.sessions.values()) {
      countAll(kept);
      countAll(held);
    }
    return found;
  }

  /** The segments with records of this kind and name, if there are any. */
  extents({ kind, name }: Pick<Span, 'kind' | 'name'>): Extents | undefined {
    if (kind === 'append') return this.streams.get(name)?.extents;
    const session = this.sessions.get(name);
    return kind === 'messages' ? session?.kept : session?.held;
  }

  stream(name: string): StreamRow {
    return entryOf(this.streams, name, () => {
      return { end: 0, forgottenTo: 0, snapshot: undefined, extents: new Extents() };
    });
  }

  session(name: string): SessionEntry {
    return entryOf(this.sessions, name, () => {
      return { row: { ...newSession }, kept: new Extents(), held: new Extents() };
    });
  }

  #append(write: Extract<Write, { kind: 'append' }>, { segment }: Place): void {
    const { stream, expected } = write;
    const row = this.stream(stream);
    const position = expected + 1;
    if (row.end !== expected)
      throw new Error(`record ${position} of stream ${stream} follows number ${row.end}`);
    row.end = position;
    row.extents.add(position, position, segment, extentBytes(write));
  }

  /** Two messages with one number would be a bug. Surplus messages are dropped by whole extents, oldest first. */
  #keep(write: Extract<Write, { kind: 'messages' }>, { segment }: Place): void {
    const { session, firstSeq } = write;
    const { row, kept } = this.session(session);
    if (firstSeq <= kept.end)
      throw new Error(`messages from ${firstSeq} of session ${session} follow number ${kept.end}`);
    kept.add(firstSeq, lastSeq(write), segment, extentBytes(write));
    changeSession(row, write);
    for (;;) {
      const bytes = kept.first?.bytes ?? 0;
      if (kept.first?.segment === segment || row.keptBytes - bytes < this.keptBytesPerSession)
        return;
      row.oldestKept = (kept.dropFirst()?.to ?? 0) + 1;
      row.keptBytes -= bytes;
    }
  }

  #hold(write: Extract<Write, { kind: 'hold' }>, { segment }: Place): void {
    const { session, position } = write;
    const { row, held } = this.session(session);
    if (position <= row.heldTo)
      throw new Error(
        `held message ${position} of session ${session} follows number ${row.heldTo}`,
      );
    held.add(position, position, segment, extentBytes(write));
    changeSession(row, write);
  }
}

/** Messages count as in the limit of their session. */
function extentBytes(write: Write): number {
  return write.kind === 'messages' ? write.bytes.length : sizeOf(write);
}
