/** The SQLite driver: the contract of every store, then what a disk can do to it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { CorruptRecord, type Store, StoreFailed } from '../../src/store/store.ts';
import { append, journal, kept, messages, numbers, storeContract } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-store-'));
const paths = new Map<Store, string>();
let files = 0;
const newPath = () => join(folder, `${++files}.db`);
const small = { reserveBytes: 64 * 1024 };

async function open(path = newPath(), more: object = {}): Promise<Store> {
  const store = await openSqliteStore({ path, durability: 'power', ...small, ...more });
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

test('a store that did not open does not keep the process', () => {
  const path = newPath();
  writeFileSync(path, 'this is a text of more than sixteen bytes, not a database');
  const module = join(import.meta.dirname, '../../src/store/sqlite-store.ts');
  const script = `import { openSqliteStore } from '${module}';
    openSqliteStore({ path: '${path}', durability: 'power' }).catch(({ name }) => console.log(name));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 10_000,
  });
  expect(said.toString()).toBe('Error\n');
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

test('a log with a durable record behind a damaged one is refused, by its frame', async () => {
  const [path, copy] = [newPath(), newPath()];
  const store = await open(path);
  for (let i = 0; i < 3; i += 1) await store.commit([append('a', i, 'x'.repeat(9_000))]);
  writeFileSync(copy, readFileSync(path));
  const log = readFileSync(`${path}-wal`);
  log[32 + 24 + 100]! ^= 1;
  writeFileSync(`${copy}-wal`, log);
  const opening = open(copy);
  await expect(opening).rejects.toThrow(CorruptRecord);
  await expect(opening).rejects.toThrow('frame 1 ');
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
    text: expect.stringContaining('the store cannot write: disk I/O error'),
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
  const store = await open();
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
  const tool = new DatabaseSync(path, { readOnly: true });
  expect(tool.prepare('SELECT count(*) AS n FROM journal').get()).toEqual({ n: 1 });
  tool.close();
});

test('the store and its log are for the owner alone', async () => {
  const path = newPath();
  const store = await open(path);
  await store.commit([append('a', 0, 'one')]);
  for (const ending of ['', '-wal', '-reserve']) {
    expect(statSync(path + ending).mode & 0o077, ending).toBe(0);
  }
  expect(readFileSync(path).length).toBeGreaterThan(0);
});

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
