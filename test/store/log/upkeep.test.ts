/** What is done beside the commits, on a disk that has room and on one that has none. */
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LogReader } from '../../../src/store/log/log-reader.ts';
import type { LogWriter } from '../../../src/store/log/log-writer.ts';
import { Owner } from '../../../src/store/log/owner.ts';
import { recover } from '../../../src/store/log/recover.ts';
import { Upkeep } from '../../../src/store/log/upkeep.ts';
import type { Write } from '../../../src/store/store.ts';
import type { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { append, emptyDisk, folder, ownerOf, put, putRandom } from './log-samples.ts';

async function begun() {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated);
  const failures: unknown[] = [];
  const carried: Write[] = [];
  const upkeep = new Upkeep({
    ...{ disk: simulated.disk, folder, writer, owner: new Owner(simulated.disk, folder, 1) },
    compress: async (bytes) => zstdCompressSync(bytes),
    isTight: () => false,
    failed: (error) => failures.push(error),
    carry: async (live) => {
      const writes = live();
      carried.push(...writes);
      writer.begin();
      writer.take(writes, true);
      writer.write([], writes);
      await writer.sync();
    },
  });
  return { carried, failures, simulated, upkeep, writer };
}

const sealed = ({ disk }: SimulatedDisk) =>
  disk.list(folder).filter((name) => name.endsWith('.logz')).length;
const textOf = (writer: LogWriter, stream: string) => {
  const reader = new LogReader(writer.index, writer.segments);
  const found: string[] = [];
  for (let at: number | undefined = 1; at !== undefined; ) {
    const step = reader.records(stream, at);
    found.push(...step.found.map(({ payload }) => Buffer.from(payload).toString()));
    at = step.next;
  }
  return found;
};

test('complete segments are compressed, and the next one is made ready', async () => {
  const { failures, simulated, upkeep, writer } = await begun();
  await putRandom(writer, 30);
  upkeep.look();
  await upkeep.settled();
  expect([sealed(simulated), failures]).toEqual([writer.segments.infos.size, []]);
  const { segment } = writer;
  for (let i = 0; i < 30 && writer.segment === segment; i += 1)
    put(writer, [append('long', i, 'x'.repeat(200))]);
  expect(writer.segment).toBe(segment + 1);
});

test('on a disk that is full a segment stays as it was, and is compressed when there is room again', async () => {
  const { failures, simulated, upkeep, writer } = await begun();
  await putRandom(writer, 30);
  for (const failing of ['open', 'write', 'rename', 'syncDirectory'] as const) {
    simulated.fault = (operation) => (operation === failing ? 'ENOSPC' : undefined);
    upkeep.look();
    await upkeep.settled();
    simulated.fault = () => undefined;
    const { index } = recover(simulated.disk, folder);
    expect(index.end('a'), failing).toBe(writer.index.end('a'));
    await putRandomMore(writer);
  }
  expect(failures).toEqual([]);
  upkeep.look();
  await upkeep.settled();
  expect(sealed(simulated)).toBe(writer.segments.infos.size);
  expect(writer.segments.raw.size).toBe(1);
});

test('a disk that fails otherwise is a fault of the store', async () => {
  const { failures, simulated, upkeep, writer } = await begun();
  await putRandom(writer, 30);
  simulated.fault = (operation) => (operation === 'rename' ? 'EIO' : undefined);
  upkeep.look();
  await upkeep.settled();
  expect(failures.map(String)).toEqual(expect.arrayContaining([expect.stringContaining('EIO')]));
});

test('of an almost dead segment the rest is written again, and then the segment is removed', async () => {
  const { carried, simulated, upkeep, writer } = await begun();
  await writer.prepare();
  put(writer, [append('kept', 0, 'still needed')]);
  for (let i = 0; i < 40; i += 1) {
    await writer.prepare();
    put(writer, [append('a', i, 'x'.repeat(200))]);
  }
  const [first = 0] = writer.segments.infos.keys();
  put(writer, [{ kind: 'forget', stream: 'a', position: 35 }]);
  upkeep.look();
  await upkeep.settled();
  expect(carried).toContainEqual(append('kept', 0, 'still needed'));
  expect(writer.segments.infos.has(first)).toBe(false);
  expect(simulated.disk.list(folder).filter((name) => name.startsWith(`${first}-`))).toEqual([]);
  expect(textOf(writer, 'kept')).toEqual(['still needed']);
  expect(textOf(writer, 'a').length).toBe(5);
  simulated.end(true);
  const again = await ownerOf(simulated);
  expect([textOf(again, 'kept'), textOf(again, 'a').length]).toEqual([['still needed'], 5]);
});

/** Until another segment is begun, so that there is something to look for. */
async function putRandomMore(writer: LogWriter): Promise<void> {
  const { segment } = writer;
  await writer.prepare();
  while (writer.segment === segment)
    put(writer, [append('more', writer.index.end('more'), 'x'.repeat(300))]);
}
