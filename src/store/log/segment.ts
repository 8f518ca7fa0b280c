/**
 * One file of the log (docs/decisions/0270-a-log-of-segments.md). Numbers are little-endian.
 *
 *   N-O.log    head, records one after the other, then zeros or nothing      N: segment, O: the owner that wrote it
 *   N-O.logz   head, blocks of records each compressed, the table compressed, foot
 *   head(64):  name(16) mark(16) segment(8) opening(8) blockBytes(4) crc(4)
 *   foot(32):  tableAt(8) tableBytes(8) tableCrc(4) name(12)
 *
 * An offset always refers to the `.log`, even if only the `.logz` is left.
 */
import { join } from 'node:path';
import { crc32, zstdDecompressSync } from 'node:zlib';
import { committed, decodeRecord, markBytes, recordAt, recordsIn } from '../record.ts';
import { CorruptRecord, StoreFailed, type Write } from '../store.ts';
import type { Disk, DiskFile } from './disk.ts';
import { type PackedTable, SegmentTable } from './segment-table.ts';

export const headBytes = 64;
const footBytes = 32;
const headName = Buffer.from('causeway log 1\n\0');
const footName = Buffer.from('causeway log');
const nameBytes = headName.length;
const segmentAt = nameBytes + markBytes;
const openingAt = segmentAt + 8;
const blockBytesAt = openingAt + 8;
const headCrcAt = blockBytesAt + 4;

export interface SegmentHead {
  readonly segment: number;
  readonly opening: number;
  /** Random for each opening; each of its records starts with it. */
  readonly mark: Uint8Array;
  readonly blockBytes: number;
}

/** What the state of a later segment contains about this one. */
export interface SegmentInfo {
  readonly segment: number;
  readonly opening: number;
  /** The end of its last record. */
  readonly length: number;
  /** The number of its last record. */
  readonly lastSequence: number;
  /** Size of the compressed file; 0 if there is none. */
  readonly sealedBytes: number;
}

export interface LogRecord {
  readonly offset: number;
  readonly sequence: number;
  /** The whole index, in the first record of a segment. */
  readonly state: Uint8Array | undefined;
  readonly writes: readonly Write[];
  /** Copies of earlier writes whose segment is about to be removed. */
  readonly carried: readonly Write[];
}

/** A segment whose records can be read, compressed or not. */
export interface SegmentReader {
  readonly head: SegmentHead;
  readonly table: SegmentTable;
  /** The bytes of a block, which consists of whole records. */
  readBlock(block: number): Buffer;
  close(): void;
}

export const rawPath = (folder: string, segment: number, opening: number) =>
  join(folder, `${segment}-${opening}.log`);

export const sealedPath = (folder: string, segment: number, opening: number) =>
  join(folder, `${segment}-${opening}.logz`);

export function encodeHead({ segment, opening, mark, blockBytes }: SegmentHead): Buffer {
  const head = Buffer.alloc(headBytes);
  head.set(headName);
  head.set(mark, nameBytes);
  head.writeBigUInt64LE(BigInt(segment), segmentAt);
  head.writeBigUInt64LE(BigInt(opening), openingAt);
  head.writeUInt32LE(blockBytes, blockBytesAt);
  head.writeUInt32LE(crc32(head.subarray(0, headCrcAt)), headCrcAt);
  return head;
}

/** Undefined if the segment has not been started; throws if the file is something else. */
export function readHead(file: DiskFile, path: string): SegmentHead | undefined {
  const head = file.read(0, headBytes);
  if (head.length < headBytes || head.every((byte) => byte === 0)) return undefined;
  const isWhole =
    headName.equals(head.subarray(0, nameBytes)) &&
    crc32(head.subarray(0, headCrcAt)) === head.readUInt32LE(headCrcAt);
  if (!isWhole) throw new CorruptRecord(`${path}, offset 0`, 'its head is damaged');
  return {
    segment: Number(head.readBigUInt64LE(segmentAt)),
    opening: Number(head.readBigUInt64LE(openingAt)),
    mark: Uint8Array.prototype.slice.call(head, nameBytes, segmentAt),
    blockBytes: head.readUInt32LE(blockBytesAt),
  };
}

/** An uncompressed segment: the open one, or one that has not been compressed yet. */
export class RawSegment implements SegmentReader {
  readonly head: SegmentHead;
  readonly table = new SegmentTable();
  readonly file: DiskFile;
  end = headBytes;
  lastSequence = 0;
  /** Stays rejected after a failure, because the system then considers the data as written. */
  #syncs: Promise<void> = Promise.resolve();

