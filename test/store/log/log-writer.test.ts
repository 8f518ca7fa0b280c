/** The open end of a log: when a segment is left, what a start writes again, and who may write. */
import { expect, test } from 'vitest';
import { recover } from '../../../src/store/log/recover.ts';
import { PositionConflict, StoreFailed } from '../../../src/store/store.ts';
import { append, emptyDisk, folder, ownerOf, put } from './log-samples.ts';

test('a long segment is left when the next one is ready, and not before', async () => {
  const writer = await ownerOf(emptyDisk(), { segmentBytes: 300 });
  for (let i = 0; i < 10; i += 1) put(writer, [append('a', i)]);
  expect([writer.segment, writer.lengths > 1]).toEqual([1, true]);
  await writer.prepare();
  expect(writer.segment).toBe(1);
  put(writer, [append('a', 10)]);
  expect(writer.segment).toBe(2);
  expect(writer.segments.infos.get(1)).toMatchObject({ opening: 1, lastSequence: 11 });
});

test('a segment is at least so many times as long as the state with which it begins', async () => {
  const writer = await ownerOf(emptyDisk(), { segmentBytes: 300, stateShare: 5 });
  let stateBytes = 0;
  for (let i = 0; i < 60; i += 1) {
    await writer.prepare();
    const before = writer.segment;
    put(writer, [append(`stream ${i}`, 0)]);
    if (writer.segment === before) continue;
    const left = writer.segments.infos.get(before)?.length ?? 0;
    expect(left).toBeGreaterThanOrEqual(5 * stateBytes);
    stateBytes = JSON.stringify(writer.index.pack()).length;
  }
  expect(writer.segment).toBeGreaterThan(2);
});

test('all of a segment is on the disk before the next one is begun', async () => {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated, { segmentBytes: 100 });
  await writer.prepare();
  const writes = [append('a', 0)];
  writer.begin();
  writer.take(writes);
  writer.write(writes);
  simulated.fault = (operation) => (operation === 'sync' ? 'EIO' : undefined);
  expect(() => writer.leaveLong()).toThrow(StoreFailed);
  simulated.fault = () => undefined;
  simulated.end(true);
  expect(recover(simulated.disk, folder).lastSegment).toBe(2);
  expect(recover(simulated.disk, folder).segments.infos.has(2)).toBe(false);
});

test('what a start has read of a killed process is on the disk before anything is built on it', async () => {
  for (let seed = 0; seed < 5; seed += 1) {
    const simulated = emptyDisk();
    const first = await ownerOf(simulated);
    for (let i = 0; i < 4; i += 1) {
      first.begin();
      first.take([append('a', i)]);
      first.write([append('a', i)]);
    }
    simulated.end(false);
    const second = await ownerOf(simulated);
    expect(second.index.end('a')).toBe(4);
    simulated.end(true);
    expect(recover(simulated.disk, folder).index.end('a')).toBe(4);
  }
});

test('a writer that was taken over fails with its next record, and that is never read', async () => {
  const simulated = emptyDisk();
  const first = await ownerOf(simulated);
  put(first, [append('a', 0)]);
  const second = await ownerOf(simulated);
  expect(() => put(first, [append('a', 1, 'of the first')])).toThrow(PositionConflict);
  put(second, [append('a', 1, 'of the second')]);
  const { index } = await ownerOf(simulated);
  expect(index.end('a')).toBe(2);
});

test('a start removes files that nothing refers to: incomplete ones, and those of former owners', async () => {
  const simulated = emptyDisk();
  const first = await ownerOf(simulated);
  await first.prepare();
  const { disk } = simulated;
  disk.open(`${folder}/9-1.log.new`, 'new').write(Buffer.from('half'), 0);
  const second = await ownerOf(simulated);
  await first.prepare();
  put(second, [append('a', 0)]);
  const { index } = await ownerOf(simulated);
  expect(index.end('a')).toBe(1);
  const names = disk.list(folder).filter((name) => !name.startsWith('owner-'));
  expect(names.filter((name) => name.endsWith('.new'))).toEqual([]);
  expect(names).not.toContain('2-1.log');
});
