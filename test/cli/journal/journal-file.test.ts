import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Failure } from '../../../src/cli/advice.ts';
import { JournalFile } from '../../../src/cli/journal/journal-file.ts';
import { sumOf } from '../../../src/store/contents.ts';
import { fillLog } from '../../../src/store/earlier/migrate.ts';
import { realDisk } from '../../../src/store/log/disk.ts';
import { defaultStoreLimits, openLogStore } from '../../../src/store/log/log-store.ts';
import type { Write } from '../../../src/store/store.ts';
import { keptDirectory } from '../../support/kept-directory.ts';

const made: string[] = [];
let directory: string;

function fresh(): string {
  const path = mkdtempSync(join(tmpdir(), 'journal-file-'));
  made.push(path);
  return path;
}

beforeEach(() => {
  directory = fresh();
});

afterEach(() => {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true });
});

const bytes = (text: string) => Buffer.from(text, 'latin1');
const append = (stream: string, expected: number, text: string): Write => ({
  kind: 'append',
  stream,
  expected,
  payload: bytes(text),
});
const messages = (session: string, firstSeq: number, ...texts: string[]): Write => {
  let end = 0;
  const ends = texts.map((text) => (end += text.length));
  return { kind: 'messages', session, firstSeq, bytes: bytes(texts.join('')), ends };
};

async function write(...commits: Write[][]): Promise<void> {
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  for (const writes of commits) await store.commit(writes);
  await store.close();
}

/** A store with something of each kind, not in the order of its names. */
const writeAll = () =>
  write(
    [append('desk/b', 0, 'one'), append('desk/b', 1, 'second'), append('audit', 0, 'act')],
    [append('desk/b', 2, '3')],
    [{ kind: 'snapshot', stream: 'desk/b', position: 2, payload: bytes('state') }],
    [{ kind: 'forget', stream: 'desk/b', position: 2 }],
    [{ kind: 'numbers', session: 'T', nextIn: 3, nextOut: 4 }],
    [
      messages('S', 8, 'm8', 'm9', 'm10'),
      { kind: 'numbers', session: 'S', nextIn: 7, nextOut: 11 },
    ],
    [{ kind: 'hold', session: 'S', position: 1, bytes: bytes('waits') }],
    [{ kind: 'cursor', name: 'z', value: 5 }],
    [{ kind: 'cursor', name: 'a', value: 6 }],
  );

const textOf = ({ length, buffer, byteOffset }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, length).toString('latin1');

test('everything is listed in the order of its names', async () => {
  await writeAll();
  using file = await JournalFile.open(directory);
  expect(file.streams()).toEqual([
    { stream: 'audit', records: 1, first: 1, last: 1, bytes: 3, snapshot: 0 },
    { stream: 'desk/b', records: 1, first: 3, last: 3, bytes: expect.any(Number), snapshot: 2 },
  ]);
  expect(file.sessions().map(({ session, nextIn, nextOut }) => [session, nextIn, nextOut])).toEqual(
    [
      ['S', 7, 11],
      ['T', 3, 4],
    ],
  );
  expect(file.cursors()).toEqual([
    { cursor: 'a', value: 6 },
    { cursor: 'z', value: 5 },
  ]);
  expect([...file.snapshots()].map(({ stream, payload }) => [stream, textOf(payload)])).toEqual([
    ['desk/b', 'state'],
  ]);
  expect([...file.held('S')].map((held) => textOf(held.bytes))).toEqual(['waits']);
});

test.each([
  [{ from: 0, to: Number.MAX_SAFE_INTEGER }, [1, 2, 3, 4, 5]],
  [{ from: 2, to: 4 }, [2, 3, 4]],
  [{ from: 5, to: 5 }, [5]],
  [{ from: 6, to: 9 }, []],
  [{ from: 0, to: 0 }, []],
])(
  'a span of %j has its first and last record and message, and nothing else',
  async (span, found) => {
    await write(
      [1, 2, 3, 4, 5].map((position) => append('a', position - 1, 'x')),
      [
        messages('S', 1, '1', '2', '3', '4', '5'),
        { kind: 'numbers', session: 'S', nextIn: 1, nextOut: 6 },
      ],
    );
    using file = await JournalFile.open(directory);
    expect([...file.records('a', span)].map(({ position }) => position)).toEqual(found);
    expect([...file.messages('S', span)].map(({ seq }) => seq)).toEqual(found);
    expect([...file.records('absent', span), ...file.messages('absent', span)]).toEqual([]);
  },
);

