/** Reading a log in steps of a block, and what of a block is still needed. */
import { expect, test } from 'vitest';
import { LogReader, type Step } from '../../../src/store/log/log-reader.ts';
import { seal, zstd } from '../../../src/store/log/seal.ts';
import { rawPath } from '../../../src/store/log/segment.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { append, emptyDisk, folder, ownerOf, put, putRandom } from './log-samples.ts';

/** All that is found from a position on, and in how many steps. */
function all<T>(step: (from: number) => Step<T>, from = 1): { found: T[]; steps: number } {
  const found: T[] = [];
  let steps = 0;
  for (let at: number | undefined = from; at !== undefined; steps += 1) {
    const { found: more, next } = step(at);
    found.push(...more);
    at = next;
  }
  return { found, steps };
}

async function records(count: number) {
  const simulated = emptyDisk();
  const writer = await ownerOf(simulated);
  for (let i = 0; i < count; i += 1) {
    await writer.prepare();
    put(writer, [append('a', i), append('b', i)]);
  }
  return { simulated, writer, reader: new LogReader(writer.index, writer.segments) };
}

test('from whatever position a stream is read, all records behind it come in order, a block at a time', async () => {
  const { reader } = await records(40);
  for (let from = 1; from <= 41; from += 1) {
    const { found, steps } = all((at) => reader.records('a', at), from);
    expect(found.map(({ position }) => position)).toEqual(
      Array.from({ length: 41 - from }, (_, i) => from + i),
    );
    expect(
      found.every(({ position, payload }) => `${Buffer.from(payload)}` === `a ${position - 1}`),
    );
    expect(steps).toBeLessThanOrEqual(found.length + 1);
  }
});

test('records that were forgotten are passed over, and a stream that nobody wrote is empty', async () => {
  const { reader, writer } = await records(20);
  put(writer, [{ kind: 'forget', stream: 'a', position: 15 }]);
  const { found } = all((at) => reader.records('a', at));
  expect(found.map(({ position }) => position)).toEqual([16, 17, 18, 19, 20]);
  expect(reader.records('nobody', 1)).toEqual({ found: [], next: undefined });
  expect(reader.snapshot('a')).toBeUndefined();
});

test('a record that was read does not change when its block is extended or left', async () => {
  const { reader, writer } = await records(1);
  const { found } = reader.records('a', 1);
  put(writer, [append('a', 1)]);
  expect(found.map(({ payload }) => Buffer.from(payload).toString())).toEqual(['a 0']);
});

test('messages come back by number, across ranges, holes and a reset', async () => {
  const writer = await ownerOf(emptyDisk());
  const reader = new LogReader(writer.index, writer.segments);
  const messages = (firstSeq: number, ...texts: string[]) => {
    const bytes = Buffer.from(texts.join(''));
    let end = 0;
    const ends = texts.map(({ length }) => (end += length));
    put(writer, [{ kind: 'messages', session: 'S', firstSeq, bytes, ends }]);
  };
  const read = (from: number, to: number) =>
    all((at) => reader.messages('S', at, to), from).found.map(({ seq, bytes }) => [
      seq,
      Buffer.from(bytes).toString(),
    ]);
  messages(1, 'one', 'two');
  messages(5, 'five', 'six', 'seven');
  expect(read(2, 6)).toEqual([
    [2, 'two'],
    [5, 'five'],
    [6, 'six'],
  ]);
  put(writer, [{ kind: 'reset', session: 'S', nextIn: 1, nextOut: 1 }]);
  messages(1, 'again');
  expect(read(1, 9)).toEqual([[1, 'again']]);
});

test('what is live of all blocks of a segment is all that keeps it, whatever was written', async () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const writer = await ownerOf(emptyDisk());
    await putRandom(writer, 40, seed);
    const { index, segments } = writer;
    const reader = new LogReader(index, segments);
    for (const { segment } of [...segments.infos.values()]) {
      const { blocks } = segments.reader(segment).table;
      for (let block = 0; block < blocks.length; block += 1) {
        const writes = reader.live(segment, block);
        writer.begin();
        writer.take(writes, true);
        writer.write([], writes);
      }
      expect(index.liveBytes().has(segment), `seed ${seed}`).toBe(false);
    }
  }
});

test('damage in a block is a fault of the records in it, by file and offset; other records can be read', async () => {
  const { simulated, writer, reader } = await records(40);
  const [first] = writer.segments.infos.values();
  const raw = writer.segments.raw.get(first?.segment ?? 0);
  if (raw === undefined) throw new Error('there is one segment only');
  const path = rawPath(folder, raw.head.segment, raw.head.opening);
  const [, second = 0] = raw.table.blocks;
  simulated.disk.open(path, 'write').write(Buffer.alloc(10, 0xff), second + 30);
  const damaged = raw.table.find('append', 'a', 1);
  const later = [...Array(40).keys()]
    .map((i) => i + 1)
    .filter((position) => {
      try {
        return reader.records('a', position).found.length > 0;
      } catch (error) {
        expect(error).toBeInstanceOf(CorruptRecord);
        expect(String(error)).toContain(path);
        return false;
      }
    });
  expect(damaged?.block).toBe(0);
  expect(later.length).toBeGreaterThan(30);
  expect(later.length).toBeLessThan(40);
  // It is not compressed, so that the fault stays where it is.
  await expect(seal(simulated.disk, folder, raw, 1, zstd)).rejects.toThrow(CorruptRecord);
});
