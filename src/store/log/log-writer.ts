/**
 * The open end of a log: records are appended to the open segment and applied to the index. A long segment is followed
 * by the next one, which is prepared in advance and starts with the whole index.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { encodeRecord, type LogWrite, markBytes } from '../record.ts';
import { conflictOf, type PositionConflict, type Write } from '../store.ts';
import type { Disk, DiskFile } from './disk.ts';
import type { LiveIndex } from './live-index.ts';
import { type Owner, segmentNames } from './owner.ts';
import { type Recovered, recover, type State } from './recover.ts';
import { encodeHead, headBytes, RawSegment, rawPath, type SegmentHead } from './segment.ts';
import type { Segments } from './segments.ts';

export interface WriterOptions {
  /** A segment is followed by the next one once it has this length, */
  readonly segmentBytes: number;
  readonly blockBytes: number;
  /** and this many times the length of its initial state, however large the index is. */
  readonly stateShare: number;
  /**
   * Records are synced before they are acknowledged. Segments then get their full length in advance: a sync that also
   * records a new length takes about twice the time.
   */
  readonly isSynced: boolean;
  /** Messages of a session beyond this size are dropped, oldest first and a whole segment at a time. */
  readonly keptBytesPerSession: number;
}

/** At most this much is synced when the next segment starts; the rest is synced earlier, alongside commits. */
const little = 256 * 1024;

const piece = Buffer.alloc(1024 * 1024);

/** The folder of a log, and its owner. */
export interface LogPlace {
  readonly disk: Disk;
  readonly folder: string;
  readonly owner: Owner;
}

export class LogWriter {
  readonly index: LiveIndex;
  readonly segments: Segments;
  readonly #place: LogPlace;
  readonly #options: WriterOptions;
  readonly #mark: Uint8Array;
  #sequence: number;
  #lastSegment: number;
  #open: RawSegment;
  #block = 0;
  /** The state at the start of the open segment, until it is written. */
  #state: Extract<LogWrite, { kind: 'state' }> | undefined;
  #longBytes: number;
  #next: RawSegment | undefined;
  /** The offset up to which the open segment has been synced. */
  #syncedEnd = 0;
  /** The last record up to which everything has been synced. */
  #syncedSequence: number;
  #flush: Promise<void> | undefined;
  #failure: unknown;

  /** Continues an existing log, for its owner. */
  static async open(
    place: LogPlace,
    options: WriterOptions,
    recovered: Recovered = recover(place.disk, place.folder, options.keptBytesPerSession),
  ): Promise<LogWriter> {
    const { opening } = place.owner;
    const { blockBytes } = options;
    const segment = recovered.lastSegment + 1;
    const mark = randomBytes(markBytes);
    try {
      await writtenAgain(place, recovered.segments);
      const first = await made(place, { segment, opening, mark, blockBytes }, options);
      // The first segment gets its name together with its state; only later segments of an opening may lack a state.
      const writer = new LogWriter(place, options, recovered, first);
      await publish(place, first);
      const { conflict } = writer;
      if (conflict !== undefined) throw conflict;
      removeStrays(place, writer);
      return writer;
    } catch (error) {
      recovered.segments.close();
      throw error;
    }
  }

  private constructor(
    place: LogPlace,
    options: WriterOptions,
    { index, segments, sequence }: Recovered,
    first: RawSegment,
  ) {
    this.index = index;
    this.segments = segments;
    this.#place = place;
    this.#options = options;
    this.#mark = first.head.mark;
    this.#sequence = sequence;
    this.#syncedSequence = sequence;
    this.#lastSegment = first.head.segment;
    this.#longBytes = options.segmentBytes;
    segments.raw.set(first.head.segment, first);
    this.#open = first;
    this.#begin(first);
    this.write([]);
  }

  get conflict(): PositionConflict | undefined {
    return this.#place.owner.conflict;
  }

  get segment(): number {
    return this.#open.head.segment;
  }

