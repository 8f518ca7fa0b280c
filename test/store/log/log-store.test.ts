/** The log: the contract of every store, with segments of the usual size and with tiny ones, then what is its own. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { logFolder, openLogStore } from '../../../src/store/log/log-store.ts';
import { segmentNames } from '../../../src/store/log/owner.ts';
import { recover } from '../../../src/store/log/recover.ts';
import { verifyLog } from '../../../src/store/log/verify.ts';
import {
  CorruptRecord,
  PositionConflict,
  type Store,
  StoreFailed,
} from '../../../src/store/store.ts';
import { SimulatedDisk } from '../../simulation/simulated-disk.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { append, journal, kept, messages, numbers, storeContract } from '../contract.ts';
import { answersOf, WriteMaker } from './random-writes.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-log-'));
const paths = new Map<Store, string>();
let made = 0;
const newPath = () => join(folder, `${++made}.db`);
const small = { reserveBytes: 64 * 1024 };
const tiny = { segmentBytes: 2_000, blockBytes: 300, stateShare: 0 };

async function open(path = newPath(), more: object = {}): Promise<Store> {
  const store = await openLogStore({ path, durability: 'process', ...small, ...more });
  paths.set(store, path);
  return store;
}

afterAll(async () => {
  for (const store of paths.keys()) await store.close();
  rmSync(folder, { recursive: true });
});

describe('with segments of the usual size', () => {
  storeContract({ open: () => open(), reopen: (store) => open(paths.get(store)) });
});

describe('with tiny segments', () => {
  storeContract({
    open: () => open(newPath(), tiny),
    reopen: (store) => open(paths.get(store), tiny),
  });
});

const step = fc.oneof(
  { weight: 20, arbitrary: fc.array(fc.tuple(fc.nat(11), fc.nat(2_000)), { maxLength: 6 }) },
  { weight: 1, arbitrary: fc.constant('close' as const) },
  { weight: 1, arbitrary: fc.constant('takeover' as const) },
  { weight: 3, arbitrary: fc.constant('rest' as const) },
  { weight: 1, arbitrary: fc.constant('compare' as const) },
);
/** Syncs wait behind those of the upkeep in the system's threads, so that it advances however busy the machine is. */
const rest = async () => {
  const file = await openFile(join(folder, 'rest'), 'a');
  for (let round = 0; round < 15; round += 1) {
    await file.datasync();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await file.close();
};

test('whatever is written and however often it is opened, it answers as a store in memory does', async () => {
  const seen = { sealed: 0, carried: 0, gone: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }),
      async (steps) => {
        const path = newPath();
        const { disk } = new SimulatedDisk(1);
        let store = await open(path, { ...tiny, disk });
        let told = Promise.resolve();
        const model = new MemoryStore();
        const maker = new WriteMaker();
        for (const each of steps) {
          if (each === 'rest') await rest();
          else if (each === 'compare')
            expect(await answersOf(store)).toEqual(await answersOf(model));
          else if (each === 'close' || each === 'takeover') {
            await told;
            if (each === 'close') await store.close();
            store = await open(path, { ...tiny, disk });
          } else {
            const writes = each.map(([choice, size]) => maker.make(choice, size));
            told = store.commit(writes);
            await model.commit(writes);
            if (writes.length % 2 === 0) await told;
          }
        }
        expect(await answersOf(store)).toEqual(await answersOf(model));
        await store.close();
        const recovered = recover(disk, logFolder(path));
        expect([...verifyLog(recovered)]).toEqual([]);
        const segments = segmentNames(disk.list(logFolder(path)));
        if (segments.some(({ isSealed }) => isSealed)) seen.sealed += 1;
        const present = new Set(segments.map(({ segment }) => segment));
        if (present.size < Math.max(...present)) seen.gone += 1;
        for (const segment of recovered.segments.infos.keys()) {
          const { records } = recovered.segments.wholeOf(segment, 0);
          if (records.some(({ carried }) => carried.length > 0)) seen.carried += 1;
        }
        recovered.segments.close();
      },
    ),
    // Shrinking takes longer than the time of the test, which would then be all that is told.
    { numRuns: 20, endOnFailure: true },
  );
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
}, 60_000);

describe.each(['was taken over', 'cannot write'] as const)('an owner that %s', (why) => {
  test('removes nothing that is dead only in its memory', async () => {
    const path = newPath();
    const simulated = new SimulatedDisk(1);
    const { disk } = simulated;
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const compress = async (bytes: Uint8Array) => {
      await released;
      return zstdCompressSync(bytes);
    };
    const first = await open(path, { ...tiny, disk, compress });
    for (let at = 0; at < 40; at += 1) {
      await first.ready();
      await first.commit([append('a', at, `${at} `.repeat(50))]);
    }
    if (why === 'was taken over') await open(path, { ...tiny, disk, compress });
    else simulated.fault = (operation) => (operation === 'write' ? 'EIO' : undefined);
    const forgotten = first.commit([{ kind: 'forget', stream: 'a', position: 40 }]);
    await expect(forgotten).rejects.toThrow();
    simulated.fault = () => undefined;
    release();
    // Its upkeep has the time to do whatever it still would.
    for (let round = 0; round < 200; round += 1)
      await new Promise((resolve) => setImmediate(resolve));
    const after = await open(path, { ...tiny, disk });
    expect((await journal(after, 'a')).length).toBe(40);
  });
});

