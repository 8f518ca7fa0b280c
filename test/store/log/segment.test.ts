/** One file of the log: what is torn, what is damaged, and that neither is ever read as something else. */
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Disk, DiskFile } from '../../../src/store/log/disk.ts';
import { seal } from '../../../src/store/log/seal.ts';
import {
  encodeHead,
  headBytes,
  openEither,
  RawSegment,
  rawPath,
  readHead,
  recordsOfBlock,
  recordsOfFile,
  SealedSegment,
  sealedPath,
} from '../../../src/store/log/segment.ts';
import { encodeRecord, type LogWrite } from '../../../src/store/record.ts';
import { isFull } from '../../../src/store/space.ts';
import { CorruptRecord, StoreFailed } from '../../../src/store/store.ts';
import { append, emptyDisk, folder } from './log-samples.ts';

const mark = Buffer.from('0123456789abcdef');
const head = { segment: 1, opening: 1, mark, blockBytes: 150 };
const path = rawPath(folder, 1, 1);
const count = 5;

/** Records 1 to 5, and where each of them ends; the first so many of each record's predecessors were not on the disk yet. */
function written(disk: Disk, unsynced: readonly number[] = []) {
  const raw = new RawSegment(disk.open(path, 'new'), head);
  raw.file.write(encodeHead(head), 0);
  const ends = [headBytes];
  for (let i = 0; i < count; i += 1) {
    const writes: LogWrite[] = [append('a', i), { kind: 'cursor', name: 'c', value: i }];
    const records = unsynced[i] ?? 0;
    if (records > 0) writes.push({ kind: 'behind', records });
    const record = encodeRecord(mark, i + 1, writes);
    raw.table.begin(raw.end, head.blockBytes);
    for (const write of writes.slice(0, 2)) raw.table.note(write as never, 0);
    raw.file.write(record, raw.end);
    raw.end += record.length;
    raw.lastSequence = i + 1;
    ends.push(raw.end);
  }
  return { raw, ends };
}

/** What a start reads of these bytes, by number; or that it refuses them. */
function read(bytes: Uint8Array): readonly number[] | 'refused' {
  const { disk } = emptyDisk();
  const file = disk.open(path, 'new');
  file.write(bytes, 0);
  try {
    const found = readHead(file, path);
    if (found === undefined) return [];
    const records = [...recordsOfFile(file, found, path, undefined, 1)];
    for (const { sequence, writes } of records)
      expect(writes[0]).toEqual({ ...append('a', sequence - 1) });
    return records.map(({ sequence }) => sequence);
  } catch (error) {
    expect(error).toBeInstanceOf(CorruptRecord);
    return 'refused';
  }
}

/** The last bytes of the head have no meaning yet. */
const isUnused = (at: number) => at >= 56 && at < headBytes;
const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

test('a segment that was cut anywhere has all records before the cut', () => {
  const { raw, ends } = written(emptyDisk().disk);
  const bytes = raw.file.read(0, raw.end);
  for (let length = 0; length <= bytes.length; length += 1) {
    const whole = ends.filter((end) => end <= length).length - 1;
    expect(read(bytes.subarray(0, length)), String(length)).toEqual(upTo(Math.max(0, whole)));
  }
});

test('any flipped bit is a torn last record, or refused where a durable record follows it', () => {
  const { raw, ends } = written(emptyDisk().disk);
  const bytes = raw.file.read(0, raw.end);
  for (let bit = 0; bit < 8 * bytes.length; bit += 1) {
    const at = Math.floor(bit / 8);
    const damaged = Buffer.from(bytes);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (bit % 8));
    const isInLast = at >= (ends[count - 1] ?? 0);
    const whole = isUnused(at) ? count : isInLast ? count - 1 : undefined;
    expect(read(damaged), `bit ${bit}`).toEqual(whole === undefined ? 'refused' : upTo(whole));
  }
});

