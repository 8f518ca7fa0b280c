/** A segment that is compressed can be read at any moment, whatever dies or fails meanwhile. */
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { recover } from '../../../src/store/log/recover.ts';
import { seal, zstd } from '../../../src/store/log/seal.ts';
import { rawPath, recordsOfBlock, type SegmentReader } from '../../../src/store/log/segment.ts';
import type { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { emptyDisk, folder, ownerOf, putRandom } from './log-samples.ts';

const compress = async (bytes: Uint8Array) => zstdCompressSync(bytes);

async function twoSegments(): Promise<SimulatedDisk> {
  const simulated = emptyDisk();
  await putRandom(await ownerOf(simulated), 20);
  simulated.end(false);
  return simulated;
}

const recordsOf = (reader: SegmentReader) =>
  reader.table.blocks.flatMap((_, block) => recordsOfBlock(reader, block, 'x'));

/** All records of the first segment, in either form, as a start finds them. */
function firstOf({ disk }: SimulatedDisk) {
  const { segments } = recover(disk, folder);
  const [first = 0] = segments.infos.keys();
  const reader = segments.reader(first);
  return { segments, first, records: recordsOf(reader), reader };
}

test('compressed by the system, a segment has the same blocks, places and numbers', async () => {
  const simulated = await twoSegments();
  const { first, reader, records, segments } = firstOf(simulated);
  const raw = segments.raw.get(first);
  if (raw === undefined) throw new Error('it is not compressed yet');
  const sealedBytes = await seal(simulated.disk, folder, raw, 7, zstd);
  const later = firstOf(simulated);
  expect(later.records).toEqual(records);
  expect(later.reader.table.pack()).toEqual(reader.table.pack());
  expect(later.segments.infos.get(first)).toMatchObject({
    ...{ length: raw.end, lastSequence: raw.lastSequence, sealedBytes },
  });
  expect(simulated.disk.has(rawPath(folder, raw.head.segment, raw.head.opening))).toBe(false);
});

test.each([false, true])(
  'a process that dies before any step leaves a segment that can be read (power lost: %s)',
  async (losesPower) => {
    let deaths = 0;
    for (let step = 1; ; step += 1) {
      const simulated = await twoSegments();
      const { first, records, segments } = firstOf(simulated);
      const raw = segments.raw.get(first);
      if (raw === undefined) throw new Error('it is not compressed yet');
      simulated.diesBefore = simulated.operations + step;
      let isDone = false;
      void seal(simulated.disk, folder, raw, 7, compress).then(
        () => {
          isDone = true;
        },
        () => {},
      );
      for (let i = 0; i < 50; i += 1) await new Promise(setImmediate);
      deaths += 1;
      const hadDied = simulated.hasDied;
      simulated.end(losesPower);
      expect(firstOf(simulated).records, `step ${step}`).toEqual(records);
      if (isDone && !hadDied) break;
    }
    expect(deaths).toBeGreaterThan(6);
  },
);

test.each(['ENOSPC', 'EIO'])(
  'where the disk fails with %s the segment stays as it was',
  async (code) => {
    for (const failing of ['open', 'write', 'sync', 'rename', 'syncDirectory'] as const) {
      const simulated = await twoSegments();
      const { first, records, segments } = firstOf(simulated);
      const raw = segments.raw.get(first);
      if (raw === undefined) throw new Error('it is not compressed yet');
      simulated.fault = (operation) => (operation === failing ? code : undefined);
      await expect(seal(simulated.disk, folder, raw, 7, compress)).rejects.toThrow(code);
      simulated.fault = () => undefined;
      simulated.end(true);
      expect(firstOf(simulated).records, failing).toEqual(records);
    }
  },
);

test('a segment with a damaged record is not compressed', async () => {
  const simulated = await twoSegments();
  const { first, segments } = firstOf(simulated);
  const raw = segments.raw.get(first);
  if (raw === undefined) throw new Error('it is not compressed yet');
  const path = rawPath(folder, raw.head.segment, raw.head.opening);
  simulated.disk.open(path, 'write').write(Buffer.from('damage'), raw.end - 40);
  await expect(seal(simulated.disk, folder, raw, 7, compress)).rejects.toThrow(path);
  expect(simulated.disk.list(folder).filter((name) => name.endsWith('.logz'))).toEqual([]);
});