test('an owner that was taken over while it slept learns that before anything leaves', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'recorded')]);
  expect(store.confirmed()).toBeUndefined();
  await open(path);
  const awake = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => awake + 1_000);
  const confirmed = store.confirmed();
  clock.mockRestore();
  await expect(confirmed).rejects.toThrow(PositionConflict);
  await expect(store.commit([])).rejects.toThrow(PositionConflict);
});

test('an owner that cannot keep something at once has failed', async () => {
  const simulated = new SimulatedDisk(1);
  const store = await open(newPath(), { disk: simulated.disk });
  simulated.fault = (operation) => (operation === 'write' ? 'EIO' : undefined);
  const payload = Buffer.from('kept');
  await expect(
    store.keepNow({ kind: 'snapshot', stream: 'aside', position: 0, payload }),
  ).rejects.toThrow('cannot write');
  simulated.fault = () => undefined;
  await expect(store.snapshot('aside')).rejects.toThrow('cannot write');
});

test('an owner that was taken over tells nothing of a later commit, whatever is in it', async () => {
  const path = newPath();
  const first = await open(path);
  await first.commit([append('a', 0, 'one')]);
  const second = await open(path);
  const told: string[] = [];
  const late = first.commit([numbers('A', 9, 9)], { onWritten: () => told.push('written') });
  await expect(late).rejects.toThrow(PositionConflict);
  expect(told).toEqual([]);
  await expect(first.commit([])).rejects.toThrow(PositionConflict);
  expect(await journal(second, 'a')).toEqual(['1:one']);
  expect((await second.numbers('A')).nextIn).toBe(1);
});

test('near its largest size the store asks for new work to stop, goes on for a while, then fails for good', async () => {
  const path = newPath();
  const store = await open(path, { maxBytes: 1024 * 1024, reserveBytes: 512 * 1024 });
  const page = 'x'.repeat(4000);
  let position = 0;
  const fill = async () => {
    await store.commit([append('a', position, page)]);
    position += 1;
  };
  while (store.room() === 'plenty') await fill();
  const atReserve = position;
  let failure: unknown;
  while (failure === undefined) failure = await fill().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StoreFailed);
  expect(position).toBeGreaterThan(atReserve + 50);
  await expect(store.commit([append('b', 0, 'x')])).rejects.toThrow(StoreFailed);
  await store.close();
  const next = await open(path, { maxBytes: 2 * 1024 * 1024 });
  expect(await next.end('a')).toBe(position);
});

test('commits that wait for a disk that does not keep up have a limit, beyond which the store has failed', async () => {
  const store = await open(newPath(), { maxWaitingBytes: 10_000 });
  const commits = Array.from({ length: 20 }, (_, i) =>
    store.commit([append('a', i, 'x'.repeat(1_000))]),
  );
  const outcomes = await Promise.allSettled(commits);
  expect(outcomes.at(-1)).toMatchObject({
    status: 'rejected',
    reason: expect.objectContaining({
      message: expect.stringContaining('the disk does not keep up'),
    }),
  });
  await expect(store.commit([])).rejects.toThrow(StoreFailed);
});

test('a commit is told to be written before it is told to be durable, and not at all when it is refused', async () => {
  const store = await open(newPath(), { durability: 'power' });
  const told: string[] = [];
  const note = (word: string) => () => void told.push(word);
  const written = (word: string) => ({ onWritten: note(`${word} written`) });
  const commits = [
    store.commit([append('a', 0, 'one')], written('one')).then(note('one durable')),
    store.commit([append('a', 0, 'again')], written('again')).catch(note('again refused')),
    store.commit([append('a', 1, 'two')], written('two')).then(note('two durable')),
  ];
  await Promise.all(commits);
  expect(told).toEqual([
    'one written',
    'two written',
    'one durable',
    'again refused',
    'two durable',
  ]);
});

