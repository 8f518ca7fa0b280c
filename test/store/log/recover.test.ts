/** What a start and a tool read of a log, wherever its last segment ends. */
import { expect, test } from 'vitest';
import { recover } from '../../../src/store/log/recover.ts';
import { headBytes, rawPath } from '../../../src/store/log/segment.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { Dice } from '../../simulation/dice.ts';
import { append, emptyDisk, folder, ownerOf, put, putRandom } from './log-samples.ts';
import { WriteMaker } from './random-writes.ts';

test('an empty folder is an empty log', () => {
  const { sequence, lastSegment, segments } = recover(emptyDisk().disk, folder, 1_000);
  expect([sequence, lastSegment, segments.infos.size]).toEqual([0, 0, 0]);
});

test('wherever the last segment is cut, the index is that of the commits before the cut', async () => {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated, { segmentBytes: 1e6 });
  const [maker, dice] = [new WriteMaker(), new Dice(3)];
  const path = rawPath(folder, 1, 1);
  const file = simulated.disk.open(path, 'read');
  const indexes: [end: number, index: string][] = [];
  const lengthOf = () => recover(simulated.disk, folder).segments.infos.get(1)?.length ?? 0;
  const note = () => indexes.push([lengthOf(), JSON.stringify(writer.index.pack())]);
  note();
  for (let i = 0; i < 25; i += 1) {
    put(writer, [maker.make(dice.below(12), dice.below(500))]);
    note();
  }
  const [[stateEnd] = [0, '']] = indexes;
  const bytes = file.read(0, indexes.at(-1)?.[0] ?? 0);
  for (let cut = stateEnd; cut <= bytes.length; cut += 5) {
    const other = emptyDisk();
    other.disk.open(path, 'new').write(bytes.subarray(0, cut), 0);
    const expected = indexes.findLast(([end]) => end <= cut)?.[1];
    expect(JSON.stringify(recover(other.disk, folder).index.pack()), String(cut)).toBe(expected);
  }
  // Without its state a first segment is no log, and must not be read as an empty one.
  const other = emptyDisk();
  other.disk.open(path, 'new').write(bytes.subarray(0, stateEnd - 1), 0);
  expect(() => recover(other.disk, folder)).toThrow(`${path}, offset ${headBytes}`);
});

test('reading changes nothing on the disk', async () => {
  const simulated = emptyDisk();
  await putRandom(await ownerOf(simulated), 40);
  const before = simulated.disk.list(folder).toSorted();
  simulated.fault = (operation) => (operation === 'open' ? undefined : 'EIO');
  const { index } = recover(simulated.disk, folder);
  index.liveBytes();
  expect(simulated.disk.list(folder).toSorted()).toEqual(before);
});

test('a segment that is missing is refused where something in it is needed, and else does not matter', async () => {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated, { segmentBytes: 100 });
  for (let i = 0; i < 3; i += 1) {
    await writer.prepare();
    put(writer, [append('a', i)]);
  }
  put(writer, [{ kind: 'forget', stream: 'a', position: 1 }]);
  const [first, second] = [...writer.segments.infos.values()].filter(({ segment }) =>
    writer.segments.wholeOf(segment, 0).records.some(({ writes }) => writes.length > 0),
  );
  const drop = (segment: number) => simulated.disk.remove(rawPath(folder, segment, 1));
  drop(first?.segment ?? 0);
  expect(recover(simulated.disk, folder).segments.infos.has(first?.segment ?? 0)).toBe(false);
  drop(second?.segment ?? 0);
  expect(() => recover(simulated.disk, folder)).toThrow(CorruptRecord);
});
