import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareLog } from '../../src/store/prepared-log.ts';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { append } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-prepared-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what is in a log stays, and zeros follow it', () => {
  const path = join(folder, 'log');
  writeFileSync(path, 'log');
  prepareLog(path, 2_000_000);
  expect(statSync(path).size).toBe(2_000_000);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe('log\0');
});

test('a disk with little space is left alone', () => {
  const path = join(folder, 'short');
  writeFileSync(path, '');
  prepareLog(path, Number.MAX_SAFE_INTEGER);
  expect(statSync(path).size).toBe(0);
});

test('a store opens with all its commits behind which zeros lie', async () => {
  const [path, copy] = [join(folder, 'a.db'), join(folder, 'copy.db')];
  const store = await openSqliteStore({ path, durability: 'power', reserveBytes: 4096 });
  for (let position = 0; position < 3; position += 1) {
    await store.commit([append('a', position, 'x'.repeat(9_000))]);
  }
  for (const ending of ['', '-wal']) writeFileSync(copy + ending, readFileSync(path + ending));
  await store.close();
  expect(readFileSync(`${copy}-wal`).at(-1)).toBe(0);
  const next = await openSqliteStore({ path: copy, durability: 'power', reserveBytes: 4096 });
  expect(await next.end('a')).toBe(3);
  await next.close();
});