test('a commit that nobody waits for goes with the next one, or after a while by itself', async () => {
  const store = await open();
  const told: string[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const patient = store
    .commit([append('a', 0, 'one')], { mayWait: true })
    .then(() => told.push('one'));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(told).toEqual([]);
  await store.commit([append('a', 1, 'two')]).then(() => told.push('two'));
  expect(told).toEqual(['one', 'two']);
  await patient;
  const last = store.commit([append('a', 2, 'three')], { mayWait: true });
  vi.runAllTimers();
  vi.useRealTimers();
  await last;
  expect(await journal(store, 'a')).toEqual(['1:one', '2:two', '3:three']);
});

test('closing does what waited for company', async () => {
  const path = newPath();
  const store = await open(path);
  const patient = store.commit([append('a', 0, 'one')], { mayWait: true });
  await store.close();
  await patient;
  expect(await (await open(path)).end('a')).toBe(1);
});

test('a read asked for after a commit sees it', async () => {
  const store = await open();
  void store.commit([append('a', 0, 'one')]);
  expect(await journal(store, 'a')).toEqual(['1:one']);
});

/** Other programs have filled the disk; the store still has its reserve. */
async function onFullDisk() {
  const simulated = new SimulatedDisk(1);
  simulated.capacity = 1_000_000;
  const path = newPath();
  const store = await open(path, { disk: simulated.disk });
  await store.commit([append('a', 0, 'one')]);
  const filler = simulated.disk.open(join(folder, 'filler'), 'new');
  filler.write(Buffer.alloc(simulated.disk.freeBytes(folder)), 0);
  expect(store.room()).toBe('plenty');
  return { again: () => open(path, { disk: simulated.disk }), store };
}

test('on a full disk a start uses the reserve, so that work under way can be finished', async () => {
  const { again } = await onFullDisk();
  const store = await again();
  expect(store.room()).toBe('reserve');
  await store.commit([append('a', 1, 'two')]);
  expect(await journal(await again(), 'a')).toEqual(['1:one', '2:two']);
});

test('on a full disk what an owner keeps at its end uses the reserve', async () => {
  const { again, store } = await onFullDisk();
  await store.keepNow({ kind: 'snapshot', stream: 'b', position: 0, payload: Buffer.from('x') });
  expect(await (await again()).snapshot('b')).toMatchObject({ payload: Buffer.from('x') });
});

test('the reserve is real space beside the store, and is there again at the next start', async () => {
  const path = newPath();
  const store = await open(path);
  expect(statSync(`${path}-reserve`).size).toBe(small.reserveBytes);
  expect(statSync(`${path}-reserve`).blocks * 512).toBeGreaterThanOrEqual(small.reserveBytes);
  await store.close();
  rmSync(`${path}-reserve`);
  await open(path);
  expect(existsSync(`${path}-reserve`)).toBe(true);
});

test('two messages under one number are refused before anything is told', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([messages('A', 1, 'one', 'two'), numbers('A', 1, 3)]);
  await expect(store.commit([messages('A', 2, 'again')])).rejects.toThrow(StoreFailed);
  await store.close();
  expect(await kept(await open(path), 'A')).toEqual(['1:one', '2:two']);
});

test('a disk that fails ends the owner: no commit after it, and the next start has all acknowledged ones', async () => {
  const path = newPath();
  const program = join(import.meta.dirname, '../failing-disk.ts');
  const script = 'ulimit -f 900; exec "$0" "$@"';
  const said = execFileSync('bash', ['-c', script, process.execPath, program, path]);
  const { acknowledged, isStoreFailed, isFinal, text } = JSON.parse(said.toString());
  expect({ isStoreFailed, isFinal, text }).toEqual({
    isStoreFailed: true,
    isFinal: true,
    text: expect.stringContaining('the store cannot write: EFBIG'),
  });
  expect(acknowledged).toBeGreaterThan(10);
  const next = await open(path);
  expect(await next.end('a')).toBeGreaterThanOrEqual(acknowledged);
});

/** What a crash would leave: the files as they are now, under another name. */
function crashed(path: string): string {
  const copy = newPath();
  cpSync(logFolder(path), logFolder(copy), { recursive: true });
  return copy;
}

/** The file of a log that holds this. */
function holderOf(path: string, content: string): string {
  const files = readdirSync(logFolder(path)).map((name) => join(logFolder(path), name));
  return files.find((file) => readFileSync(file).includes(content)) ?? '';
}

function damage(file: string, content: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.indexOf(content)]! ^= 1;
  writeFileSync(file, bytes);
}

async function three(more: object = {}) {
  const path = newPath();
  const store = await open(path, more);
  for (let i = 0; i < 3; i += 1) await store.commit([append('a', i, `number ${i}`)]);
  return { path, store };
}

test('a segment with a durable record behind a damaged one is refused, by file and offset', async () => {
  const { path } = await three();
  const copy = crashed(path);
  const file = holderOf(copy, 'number 1');
  damage(file, 'number 1');
  const opening = open(copy);
  await expect(opening).rejects.toThrow(CorruptRecord);
  await expect(opening).rejects.toThrow(`${file}, offset `);
  await expect(opening).rejects.toThrow('it is damaged and durable records follow it');
});

