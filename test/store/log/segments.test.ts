/** The files that are open and the blocks that are in memory: each of them bounded, and never an old form of what has grown. */
import { expect, test } from 'vitest';
import type { Disk } from '../../../src/store/log/disk.ts';
import { recover } from '../../../src/store/log/recover.ts';
import { seal, zstd } from '../../../src/store/log/seal.ts';
import { Segments } from '../../../src/store/log/segments.ts';
import { append, emptyDisk, folder, ownerOf, put, putRandom } from './log-samples.ts';

/** Counts what is open and what is read. */
function counted(disk: Disk) {
  const counts = { open: 0, most: 0, reads: 0 };
  const counting: Disk = {
    ...disk,
    open(path, mode) {
      const file = disk.open(path, mode);
      counts.open += 1;
      counts.most = Math.max(counts.most, counts.open);
      return {
        ...file,
        read(at, bytes) {
          counts.reads += 1;
          return file.read(at, bytes);
        },
        close() {
          counts.open -= 1;
          file.close();
        },
        [Symbol.dispose]() {
          this.close();
        },
      };
    },
  };
  return { counting, counts };
}

test('a block that was read is in memory, and that of the open segment is read again when it has grown', async () => {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated, { blockBytes: 1e6, segmentBytes: 1e6 });
  put(writer, [append('a', 0)]);
  const [{ segments }, segment] = [writer, writer.segment];
  const before = segments.wholeOf(segment, 0);
  expect(segments.wholeOf(segment, 0)).toBe(before);
  put(writer, [append('a', 1)]);
  const after = segments.wholeOf(segment, 0);
  expect(after.records.length).toBe(before.records.length + 1);
  expect(after.damage).toBeUndefined();
});

test('of hundreds of compressed segments only some are open at once, and all can be read', async () => {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated, { segmentBytes: 100, blockBytes: 100 });
  for (let i = 0; i < 150; i += 1) {
    await writer.prepare();
    put(writer, [append('a', i)]);
  }
  for (const info of writer.segments.infos.values()) {
    const raw = writer.segments.raw.get(info.segment);
    if (raw !== undefined) await seal(simulated.disk, folder, raw, 1, zstd);
  }
  const { counting, counts } = counted(simulated.disk);
  const infos = [...writer.segments.infos];
  const segments = new Segments(counting, folder);
  for (const [segment, info] of infos) segments.infos.set(segment, info);
  for (const [segment] of [...infos, ...infos]) {
    const { damage, records } = segments.wholeOf(segment, 0);
    expect([damage, records.length > 0]).toEqual([undefined, true]);
  }
  expect(infos.length).toBeGreaterThan(100);
  expect(counts.most).toBeLessThanOrEqual(65);
  const { reads } = counts;
  for (const [segment] of infos) segments.wholeOf(segment, 0);
  expect(counts.reads).toBe(reads);
  segments.close();
  expect(counts.open).toBe(0);
});

test('a segment that is forgotten is closed, and its blocks are not read from memory', async () => {
  const simulated = emptyDisk();
  await putRandom(await ownerOf(simulated), 30);
  simulated.end(false);
  const { counting, counts } = counted(simulated.disk);
  const { segments } = recover(counting, folder, 1e9);
  const [first = 0] = segments.infos.keys();
  segments.wholeOf(first, 0);
  const { open } = counts;
  const used = segments.usedBytes;
  segments.forget(first);
  expect(counts.open).toBe(open - 1);
  expect(segments.usedBytes).toBeLessThan(used);
  expect(() => segments.wholeOf(first, 0)).toThrow('it is missing');
  segments.close();
  expect(counts.open).toBe(0);
});
