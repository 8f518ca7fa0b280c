/** The segments of a log and their blocks. Recently read blocks stay in memory, up to a limit. */
import { keepLatest } from '../../runtime/keep-latest.ts';
import type { Disk } from './disk.ts';
import {
  type Block,
  blockOf,
  openEither,
  type RawSegment,
  rawPath,
  SealedSegment,
  type SegmentInfo,
  type SegmentReader,
} from './segment.ts';

const maxOpen = 64;
const maxBlockBytes = 4 * 1024 ** 2;

export class Segments {
  readonly disk: Disk;
  readonly folder: string;
  /** All segments but the open one, in the order in which they were written. */
  readonly infos = new Map<number, SegmentInfo>();
  /** The open segment, and those that are not compressed yet. */
  readonly raw = new Map<number, RawSegment>();
  readonly #sealed = new Map<number, SealedSegment>();
  /** Opened by `hold`, and closed at the end. */
  readonly #held = new Map<number, ReturnType<typeof openEither>>();
  readonly #blocks = new Map<string, Block>();

  constructor(disk: Disk, folder: string) {
    this.disk = disk;
    this.folder = folder;
  }

  get usedBytes(): number {
    let bytes = 0;
    for (const { sealedBytes, length } of this.infos.values()) bytes += sealedBytes || length;
    for (const [segment, { end }] of this.raw) if (!this.infos.has(segment)) bytes += end;
    return bytes;
  }

  /** Opens all files now, for a reader: their owner may remove them while they are read. */
  hold(): void {
    for (const info of this.infos.values()) this.#held.set(info.segment, this.open(info));
  }

  open(info: Pick<SegmentInfo, 'segment' | 'opening'>): ReturnType<typeof openEither> {
    return this.#held.get(info.segment) ?? openEither(this.disk, this.folder, info);
  }

  reader(segment: number): SegmentReader {
    const raw = this.raw.get(segment);
    if (raw !== undefined) return raw;
    const known = this.#sealed.get(segment);
    if (known !== undefined) return keepLatest(this.#sealed, segment, known, maxOpen, this.#drop);
    const info = this.infos.get(segment) ?? { segment, opening: 0 };
    const { file, path } = this.open(info);
    try {
      const sealed = new SealedSegment(file, path);
      return keepLatest(this.#sealed, segment, sealed, maxOpen, this.#drop);
    } catch (error) {
      this.#drop(file);
      throw error;
    }
  }

  /** The complete records of a block. A block of the open segment is read again if more was written. */
  wholeOf(segment: number, block: number): Block {
    const isComplete = this.infos.has(segment);
    const end = isComplete ? '' : this.raw.get(segment)?.end;
    const name = `${segment}/${block}/${end}`;
    const known = this.#blocks.get(name);
    if (known !== undefined) return keepLatest(this.#blocks, name, known, this.#blocks.size);
    const reader = this.reader(segment);
    const found = blockOf(reader, block, this.pathOf(segment));
    return keepLatest(this.#blocks, name, found, maxBlockBytes / reader.head.blockBytes);
  }

  /** The path of a segment in error messages. */
  pathOf(segment: number): string {
    const opening = (this.infos.get(segment) ?? this.raw.get(segment)?.head)?.opening ?? 0;
    return rawPath(this.folder, segment, opening);
  }

  forget(segment: number): void {
    this.infos.delete(segment);
    for (const open of [this.raw, this.#sealed]) {
      open.get(segment)?.close();
      open.delete(segment);
    }
    for (const name of this.#blocks.keys()) {
      if (name.startsWith(`${segment}/`)) this.#blocks.delete(name);
    }
  }

  close(): void {
    for (const reader of this.raw.values()) reader.close();
    for (const reader of this.#sealed.values()) this.#drop(reader);
    for (const { file } of this.#held.values()) file.close();
    for (const open of [this.raw, this.#sealed, this.#held]) open.clear();
  }

  readonly #drop = (reader: Pick<SegmentReader, 'close'>) => {
    if (this.#held.size === 0) reader.close();
  };
}