test('a last record that is torn is ignored: nobody was told of it', async () => {
  const { path } = await three();
  const copy = crashed(path);
  damage(holderOf(copy, 'number 2'), 'number 2');
  const next = await open(copy);
  expect(await journal(next, 'a')).toEqual(['1:number 0', '2:number 1']);
  await next.commit([append('a', 2, 'again')]);
  expect(await journal(next, 'a', 2)).toEqual(['3:again']);
});

test('a state that is damaged is refused, and not taken for an empty store', async () => {
  const { path, store } = await three();
  await store.close();
  const copy = crashed(path);
  for (const name of readdirSync(logFolder(copy))) {
    const file = join(logFolder(copy), name);
    writeFileSync(file, readFileSync(file).fill(0xa5, 64));
  }
  await expect(open(copy)).rejects.toThrow('1-1.log, offset 64: its state is damaged');
});

test('a segment whose first record is damaged is refused, if records that count follow it', async () => {
  const { disk } = new SimulatedDisk(1);
  const path = newPath();
  const options = { ...tiny, disk, durability: 'power' as const };
  const store = await open(path, options);
  const folder = logFolder(path);
  const begun = () => recover(disk, folder).segments.infos.size;
  let position = 0;
  const more = async () => {
    await store.commit([append('a', position, 'x'.repeat(300))]);
    position += 1;
    await rest();
  };
  while (begun() < 3) await more();
  await more();
  const { segments } = recover(disk, folder);
  const last = Math.max(...segments.infos.keys());
  segments.close();
  const file = disk.open(join(folder, `${last}-1.log`), 'write');
  const byte = file.read(100, 1);
  byte[0]! ^= 1;
  file.write(byte, 100);
  await expect(open(path, options)).rejects.toThrow(`${last}-1.log, offset 64: it is damaged`);
});

test('a segment that is gone is refused by name, if anything in it is needed', async () => {
  const { path, store } = await three();
  await store.close();
  await (await open(path)).close();
  const copy = crashed(path);
  const [oldest] = segmentNames(readdirSync(logFolder(copy))).toReversed();
  rmSync(join(logFolder(copy), oldest?.name ?? ''));
  await expect(open(copy)).rejects.toThrow('1-1.log: it is missing');
});

test('older damage is told when it is read, by record, file and offset; other streams are read', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('b', 0, 'other')]);
  await store.commit([append('a', 0, 'one')]);
  await store.commit([append('a', 1, 'two')]);
  await store.close();
  await (await open(path)).close();
  const copy = crashed(path);
  const next = await open(copy);
  await expect.poll(() => readdirSync(logFolder(copy))).not.toContain('1-1.log');
  const file = join(logFolder(copy), '1-1.logz');
  const bytes = readFileSync(file);
  bytes[70]! ^= 1;
  writeFileSync(file, bytes);
  await expect(next.read('a', 0, 10)).rejects.toThrow(/^record 1 of stream a: .*1-1.log/);
});

test('a session at its limit drops its oldest messages, a segment of them at a time, and says from where', async () => {
  const path = newPath();
  const store = await open(path, { ...tiny, keptBytesPerSession: 5_000 });
  for (let seq = 1; seq <= 300; seq += 1) {
    await store.commit([messages('A', seq, 'x'.repeat(100)), numbers('A', 1, seq + 1)]);
    if (seq % 20 === 0) await store.ready();
  }
  const { oldestKept } = await store.numbers('A');
  expect(oldestKept).toBeGreaterThan(150);
  expect(oldestKept).toBeLessThanOrEqual(251);
  expect(await kept(store, 'A')).toHaveLength(301 - oldestKept);
});

test('the log is for the owner alone', async () => {
  const { path } = await three();
  for (const name of readdirSync(logFolder(path))) {
    expect(statSync(join(logFolder(path), name)).mode & 0o077, name).toBe(0);
  }
  expect(statSync(logFolder(path)).mode & 0o077).toBe(0);
});

test('a store that did not open does not keep the process, and one that is closed does not either', async () => {
  const path = newPath();
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  const program = join(folder, 'program.mjs');
  const module = join(import.meta.dirname, '../../../src/store/log/log-store.ts');
  writeFileSync(
    program,
    `import { openLogStore } from '${module}';
    await openLogStore({ path: '${path}', durability: 'power' }).catch(({ name }) => console.log(name));
    const store = await openLogStore({ path: '${newPath()}', durability: 'power', reserveBytes: 4096 });
    await store.commit([{ kind: 'append', stream: 'a', expected: 0, payload: new Uint8Array(2_000_000) }]);
    await store.close();
    console.log('closed');`,
  );
  const said = execFileSync(process.execPath, [program], { timeout: 30_000 }).toString();
  expect(said).toBe('Error\nclosed\n');
});
