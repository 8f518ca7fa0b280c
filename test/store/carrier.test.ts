/** The thread that carries records over: when it does, what is told when it cannot, and that the log begins anew. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import { Carrier } from '../../src/store/carrier.ts';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { takeOver } from '../../src/store/take-over.ts';
import { append } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-carrier-'));
const closing: (() => unknown)[] = [];
let made = 0;

afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true });
});

function open({ maxBytes = 1e9, room = 0, elsewhere = false } = {}) {
  const path = join(folder, `${++made}.db`);
  const database = openChecked(path);
  const limits = { maxBytes, keptBytesPerSession: 1e6 };
  const owned = takeOver(path, database, { ...limits, longBytes: 1e6 });
  const { owner, front } = owned;
  const told: string[] = [];
  const setup = { path: elsewhere ? join(folder, 'no', 'such.db') : path, owner, limits };
  let left = room;
  const carrier = new Carrier({ ...setup, durability: 'process' }, owned, {
    makeRoom: () => {
      told.push('make room');
      left -= 1;
      return left >= 0;
    },
    failed: ({ message }) => told.push(message),
  });
  closing.push(async () => {
    await carrier.close();
    front.close();
    database.close();
  });
  let position = 0;
  const fill = (bytes: number) => {
    front.append([append('a', position, 'x'.repeat(bytes))]);
    position += 1;
    carrier.look();
  };
  return { path, front, carrier, told, fill, end: endOf(database) };
}

function endOf(database: DatabaseSync): () => number {
  const reader = new SqliteReader(database);
  return () => reader.end('a');
}

test('a thread that cannot start is a failure before anything is appended', async () => {
  const { carrier, told } = open({ elsewhere: true });
  await carrier.ready();
  await expect.poll(() => told).toEqual([expect.stringContaining('unable to open database file')]);
});

test('what was appended is in the tables after a while', async () => {
  const { fill, end } = open();
  fill(10);
  fill(10);
  expect(end()).toBe(0);
  await expect.poll(end, { timeout: 30_000 }).toBe(2);
});

test('what is waited for is in the tables at once, before there is a thread and then', async () => {
  const { front, carrier, fill, end } = open();
  fill(10);
  void carrier.all();
  expect(end()).toBe(1);
  fill(2 * 1024 ** 2);
  fill(10);
  expect(end()).toBe(1);
  const both = [carrier.all(), carrier.all()];
  fill(10);
  await Promise.all(both);
  expect(end()).toBeGreaterThanOrEqual(3);
  await carrier.all();
  expect([end(), front.uncarriedBytes]).toEqual([4, 0]);
});

test('where there is no room some is made once, and then it is told', async () => {
  const { front, carrier, told, fill, end } = open({ maxBytes: 200_000, room: 1 });
  fill(300_000);
  await expect(carrier.all()).rejects.toThrow('the disk or the data is full');
  expect(told).toEqual([
    'make room',
    'make room',
    'the store cannot write its tables: the disk or the data is full',
  ]);
  expect([end(), front.uncarriedBytes > 300_000]).toEqual([0, true]);
  await expect(carrier.all()).rejects.toThrow('full');
});

test('a thread that cannot open the tables is told', async () => {
  const { carrier, told, fill } = open({ elsewhere: true });
  fill(2 * 1024 ** 2);
  await expect(carrier.all()).rejects.toThrow('the store cannot write its tables');
  expect(told).toHaveLength(1);
});

/** What SQLite changes when it begins this log anew (https://sqlite.org/walformat.html, "WAL Header"). */
function salt(path: string): number {
  return readFileSync(`${path}-wal`).readUInt32BE(16);
}

test('a long log of SQLite is copied into its file, and then begins anew', async () => {
  const { path, carrier, fill, end } = open();
  fill(2 * 1024 ** 2);
  await carrier.all();
  fill(10);
  await carrier.all();
  const first = salt(path);
  for (let i = 0; i < 33; i += 1) fill(1024 ** 2);
  await carrier.all();
  fill(10);
  await carrier.all();
  expect(salt(path)).not.toBe(first);
  expect(end()).toBe(36);
}, 20_000);