  constructor(file: DiskFile, head: SegmentHead) {
    this.file = file;
    this.head = head;
  }

  get info(): SegmentInfo {
    const { head, end, lastSequence } = this;
    const { segment, opening } = head;
    return { segment, opening, length: end, lastSequence, sealedBytes: 0 };
  }

  readBlock(block: number): Buffer {
    const { blocks } = this.table;
    const from = blocks[block] ?? this.end;
    return this.file.read(from, (blocks[block + 1] ?? this.end) - from);
  }

  /** Waits for syncs that started earlier, because an earlier one may fail after a later one has completed. */
  async sync(): Promise<void> {
    const syncs = Promise.all([this.#syncs, this.file.sync()]).then(() => {});
    this.#syncs = syncs;
    try {
      await syncs;
    } catch (error) {
      throw lost(error);
    }
  }

  syncNow(): void {
    try {
      this.file.syncNow();
    } catch (error) {
      throw lost(error);
    }
  }

  close(): void {
    this.file.close();
  }
}

/** After a failed sync the records may be lost, and no later sync restores them, whatever the cause was. */
function lost(error: unknown): StoreFailed {
  return new StoreFailed(`the store cannot write: ${String(error)}`, { cause: error });
}

export interface SealedTable {
  readonly table: PackedTable;
  /** The start of each compressed block; the last block ends where the table starts. */
  readonly starts: readonly number[];
  readonly length: number;
  readonly lastSequence: number;
}

export function encodeFoot(tableAt: number, table: Uint8Array): Buffer {
  const foot = Buffer.alloc(footBytes);
  foot.writeBigUInt64LE(BigInt(tableAt), 0);
  foot.writeBigUInt64LE(BigInt(table.length), 8);
  foot.writeUInt32LE(crc32(table), 16);
  foot.set(footName, 20);
  return foot;
}

export class SealedSegment implements SegmentReader {
  readonly head: SegmentHead;
  readonly table: SegmentTable;
  readonly length: number;
  readonly lastSequence: number;
  readonly #path: string;
  readonly #file: DiskFile;
  readonly #starts: readonly number[];
  readonly #tableAt: number;

  /** Takes ownership of the file. */
  constructor(file: DiskFile, path: string) {
    this.#file = file;
    this.#path = path;
    const head = readHead(file, path);
    const foot = file.read(Math.max(0, file.size() - footBytes), footBytes);
    if (head === undefined || !foot.subarray(20).equals(footName))
      throw new CorruptRecord(path, 'its foot is damaged');
    this.head = head;
    this.#tableAt = Number(foot.readBigUInt64LE(0));
    const table = file.read(this.#tableAt, Number(foot.readBigUInt64LE(8)));
    if (crc32(table) !== foot.readUInt32LE(16))
      throw new CorruptRecord(path, 'its table is damaged');
    // The checksum is correct, so this is what was written.
    const packed = JSON.parse(zstdDecompressSync(table).toString()) as SealedTable;
    this.table = SegmentTable.unpack(packed.table);
    this.length = packed.length;
    this.lastSequence = packed.lastSequence;
    this.#starts = packed.starts;
  }

  readBlock(block: number): Buffer {
    const [from = 0, to = this.#tableAt] = this.#starts.slice(block, block + 2);
    const { blocks } = this.table;
    const offset = blocks[block] ?? 0;
    const length = (blocks[block + 1] ?? this.length) - offset;
    try {
      // The buffer has room for everything at once: joining pieces takes as long as decompressing them.
      const room = { chunkSize: length + 1, maxOutputLength: length + 1 };
      const bytes = zstdDecompressSync(this.#file.read(from, to - from), room);
      if (bytes.length === length) return bytes;
    } catch {}
    throw new CorruptRecord(`${this.#path}, offset ${offset}`, 'its block is damaged');
  }

  close(): void {
    this.#file.close();
  }
}

/** The readable part of a block. */
export interface Block {
  readonly records: readonly LogRecord[];
  /** The first fault in the block. */
  readonly damage: CorruptRecord | undefined;
}

export function blockOf(reader: SegmentReader, block: number, path: string): Block {
  const records: LogRecord[] = [];
  let damage: CorruptRecord | undefined;
  try {
    const bytes = reader.readBlock(block);
    const { mark } = reader.head;
    const begin = reader.table.blocks[block] ?? 0;
    for (let at = 0; at < bytes.length; ) {
      const record = wholeAt(bytes, at, mark);
      if (record !== undefined) {
        records.push({ ...record, offset: begin + at });
        at += record.bytes;
        continue;
      }
      damage ??= damaged(path, begin + at);
      const next = bytes.indexOf(mark, at + 1);
      at = next < 0 ? bytes.length : next;
    }
  } catch (error) {
    if (!(error instanceof CorruptRecord)) throw error;
    damage = error;
  }
  return { records, damage };
}

/** Throws if a record in these bytes is incomplete. It does not parse them, which would take ten times as long. */
export function checkSums(
  bytes: Buffer,
  { head: { mark }, table }: SegmentReader,
  block: number,
  path: string,
): void {
  for (let at = 0; at < bytes.length; ) {
    const record = markedAt(bytes, at, mark);
    if (record === undefined) throw damaged(path, (table.blocks[block] ?? 0) + at);
    at += record.bytes.length;
  }
}

/** The records of a block, each of which must be complete. */
export function recordsOfBlock(
  reader: SegmentReader,
  block: number,
  path: string,
): readonly LogRecord[] {
  const { records, damage } = blockOf(reader, block, path);
  if (damage !== undefined) throw damage;
  return records;
}

/**
 * The records of an uncompressed file, from the first one up to `lastSequence` or to the end. An incomplete last record
 * was never acknowledged; a damaged record before an intact one is a fault. If the first record is damaged, only its
 * number, `firstSequence`, can reveal that.
 */
export function* recordsOfFile(
  file: DiskFile,
  { mark }: SegmentHead,
  path: string,
  lastSequence = Number.POSITIVE_INFINITY,
  firstSequence?: number,
): Generator<LogRecord & { readonly end: number }> {
  const bytes = file.read(0, file.size());
  let at = headBytes;
  let next = firstSequence;
  for (;;) {
    const record = wholeAt(bytes, at, mark);
    if (record === undefined || record.sequence !== (next ?? record.sequence)) break;
    next = record.sequence + 1;
    yield { ...record, offset: at, end: at + record.bytes };
    at += record.bytes;
    if (record.sequence === lastSequence) return;
  }
  if (lastSequence < Number.POSITIVE_INFINITY) throw damaged(path, at);
  // A record that was on the disk before a later one was written cannot be incomplete because of a power loss.
  for (const record of recordsIn(bytes.subarray(at), mark)) {
    const last = decodeRecord(record).at(-1);
    const behind = last?.kind === 'behind' ? last.records : 0;
    if (record.sequence - behind > (next ?? record.sequence)) throw damaged(path, at);
  }
}

function markedAt(bytes: Buffer, from: number, mark: Uint8Array) {
  const record = recordAt(bytes, from);
  const isMarked = record?.bytes.compare(mark, 0, mark.length, 0, mark.length) === 0;
  return isMarked ? record : undefined;
}

function wholeAt(bytes: Buffer, from: number, mark: Uint8Array) {
  const record = markedAt(bytes, from, mark);
  if (record === undefined) return undefined;
  const writes = decodeRecord(record);
  const at = writes.findIndex(({ kind }) => kind === 'carried');
  const end = at < 0 ? writes.length : at;
  return {
    sequence: record.sequence,
    bytes: record.bytes.length,
    state: writes[0]?.kind === 'state' ? writes[0].payload : undefined,
    writes: committed(writes.slice(0, end)),
    carried: committed(writes.slice(end)),
  };
}

function damaged(path: string, offset: number): CorruptRecord {
  return new CorruptRecord(
    `${path}, offset ${offset}`,
    'it is damaged and durable records follow it',
  );
}

/** Opens a segment's file, whichever form exists; it may get compressed in the meantime. */
export function openEither(
  disk: Disk,
  folder: string,
  { segment, opening }: Pick<SegmentInfo, 'segment' | 'opening'>,
): { readonly file: DiskFile; readonly path: string; readonly isSealed: boolean } {
  const sealed = sealedPath(folder, segment, opening);
  const raw = rawPath(folder, segment, opening);
  for (const path of [sealed, raw, sealed]) {
    try {
      return { file: disk.open(path, 'read'), path, isSealed: path === sealed };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  throw new CorruptRecord(raw, 'it is missing');
}
