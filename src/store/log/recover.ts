/**
 * Reads a log's index: the state at the start of its last segment, and the writes after it. It changes nothing, so a
 * tool can use it while the bridge runs.
 */
import { join } from 'node:path';
import { CorruptRecord } from '../store.ts';
import type { Disk, DiskFile } from './disk.ts';
import { LiveIndex, type PackedIndex } from './live-index.ts';
import { type SegmentName, segmentNames } from './owner.ts';
import {
  headBytes,
  type LogRecord,
  openEither,
  RawSegment,
  readHead,
  recordsOfBlock,
  recordsOfFile,
  SealedSegment,
  type SegmentHead,
  type SegmentInfo,
} from './segment.ts';
import type { SegmentTable } from './segment-table.ts';
import { Segments } from './segments.ts';

export interface Recovered {
  readonly index: LiveIndex;
  /** The segments of the log. The last one counts as complete, because an owner starts a new one. */
  readonly segments: Segments;
  /** The number of the last record. */
  readonly sequence: number;
  /** The highest number of any segment. */
  readonly lastSegment: number;
}

/** The content of a state record. */
export interface State extends PackedIndex {
  /** The earlier segments, in order. */
  readonly segments: readonly SegmentInfo[];
  /** The limit of the owner that wrote it. */
  readonly keptBytesPerSession: number;
}

/** `keptBytesPerSession` is an owner's limit; a reader uses the limit of the last owner. */
export function recover(disk: Disk, folder: string, keptBytesPerSession?: number): Recovered {
  const segments = new Segments(disk, folder);
  try {
    return recovered(segments, keptBytesPerSession);
  } catch (error) {
    segments.close();
    throw error;
  }
}

function recovered(segments: Segments, keptBytesPerSession: number | undefined): Recovered {
  const { disk, folder } = segments;
  const names = segmentNames(disk.list(folder));
  const lastSegment = Math.max(0, ...names.map(({ segment }) => segment));
  const base = lastBegun(disk, folder, names);
  if (base === undefined) {
    return { index: new LiveIndex(keptBytesPerSession ?? 0), segments, sequence: 0, lastSegment };
  }
  const { name, head, state, passed } = base;
  const index = LiveIndex.unpack(state, keptBytesPerSession ?? state.keptBytesPerSession);
  const present = new Map(names.map((each) => [`${each.segment}-${each.opening}`, each.isSealed]));
  const missing: SegmentInfo[] = [];
  for (const info of state.segments) {
    const isSealed = present.get(`${info.segment}-${info.opening}`);
    segments.infos.set(info.segment, info);
    if (isSealed === undefined) missing.push(info);
    else if (!isSealed) readRaw(segments, info, () => {});
    else if (info.sealedBytes === 0) {
      segments.infos.set(info.segment, { ...info, sealedBytes: sizeOf(segments, info) });
    }
  }
  const last = { segment: head.segment, opening: head.opening };
  const apply = (record: LogRecord, block: number) => {
    const path = join(folder, name.name);
    applyRecord(index, record, { segment: head.segment, block }, path);
  };
  const info = name.isSealed ? readSealed(segments, last, apply) : readRaw(segments, last, apply);
  segments.infos.set(head.segment, info);
  for (const later of passed) demandUnbegun(disk, folder, later, info.lastSequence + 1);
  // A segment that is no longer needed may have been removed.
  const live = index.liveBytes();
  for (const { segment } of missing) {
    if (live.has(segment)) throw new CorruptRecord(segments.pathOf(segment), 'it is missing');
    segments.infos.delete(segment);
  }
  if (keptBytesPerSession === undefined) segments.hold();
  return { index, segments, sequence: info.lastSequence, lastSegment };
}

interface Base {
  readonly name: SegmentName;
  readonly head: SegmentHead;
  readonly state: State;
  /** Later segments of the same owner that have no intact state. */
  readonly passed: readonly SegmentName[];
}

/**
 * The last segment with an intact state. A segment that was allocated in advance is empty, but the first segment of an
 * owner got its name only when its state was on the disk.
 */
