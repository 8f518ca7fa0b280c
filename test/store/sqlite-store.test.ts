/** The SQLite driver: the contract of every store, then what a disk can do to it. */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { CorruptRecord, PositionConflict, type Store, StoreFailed } from '../../src/store/store.ts';
import { append, journal, kept, messages, numbers, storeContract } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'));
const paths = new Map<Store, string>();
let made = 0;
const newPath = () => join(folder, `${++made}.db`);
const small = { reserveBytes: 64 * 1024 };

async function open(path = newPath(), more: object = {}): Promise<Store> {
  const store = await openSqliteStore({ path, durability: 'process', ...small, ...more });
  paths.set(store, path);
  return store;
}

afterAll(async () => {
  for (const store of paths.keys()) await store.close();
  rmSync(folder, { recursive: true });
});

storeContract({ open: () => open(), reopen: (store) => open(paths.get(store)) });

test('a store that is not one is refused by name', async () => {
  const path = newPath();
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  await expect(open(path)).rejects.toThrow(path);
});

const module = join(import.meta.dirname, '../../src/store/sqlite-store.ts');

/** What a program of its own says that opens this store. */
function program(path: string, then: string): string {
  const script = `import { openSqliteStore } from '${module}';
    openSqliteStore({ path: '${path}', durability: 'process' }).${then}`;
  const file = join(folder, 'program.mjs');
  writeFileSync(file, script);
  return execFileSync(process.execPath, [file], { timeout: 30_000 }).toString();
}

test('a store that did not open does not keep the process', () => {
  const path = newPath();
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  expect(program(path, 'catch(({ name }) => console.log(name));')).toBe('Error\n');
});

test('a store that is closed while it carries over is closed before the process ends', () => {
  const path = newPath();
  const said = program(
    path,
    `then(async (store) => {
      const payload = new Uint8Array(2_000_000);
      await store.commit([{ kind: 'append', stream: 'a', expected: 0, payload }]);
      await store.close();
      console.log('closed');
    });`,
  );
  expect(said).toBe('closed\n');
});

test('a file of a later schema is refused', async () => {
  const path = newPath();
  await (await open(path)).close();
  edit(path, 'PRAGMA user_version = 99');
  await expect(open(path)).rejects.toThrow('schema version 99');
});

const damages = [
  ["UPDATE journal SET payload = 'x' WHERE position = 2", 'record 2 of stream a'],
  ['DELETE FROM journal WHERE position = 2', 'record 2 of stream a'],
  ['UPDATE messages SET bytes = zeroblob(length(bytes))', 'messages from 1 of session A'],
  ['UPDATE messages SET first_seq = 2, last_seq = 3', 'messages from 2 of session A'],
  ['UPDATE sessions SET next_in = 1', 'the numbers of session A'],
  ['UPDATE cursors SET value = 1', 'cursor c'],
  ['UPDATE held SET position = 2', 'held message 2 of session A'],
] as const;

test.each(damages)('after «%s» the store does not open and names %s', async (sql, record) => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one'), append('a', 1, 'two'), append('a', 2, 'three')]);
  await store.commit([messages('A', 1, 'm1', 'm2'), numbers('A', 9, 3)]);
  await store.commit([
    { kind: 'cursor', name: 'c', value: 5 },
    { kind: 'hold', session: 'A', position: 1, bytes: new Uint8Array([1]) },
  ]);
  await store.close();
  edit(path, sql.replace("'x'", "CAST('x' AS BLOB)"));
  const opening = open(path);
  await expect(opening).rejects.toThrow(CorruptRecord);
  await expect(opening).rejects.toThrow(record);
});

/** What a crash would leave: the files as they are now, under another name. */
function crashed(path: string): string {
  const copy = newPath();
  for (const file of files(path)) copyFileSync(file, copy + file.slice(path.length));
  return copy;
}

const files = (path: string) =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((file) => file.startsWith(path) && !file.endsWith('-shm'));

test('a log with a durable record behind a damaged one is refused, by its frame', async () => {
  const path = newPath();
  const store = await open(path);
  for (let i = 0; i < 3; i += 1) {
    await store.commit([append('a', i, 'x'.repeat(9_000))]);
    expect(await store.end('a')).toBe(i + 1);
  }
  await journal(store, 'a');
  const copy = crashed(path);
  damage(`${copy}-wal`, 32 + 24 + 100);
  const opening = open(copy);
  await expect(opening).rejects.toThrow(CorruptRecord);
  await expect(opening).rejects.toThrow('frame 1 ');
});

