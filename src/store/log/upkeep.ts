/**
 * The maintenance of a log. It prepares the next segment, compresses complete ones, removes those that are no longer
 * needed, and rewrites the remaining data of those that are mostly unneeded. It works in small steps, one at a time.
 */
import { isFull } from '../space.ts';
import type { Write } from '../store.ts';
import { LogReader } from './log-reader.ts';
import type { LogPlace, LogWriter } from './log-writer.ts';
import { type Compress, seal, zstd } from './seal.ts';
import { rawPath, type SegmentInfo, sealedPath } from './segment.ts';

/** A segment is rewritten if less than this share of it is needed. */
const almostDead = 0.25;
/** The same threshold while space is short. */
const halfDead = 0.75;

export interface UpkeepParts extends LogPlace {
  readonly writer: LogWriter;
  /** Writes the result again, together with other commits. */
  carry(live: () => readonly Write[]): Promise<void>;
  readonly compress?: Compress | undefined;
  /** Whether the data is close to its maximum size. */
  isTight(): boolean;
  failed(error: unknown): void;
}

export class Upkeep {
  readonly #parts: UpkeepParts;
  readonly #reader: LogReader;
  #running: Promise<void> | undefined;
  #preparing: Promise<void> | undefined;
  #isWanted = false;
  #isOver = false;
  #seen = { segment: 0, lengths: 0 };

  constructor(parts: UpkeepParts) {
    this.#parts = parts;
    const { index, segments } = parts.writer;
    this.#reader = new LogReader(index, segments);
  }

  /** Called after each commit: there is work if a segment was started, or should have been. */
  look(): void {
    const { segment, lengths } = this.#parts.writer;
    if (segment === this.#seen.segment && lengths === this.#seen.lengths) return;
    this.#seen = { segment, lengths };
    this.#isWanted = true;
    // The next segment must not wait until another one is compressed.
    this.#preparing ??= this.#tried(() => this.#parts.writer.prepare()).then(() => {
      this.#preparing = undefined;
    });
    this.#running ??= this.#run();
  }

  /** Resolves when the next segment is ready. */
  async prepared(): Promise<void> {
    await this.#preparing;
  }

  /** Resolves when all work is done. */
  async settled(): Promise<void> {
    await this.#preparing;
    await this.#running;
  }

  /**
   * Starts no more work: after a failure the index is ahead of the disk, which may need segments that it no longer has.
   */
  end(): void {
    this.#isOver = true;
  }

  /** Resolves when the current step is done; the next owner does the rest. */
  async close(): Promise<void> {
    this.end();
    await this.settled();
  }

  async #run(): Promise<void> {
    while (this.#isWanted && !this.#isOver) {
      this.#isWanted = false;
      await this.#tried(async () => {
        await this.#seal();
        await this.#carry();
        await this.#removeDead();
      });
    }
    this.#running = undefined;
  }

  /** On a full disk nothing changes until there is space, or the next segment starts. */
  async #tried(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (isFull(error)) return;
      this.end();
      this.#parts.failed(error);
    }
  }

  async #seal(): Promise<void> {
    const { disk, folder, owner, writer, compress = zstd } = this.#parts;
    const { segments } = writer;
    for (const info of [...segments.infos.values()]) {
      const raw = segments.raw.get(info.segment);
      if (raw === undefined || info.sealedBytes > 0) continue;
      if (this.#isOver) return;
      // A later segment refers to this one, and must be on the disk before this one may be compressed.
      await writer.sync();
      const sealedBytes = await seal(disk, folder, raw, owner.opening, compress);
      segments.infos.set(info.segment, { ...info, sealedBytes });
      segments.raw.delete(info.segment);
      raw.close();
    }
  }

  async #carry(): Promise<void> {
    const { writer, isTight } = this.#parts;
    const { segments, index } = writer;
    const most = isTight() ? halfDead : almostDead;
    const needs = index.liveBytes();
    for (const info of segments.infos.values()) {
      const needed = needs.get(info.segment);
      if (needed === undefined || needed > most * info.length) continue;
      const { blocks } = segments.reader(info.segment).table;
      for (let block = 0; block < blocks.length; block += 1) {
        if (this.#isOver) return;
        // Evaluated again when it is written: much may have been forgotten by then.
        const live = () => this.#reader.live(info.segment, block);
        if (live().length > 0) await this.#parts.carry(live);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  }

  async #removeDead(): Promise<void> {
    const { disk, folder, owner, writer } = this.#parts;
    const { segments, index } = writer;
    const live = index.liveBytes();
    const isDead = ({ segment }: SegmentInfo) => !live.has(segment);
    const dead = [...segments.infos.values()].filter(isDead);
    if (dead.length === 0) return;
    // The writes that replaced them, and the rewritten records, must be on the disk first.
    await writer.sync();
    for (const { segment, opening } of dead) {
      // The next owner removes what it does not need.
      if (this.#isOver || owner.conflict !== undefined) return;
      segments.forget(segment);
      disk.remove(sealedPath(folder, segment, opening));
      disk.remove(rawPath(folder, segment, opening));
    }
  }
}
