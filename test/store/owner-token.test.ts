/** The token of an owner: how long it is believed, and that nobody reads before that is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { believedMs, OwnerToken, takeToken } from '../../src/store/owner-token.ts';
import { openChecked } from '../../src/store/sqlite-check.ts';
import { SqliteReader } from '../../src/store/sqlite-reader.ts';
import { takeOver } from '../../src/store/take-over.ts';
import type { OwnerWord } from './racing-owner.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-token-'));
let made = 0;
const newPath = () => join(folder, `${++made}.db`);

afterAll(() => rmSync(folder, { recursive: true }));

function owned() {
  const path = newPath();
  const clock = { ms: 1_000 };
  const token = new OwnerToken(path, 1, () => clock.ms);
  const take = () => takeToken(path, 1, () => {});
  return { path, clock, token, take };
}

test('a token that nobody has seen yet is looked for', () => {
  const { token, take } = owned();
  take();
  expect(token.isBelieved).toBe(false);
});

test('what an owner saw it believes for a moment, and looks again when that is over', () => {
  const { clock, token, take } = owned();
  expect(token.isBelieved).toBe(true);
  take();
  clock.ms += believedMs - 1;
  expect(token.isBelieved).toBe(true);
  clock.ms += 1;
  expect(token.isBelieved).toBe(false);
});

test('the moment begins before the look, and each look begins another', () => {
  const path = newPath();
  const times = [1_000, 1_000 + believedMs, 1_000 + 2 * believedMs - 1, 1_000 + 2 * believedMs];
  const token = new OwnerToken(path, 1, () => times.shift() ?? 0);
  expect([token.isBelieved, token.isBelieved]).toEqual([true, true]);
  takeToken(path, 1, () => {});
  expect([token.isBelieved, token.isBelieved]).toEqual([true, false]);
});

test('whether it is there is seen at once', () => {
  const { token, take } = owned();
  expect([token.isBelieved, token.isThere]).toEqual([true, true]);
  take();
  expect([token.isBelieved, token.isThere]).toEqual([true, false]);
});

test('who takes a token away waits for longer than its owner may believe in it', () => {
  const { path, token } = owned();
  expect(token.isBelieved).toBe(true);
  const waits: number[] = [];
  takeToken(path, 1, (ms) => {
    expect(token.isThere).toBe(false);
    waits.push(ms);
  });
  expect(waits).toEqual([2 * believedMs]);
});

test('all that an owner has told before it was taken over is read by who takes over', async () => {
  const limits = { maxBytes: 1e8, keptBytesPerSession: 1e6, longBytes: 1e5 };
  for (let race = 0; race < 5; race += 1) {
    const path = newPath();
    const database = openChecked(path);
    const worker = new Worker(new URL('racing-owner.ts', import.meta.url), { workerData: path });
    const said: OwnerWord[] = [];
    const next = () => new Promise<OwnerWord>((resolve) => worker.once('message', resolve));
    said.push(await next());
    const over = next();
    const { front } = takeOver(path, database, limits);
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
