/** Who owns a store: one opening after the other, each with all that the one before it has told. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { reservePath } from '../../src/store/space.ts';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { PositionConflict } from '../../src/store/store.ts';
import { giveUp, takeOver } from '../../src/store/take-over.ts';
import { append } from './contract.ts';
import type { OwnerWord } from './racing-owner.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-owner-'));
const closing: (() => void)[] = [];
let made = 0;
const limits = { maxBytes: 1e8, keptBytesPerSession: 1e6, longBytes: 1e6 };
const newPath = () => join(folder, `${++made}.db`);

afterAll(() => {
  for (const close of closing) close();
  rmSync(folder, { recursive: true });
});

function open(path: string, more: object = {}) {
  const database = openChecked(path);
  closing.push(() => database.close());
  const { owner, front } = takeOver(path, database, { ...limits, ...more });
  closing.push(() => front.close());
  const reader = new SqliteReader(database);
  return { database, owner, front, end: () => reader.end('a') };
}

test('each opening has a number and a mark of its own, and what the one before left', () => {
  const path = newPath();
  const first = open(path);
  first.front.append([append('a', 0, 'one')]);
  const second = open(path);
  expect([first.owner.opening, second.owner.opening]).toEqual([1, 2]);
  expect(second.owner.mark).not.toEqual(first.owner.mark);
  expect(second.end()).toBe(1);
  expect([existsSync(`${path}-front-1-0`), existsSync(`${path}-front-2-0`)]).toEqual([false, true]);
  expect(() => first.front.append([append('a', 1, 'late')])).toThrow(PositionConflict);
  expect(open(path).end()).toBe(1);
});

test('all that an owner has told before it was taken over is read by who takes over', async () => {
  for (let race = 0; race < 5; race += 1) {
    const path = newPath();
    const database = openChecked(path);
    const worker = new Worker(new URL('racing-owner.ts', import.meta.url), { workerData: path });
    const said: OwnerWord[] = [];
    const next = () => new Promise<OwnerWord>((resolve) => worker.once('message', resolve));
    said.push(await next());
    const over = next();
    const { front } = takeOver(path, database, { ...limits, longBytes: 1e5 });
    const end = new SqliteReader(database).end('a');
    said.push(await over);
    const [begun, taken] = said;
    expect(begun).toEqual({ told: 100, problem: null });
    expect(taken?.problem).toContain('another owner');
    expect(end).toBeGreaterThanOrEqual(taken?.told ?? Number.POSITIVE_INFINITY);
    front.close();
    database.close();
    await worker.terminate();
  }
});

test('an owner that slept over more than one opening, or over the end of the next one, is not believed', () => {
  const path = newPath();
  const first = open(path);
  first.front.append([append('a', 0, 'one')]);
  const second = open(path);
  const third = open(path);
  for (const { front } of [first, second])
    expect(() => front.append([append('a', 1, 'late')])).toThrow(PositionConflict);
  giveUp(path, third.database, limits, third.owner);
  expect(() => second.front.append([append('a', 1, 'late')])).toThrow(PositionConflict);
});

test('an opening that failed has stopped the owner, and the next one finds all that was told', () => {
  const path = newPath();
  const { front } = open(path);
  front.append([append('a', 0, 'x'.repeat(300_000))]);
  expect(() => open(path, { maxBytes: 100_000 })).toThrow('full');
  expect(() => front.append([append('a', 1, 'late')])).toThrow(PositionConflict);
  expect(open(path).end()).toBeGreaterThanOrEqual(1);
});

test('where there is no room the reserve is given up for what was promised', () => {
  const path = newPath();
  open(path).front.append([append('a', 0, 'x'.repeat(300_000))]);
  writeFileSync(reservePath(path), 'room');
  expect(() => open(path, { maxBytes: 100_000 })).toThrow('full');
  expect(existsSync(reservePath(path))).toBe(false);
});

test('who gives a store up leaves its tables alone', () => {
  const path = newPath();
  const { database, owner, front, end } = open(path);
  front.append([append('a', 0, 'one')]);
  giveUp(path, database, limits, owner);
  expect([end(), existsSync(`${path}-front-1-0`)]).toEqual([1, false]);
});

test('who was taken over gives nothing up', () => {
  const path = newPath();
  const first = open(path);
  const second = open(path);
  second.front.append([append('a', 0, 'one')]);
  expect(() => giveUp(path, first.database, limits, first.owner)).toThrow(PositionConflict);
  expect(existsSync(`${path}-front-2-0`)).toBe(true);
});
