/** A log that grows long is carried over while commits go on. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Checkpointer } from '../../src/store/checkpointer.ts';
import { SqliteFile } from '../../src/store/sqlite-file.ts';
import { defaultSqliteLimits, openSqliteStore } from '../../src/store/sqlite-store.ts';
import { append } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-checkpoint-'));
const longLog = 32 * 1024 * 1024;

afterAll(() => rmSync(folder, { recursive: true }));

/** How often SQLite has begun this log anew (https://sqlite.org/walformat.html, "WAL Header"). */
function generation(path: string): number {
  return readFileSync(`${path}-wal`).readUInt32BE(12);
}

test('a long log is carried over beside the commits, and then begins anew', async () => {
  const path = join(folder, 'long.db');
  const store = await openSqliteStore({ path, durability: 'process', reserveBytes: 4096 });
  let position = 0;
  const fill = async (text: string) => {
    await store.commit([append('a', position, text)]);
    position += 1;
  };
  await fill('first');
  const first = generation(path);
  while (position < 33) await fill('x'.repeat(1024 * 1024));
  const next = async () => {
    await fill('small');
    return generation(path);
  };
  await expect.poll(next, { timeout: 10_000 }).toBeGreaterThan(first);
  await store.close();
  const reopened = await openSqliteStore({ path, durability: 'process', reserveBytes: 4096 });
  expect(await reopened.end('a')).toBe(position);
  await reopened.close();
}, 20_000);

test('a log that cannot be carried over is told', async () => {
  const path = join(folder, 'gone.db');
  const file = new SqliteFile({
    path,
    durability: 'process',
    ...defaultSqliteLimits,
    reserveBytes: 4096,
  });
  file.commit([[append('a', 0, 'x'.repeat(longLog))]]);
  const problem = new Promise<Error>((resolve) => {
    const checkpointer = new Checkpointer(join(folder, 'no', 'such.db'), file, resolve);
    checkpointer.look();
  });
  expect((await problem).message).toContain("the store's log cannot be carried over");
  file.close();
});