test('a record that is missing before one that was written with it unsynced is no damage', () => {
  const { raw, ends } = written(emptyDisk().disk, [0, 0, 0, 1, 2]);
  const bytes = raw.file.read(0, raw.end);
  const without = (record: number) => {
    const copy = Buffer.from(bytes);
    return copy.fill(0, ends[record - 1], ends[record]);
  };
  // Records 3 to 5 were unsynced at the same time; record 2 was on the disk before them.
  expect([1, 2, 3, 4, 5].map((record) => read(without(record)))).toEqual([
    'refused',
    'refused',
    [1, 2],
    [1, 2, 3],
    [1, 2, 3, 4],
  ]);
});

test('any flipped bit of a compressed segment, and any cut, is refused or changes nothing', async () => {
  const simulated = emptyDisk();
  const { disk } = simulated;
  const { raw } = written(disk);
  await seal(disk, folder, raw, 1, async (bytes) => zstdCompressSync(bytes));
  const { file } = openEither(disk, folder, { segment: 1, opening: 1 });
  const bytes = file.read(0, file.size());
  const readAll = (content: Uint8Array) => {
    const { disk: other } = emptyDisk();
    const copy = other.open(sealedPath(folder, 1, 1), 'new');
    copy.write(content, 0);
    const segment = new SealedSegment(copy, path);
    const blocks = segment.table.blocks.map((_, block) => recordsOfBlock(segment, block, path));
    const { length, lastSequence, head: itsHead, table } = segment;
    return { blocks, length, lastSequence, itsHead, table: table.pack() };
  };
  const right = readAll(bytes);
  expect(right.blocks.flat().map(({ sequence }) => sequence)).toEqual(upTo(count));
  let refused = 0;
  const refuses = (content: Uint8Array, what: string) => {
    try {
      expect(readAll(content), what).toEqual(right);
    } catch (error) {
      if (!(error instanceof CorruptRecord)) throw error;
      refused += 1;
    }
  };
  for (let bit = 0; bit < 8 * bytes.length; bit += 3) {
    const damaged = Buffer.from(bytes);
    const at = Math.floor(bit / 8);
    damaged[at] = (damaged[at] ?? 0) ^ (1 << (bit % 8));
    refuses(damaged, `bit ${bit}`);
  }
  // Few bits of a compressed block have no meaning.
  expect(refused).toBeGreaterThan((0.95 * 8 * bytes.length) / 3);
  for (let length = 0; length < bytes.length; length += 1)
    expect(() => readAll(bytes.subarray(0, length)), String(length)).toThrow(CorruptRecord);
});

const full = Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), {
  code: 'ENOSPC',
});

test('a sync that fails on a full disk is not taken for a write that can be tried again', async () => {
  const file = {
    sync: () => Promise.reject(full),
    syncNow() {
      throw full;
    },
  } as unknown as DiskFile;
  const segment = new RawSegment(file, head);
  const error = await segment.sync().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StoreFailed);
  expect(isFull(error)).toBe(false);
  expect(() => segment.syncNow()).toThrow(StoreFailed);
});

test('a sync that began behind one that fails does not resolve, whichever ends first', async () => {
  let fail = (_: unknown) => {};
  const first = new Promise<void>((_, reject) => {
    fail = reject;
  });
  const answers = [first, Promise.resolve(), Promise.resolve()];
  const file = { sync: () => answers.shift() } as unknown as DiskFile;
  const segment = new RawSegment(file, head);
  const syncs = [segment.sync(), segment.sync()];
  fail(Object.assign(new Error('EIO'), { code: 'EIO' }));
  const outcomes = await Promise.allSettled([...syncs, segment.sync()]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

test('a segment that is compressed during a search is found, and a missing one is named', () => {
  const { disk } = emptyDisk();
  written(disk);
  const wanted = { segment: 1, opening: 1 };
  expect(openEither(disk, folder, wanted).isSealed).toBe(false);
  let looks = 0;
  const racing: Disk = {
    ...disk,
    open(name, mode) {
      looks += 1;
      if (looks === 2) disk.rename(path, sealedPath(folder, 1, 1));
      return disk.open(name, mode);
    },
  };
  expect(openEither(racing, folder, wanted).isSealed).toBe(true);
  expect(() => openEither(disk, folder, { segment: 2, opening: 1 })).toThrow(
    `${rawPath(folder, 2, 1)}: it is missing`,
  );
});