function lastBegun(disk: Disk, folder: string, names: readonly SegmentName[]): Base | undefined {
  const passed: SegmentName[] = [];
  for (const name of names) {
    if (passed.length > 0 && passed[0]?.opening !== name.opening) break;
    const { file, path, isSealed } = openEither(disk, folder, name);
    using _opened = file;
    const head = readHead(file, path);
    const state = head === undefined ? undefined : firstState(file, head, path, isSealed);
    if (head !== undefined && state !== undefined)
      return { name: { ...name, isSealed }, head, state, passed };
    passed.push(name);
  }
  const first = passed.at(-1);
  if (first === undefined) return undefined;
  throw new CorruptRecord(
    `${join(folder, first.name)}, offset ${headBytes}`,
    'its state is damaged',
  );
}

/** Throws if a segment has acknowledged records although its state is damaged. */
function demandUnbegun(disk: Disk, folder: string, name: SegmentName, firstSequence: number): void {
  const { file, path, isSealed } = openEither(disk, folder, name);
  using _opened = file;
  const head = isSealed ? undefined : readHead(file, path);
  if (head === undefined) return;
  for (const _ of recordsOfFile(file, head, path, undefined, firstSequence));
}

function firstState(
  file: DiskFile,
  head: SegmentHead,
  path: string,
  isSealed: boolean,
): State | undefined {
  const [first] = isSealed
    ? recordsOfBlock(new SealedSegment(file, path), 0, path)
    : recordsOfFile(file, head, path);
  return first === undefined ? undefined : stateOf(first);
}

export function stateOf({ state }: LogRecord): State | undefined {
  return state && (JSON.parse(Buffer.from(state).toString()) as State);
}

export function applyRecord(
  index: LiveIndex,
  record: LogRecord,
  place: { readonly segment: number; readonly block: number },
  path: string,
): void {
  try {
    for (const write of record.writes) index.apply(write, { ...place, isCarried: false });
    for (const write of record.carried) index.apply(write, { ...place, isCarried: true });
  } catch (error) {
    throw new CorruptRecord(`${path}, offset ${record.offset}`, String(error));
  }
}

type Apply = (record: LogRecord, block: number) => void;
type Wanted = Pick<SegmentInfo, 'segment' | 'opening'> & Partial<SegmentInfo>;

/** Keeps the file open and its table in memory. */
function readRaw(segments: Segments, wanted: Wanted, apply: Apply): SegmentInfo {
  const { disk, folder } = segments;
  const { file, path } = openEither(disk, folder, wanted);
  const head = readHead(file, path);
  if (head === undefined) throw new CorruptRecord(`${path}, offset 0`, 'its head is missing');
  const raw = new RawSegment(file, head);
  segments.raw.set(wanted.segment, raw);
  for (const record of recordsOfFile(file, head, path, wanted.lastSequence)) {
    apply(record, noteRecord(raw.table, record, head));
    raw.end = record.end;
    raw.lastSequence = record.sequence;
  }
  return raw.info;
}

/** Records the blocks in which its records were written. */
export function noteRecord(table: SegmentTable, record: LogRecord, head: SegmentHead): number {
  const block = table.begin(record.offset, head.blockBytes);
  for (const write of [...record.writes, ...record.carried]) table.note(write, block);
  return block;
}

function readSealed(segments: Segments, wanted: Wanted, apply: Apply): SegmentInfo {
  const { segment, opening } = wanted;
  segments.infos.set(segment, { segment, opening, length: 0, lastSequence: 0, sealedBytes: 1 });
  const reader = segments.reader(segment) as SealedSegment;
  for (let block = 0; block < reader.table.blocks.length; block += 1) {
    for (const record of recordsOfBlock(reader, block, segments.pathOf(segment)))
      apply(record, block);
  }
  const { length, lastSequence } = reader;
  return { segment, opening, length, lastSequence, sealedBytes: sizeOf(segments, wanted) };
}

function sizeOf({ disk, folder }: Segments, wanted: Wanted): number {
  using file = openEither(disk, folder, wanted).file;
  return file.size();
}