test('a front file with a durable record behind a damaged one is refused, by its number', async () => {
  const path = newPath();
  const store = await open(path);
  for (let i = 0; i < 3; i += 1) await store.commit([append('a', i, `number ${i}`)]);
  const copy = crashed(path);
  damage(`${copy}-front-1-0`, readFileSync(`${copy}-front-1-0`).indexOf('number 1'));
  const opening = open(copy);
  await expect(opening).rejects.toThrow(CorruptRecord);
  await expect(opening).rejects.toThrow('-front-1-0, record 2: it is damaged and durable records');
});

test('the next start after a crash finds what was not in the tables yet', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one'), numbers('A', 2, 2)]);
  await store.commit([append('a', 1, 'two'), messages('A', 1, 'm1')]);
  const copy = crashed(path);
  const tool = new DatabaseSync(copy, { readOnly: true });
  expect(tool.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 0 });
  tool.close();
  const next = await open(copy);
  expect(await journal(next, 'a')).toEqual(['1:one', '2:two']);
  expect(await kept(next, 'A')).toEqual(['1:m1']);
  expect((await next.numbers('A')).nextIn).toBe(2);
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

test('tables that are older than a front file beside them are refused, by its name', async () => {
  const path = newPath();
  await (await open(path)).close();
  const old = crashed(path);
  await (await open(path)).close();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  copyFileSync(`${path}-front-3-0`, `${old}-front-3-0`);
  await expect(open(old)).rejects.toThrow(`older copy: ${old}-front-3-0`);
});

test('a file of version 1 is taken as it is', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  await store.close();
  edit(path, 'DROP TABLE front; PRAGMA user_version = 1');
  const next = await open(path);
  await next.commit([append('a', 1, 'two')]);
  expect(await journal(next, 'a')).toEqual(['1:one', '2:two']);
});

test('a store that was closed is its tables alone', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  expect(files(path).map((file) => file.slice(path.length))).toContain('-front-1-0');
  await store.close();
  expect(files(path).map((file) => file.slice(path.length))).toEqual(['', '-reserve']);
});

test('commits wait while too much is not in the tables, and then go on', async () => {
  const store = await open(newPath(), { maxUncarriedBytes: 1_000 });
  const payload = 'x'.repeat(2_000);
  for (let i = 0; i < 5; i += 1) await store.commit([append('a', i, payload)]);
  expect(await store.end('a')).toBe(5);
});

test('two messages under one number are refused before anything is told', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([messages('A', 1, 'one', 'two'), numbers('A', 1, 3)]);
  await expect(store.commit([messages('A', 2, 'again')])).rejects.toThrow(StoreFailed);
  await store.close();
  expect(await kept(await open(path), 'A')).toEqual(['1:one', '2:two']);
});

test('a start looks at the journal from the last snapshot on; older damage is told when it is read', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one'), append('a', 1, 'two'), append('a', 2, 'three')]);
  await store.commit([
    { kind: 'snapshot', stream: 'a', position: 2, payload: new Uint8Array([1]) },
  ]);
  await store.close();
  edit(path, 'UPDATE journal SET payload = zeroblob(3) WHERE position = 1');
  const next = await open(path);
  expect(await journal(next, 'a', 2)).toEqual(['3:three']);
  await expect(next.read('a', 0, 10)).rejects.toThrow('record 1 of stream a');
});

test('a session at its limit keeps the newest messages and says from where', async () => {
  const path = newPath();
  const store = await open(path, { keptBytesPerSession: 100 });
  for (let seq = 1; seq <= 30; seq += 1) {
    await store.commit([messages('A', seq, 'ten bytes.'), numbers('A', 1, seq + 1)]);
  }
  expect((await store.numbers('A')).oldestKept).toBe(21);
  expect(await kept(store, 'A')).toHaveLength(10);
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

test('a disk that fails ends the owner: no commit after it, and the next start has all acknowledged ones', async () => {
  const path = newPath();
  const program = join(import.meta.dirname, 'failing-disk.ts');
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
  const patient = store
    .commit([append('a', 0, 'one')], { mayWait: true })
    .then(() => told.push('one'));
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(told).toEqual([]);
  await store.commit([append('a', 1, 'two')]).then(() => told.push('two'));
  expect(told).toEqual(['one', 'two']);
  await patient;
  await store.commit([append('a', 2, 'three')], { mayWait: true });
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

test('while the store is open, any SQLite tool can read it', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  await store.end('a');
  const tool = new DatabaseSync(path, { readOnly: true });
  expect(tool.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 1 });
  tool.close();
});

test('the store and its log are for the owner alone', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  for (const ending of ['', '-wal', '-reserve', '-front-1-0', '-front-1-1']) {
    expect(statSync(path + ending).mode & 0o077, ending).toBe(0);
  }
  expect(readFileSync(path).length).toBeGreaterThan(0);
});

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

function damage(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
}