test('the contents fill another store that has the same', async () => {
  await writeAll();
  using file = await JournalFile.open(directory);
  const folder = join(fresh(), 'gateway-log');
  mkdirSync(folder);
  await fillLog(folder, file.contents, { ...defaultStoreLimits, isSynced: false }, realDisk);
  using other = await JournalFile.open(folder);
  const sum = await sumOf(file.contents);
  expect(await sumOf(other.contents)).toEqual(sum);
  expect(sum.writes).toBe([...file.writes()].length);
  expect([...file.writes()].map(({ kind }) => kind)).toEqual([
    ...['append', 'append', 'snapshot'],
    ...['messages', 'messages', 'messages', 'hold'],
  ]);
  expect(other.sessions()).toEqual(file.sessions());
});

test('later commits of a store that goes on are not seen', async () => {
  const path = join(directory, 'gateway.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  await store.commit([append('a', 0, 'one')]);
  using file = await JournalFile.open(directory);
  await store.commit([append('a', 1, 'two')]);
  expect([...file.records('a')].map(({ position }) => position)).toEqual([1]);
  using later = await JournalFile.open(directory);
  expect(later.streams()).toMatchObject([{ last: 2 }]);
  await store.close();
});

test('a store is found by its data directory and by its log', async () => {
  await write([append('a', 0, 'one')]);
  const folder = join(directory, 'gateway-log');
  for (const path of [directory, folder]) {
    using file = await JournalFile.open(path);
    expect([file.path, file.streams().length]).toEqual([folder, 1]);
  }
});

test('the store of a relay is found in its data directory, unless a bridge has one there', async () => {
  const path = join(directory, 'relay.db');
  const store = await openLogStore({ path, durability: 'process', reserveBytes: 0 });
  await store.commit([append('relayed', 0, 'one')]);
  await store.close();
  const streams = async (of: string) => {
    using file = await JournalFile.open(of);
    return file.streams().map(({ stream }) => stream);
  };
  for (const of of [directory, path, join(directory, 'relay-log')])
    expect([of, await streams(of)]).toEqual([of, ['relayed']]);
  const target = fresh();
  {
    using file = await JournalFile.open(directory);
    await file.copyInto(target, () => {});
  }
  expect([readdirSync(target), await streams(target)]).toEqual([['relay-log'], ['relayed']]);
  await write([append('traded', 0, 'one')]);
  expect(await streams(directory)).toEqual(['traded']);
});

test('what is no store is refused with what is missing, and with what to name', async () => {
  const advice = 'Name the dataDir of a bridge, or the gateway-log in it.';
  const other = join(directory, 'other.txt');
  writeFileSync(other, 'nothing');
  mkdirSync(join(directory, 'gateway-log'));
  const cases = [
    [join(directory, 'absent'), `there is no ${join(directory, 'absent')}`],
    [directory, `there is no store in ${directory}`],
    [other, `${other} is not a store`],
    [join(directory, 'gateway.db'), `there is no ${join(directory, 'gateway.db')}`],
  ] as const;
  for (const [path, message] of cases) {
    const error = await JournalFile.open(path).catch((thrown: unknown) => thrown);
    expect([path, error]).toEqual([path, new Failure(message, advice)]);
  }
  writeFileSync(join(directory, 'gateway.db'), 'no database, although it has the name of one');
  await expect(JournalFile.open(directory)).rejects.toBeInstanceOf(Failure);
});

test('a store of an earlier version is read from a copy, which goes afterwards', async () => {
  const earlier = keptDirectory('earlier-directory');
  made.push(earlier);
  const copies = () => readdirSync(tmpdir()).filter((name) => name.startsWith('causeway-copy-'));
  const [files, before] = [readdirSync(earlier), new Set(copies())];
  const own = () => copies().filter((name) => !before.has(name));
  {
    using file = await JournalFile.open(earlier);
    expect(file.path).toBe(join(earlier, 'gateway.db'));
    expect(file.streams().length).toBeGreaterThan(0);
    expect(own()).toHaveLength(1);
  }
  expect([own(), readdirSync(earlier)]).toEqual([[], files]);
});

test('a copy has what the store has, and one that its check refuses does not stay', async () => {
  await writeAll();
  using file = await JournalFile.open(directory);
  const into = fresh();
  const refuse = () => {
    throw new Error('it is damaged');
  };
  await expect(file.copyInto(into, refuse)).rejects.toThrow('it is damaged');
  expect(readdirSync(into)).toEqual([]);
  let checked: readonly object[] = [];
  expect(await file.copyInto(into, (copy) => (checked = copy.streams()))).toBeGreaterThan(0);
  expect(checked).toEqual(file.streams());
  using copy = await JournalFile.open(into);
  expect(await sumOf(copy.contents)).toEqual(await sumOf(file.contents));
});