  /** The length of the open segment, relative to the length at which it is full. */
  get lengths(): number {
    return Math.floor(this.#open.end / this.#longBytes);
  }

  /** Called before a group of commits is added: their writes go into one block. */
  begin(): void {
    this.#block = this.#open.table.blockAt(this.#open.end, this.#open.head.blockBytes);
  }

  /**
   * Switches from a full segment to the next one, if that is ready. The old segment must be on the disk first, because
   * a state must not survive without the records that it describes. There is no switch during a sync, which is for the
   * old segment.
   */
  leaveLong(): void {
    if (this.#failure !== undefined) throw this.#failure;
    const next = this.#next;
    if (this.#open.end < this.#longBytes || next === undefined) return;
    const unsynced = this.#open.end - this.#syncedEnd;
    if (unsynced > little) {
      this.#flush ??= this.sync().then(
        () => {
          this.#flush = undefined;
        },
        (error) => {
          this.#failure = error;
        },
      );
      return;
    }
    if (unsynced > 0) this.syncNow();
    this.#begin(next);
    this.#next = undefined;
  }

  /** Adds the writes of a commit to the next `write`, unless one of its appends conflicts. */
  take(writes: readonly Write[], isCarried = false): PositionConflict | undefined {
    const conflict = isCarried ? undefined : conflictOf(writes, this.index);
    if (conflict !== undefined) return conflict;
    const place = { segment: this.segment, block: this.#block, isCarried };
    for (const write of writes) {
      this.index.apply(write, place);
      this.#open.table.note(write, this.#block);
    }
    return undefined;
  }

  /** Writes one record. Throws the disk's error, or a `PositionConflict` if another process has opened the log. */
  write(writes: readonly Write[], carried: readonly Write[] = []): void {
    const all: LogWrite[] = this.#state === undefined ? [] : [this.#state];
    for (const write of writes) all.push(write);
    if (carried.length > 0) all.push({ kind: 'carried' }, ...carried);
    // Without syncs all written records count as acknowledged, so a missing one is damage.
    const records = this.#options.isSynced ? this.#sequence - this.#syncedSequence : 0;
    if (records > 0) all.push({ kind: 'behind', records });
    const sequence = this.#sequence + 1;
    const record = encodeRecord(this.#mark, sequence, all);
    const open = this.#open;
    open.table.begin(open.end, open.head.blockBytes);
    open.file.write(record, open.end);
    const { conflict } = this;
    if (conflict !== undefined) throw conflict;
    open.end += record.length;
    open.lastSequence = sequence;
    this.#sequence = sequence;
    this.#state = undefined;
  }

  async sync(): Promise<void> {
    const open = this.#open;
    const { end, lastSequence } = open;
    await open.sync();
    this.#syncedSequence = Math.max(this.#syncedSequence, lastSequence);
    if (this.#open === open) this.#syncedEnd = Math.max(this.#syncedEnd, end);
  }

  syncNow(): void {
    this.#open.syncNow();
    this.#syncedEnd = this.#open.end;
    this.#syncedSequence = this.#open.lastSequence;
  }

  /** Prepares the next segment, unless it is ready. */
  async prepare(): Promise<void> {
    if (this.#next !== undefined) return;
    const head = { ...this.#open.head, segment: this.#lastSegment + 1 };
    const next = await made(this.#place, head, this.#options);
    await publish(this.#place, next);
    this.#next = next;
    this.#lastSegment += 1;
  }

  close(): void {
    this.#next?.close();
    this.segments.close();
  }

  /** Writes records to the new segment from now on, after the current state. */
  #begin(segment: RawSegment): void {
    const { index, segments } = this;
    const before = this.#open === segment ? [] : [this.#open.info];
    const { keptBytesPerSession } = index;
    const infos = [...segments.infos.values(), ...before];
    const state: State = { ...index.pack(), segments: infos, keptBytesPerSession };
    const payload = Buffer.from(JSON.stringify(state));
    const { segmentBytes, stateShare } = this.#options;
    segment.table.begin(headBytes, segment.head.blockBytes);
    this.#state = { kind: 'state', payload };
    for (const info of before) segments.infos.set(info.segment, info);
    segments.raw.set(segment.head.segment, segment);
    this.#open = segment;
    this.#syncedEnd = 0;
    this.#longBytes = Math.max(segmentBytes, stateShare * payload.length);
  }
}

/**
 * The previous owner may have died without a power loss, so data that was read from its files may not be on the disk,
 * and after a failed sync no later sync makes it durable. So it is written again before anything depends on it.
 */
async function writtenAgain({ disk, folder }: LogPlace, { raw }: Segments): Promise<void> {
  for (const { file, head, end } of raw.values()) {
    using again = disk.open(rawPath(folder, head.segment, head.opening), 'write');
    again.write(file.read(0, end), 0);
    await again.sync();
  }
}

/** A segment is created under another name and renamed once its head is on the disk, so its name means completeness. */
async function made(
  { disk, folder }: LogPlace,
  head: SegmentHead,
  options: WriterOptions,
): Promise<RawSegment> {
  const temporary = `${rawPath(folder, head.segment, head.opening)}.new`;
  disk.remove(temporary);
  const file = disk.open(temporary, 'new');
  try {
    file.write(encodeHead(head), 0);
    if (options.isSynced) await fill(file, options.segmentBytes, disk.freeBytes(folder));
    return new RawSegment(file, head);
  } catch (error) {
    file.close();
    throw error;
  }
}

async function publish({ disk, folder }: LogPlace, { file, head }: RawSegment): Promise<void> {
  const path = rawPath(folder, head.segment, head.opening);
  await file.sync();
  disk.rename(`${path}.new`, path);
  await disk.syncDirectory(folder);
}

/** Does nothing on a nearly full disk, and ignores failures: a shorter file works too. */
async function fill(file: DiskFile, bytes: number, freeBytes: number): Promise<void> {
  if (freeBytes < 4 * bytes) return;
  try {
    for (let at = headBytes; at < bytes; at += piece.length) {
      file.write(piece.subarray(0, Math.min(piece.length, bytes - at)), at);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch {
    // A failing disk reports its error again at the next commit, where it matters.
  }
}

/** Removes files that previous owners left unfinished, or wrote after they had been replaced. */
function removeStrays({ disk, folder, owner }: LogPlace, { segments }: LogWriter): void {
  const names = disk.list(folder);
  const strays = names.filter((name) => name.endsWith('.new'));
  const present = segmentNames(names);
  const sealed = present.filter(({ isSealed }) => isSealed).map(({ name }) => name);
  for (const { segment, opening, isSealed, name } of present) {
    const isOurs = opening === owner.opening || segments.infos.get(segment)?.opening === opening;
    if (!isOurs || (!isSealed && sealed.includes(`${name}z`))) strays.push(name);
  }
  for (const name of strays) disk.remove(join(folder, name));
}
