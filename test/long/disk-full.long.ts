/** A disk that others fill: the store goes on from its reserve, says so, ends when that is used up, and loses nothing. */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore } from '../../src/store/log/log-store.ts';
import { StoreFailed } from '../../src/store/store.ts';

const reserveBytes = 2 * 1024 * 1024;

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-disk-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'none', folder]).status !== 0) {
    rmdirSync(folder);
    return 'not run: a small disk can only be mounted by root';
  }
  try {
    return await fill(folder);
  } finally {
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  }
}

async function fill(folder: string): Promise<string> {
  const options = { path: join(folder, 'store.db'), durability: 'power', reserveBytes } as const;
  const store = await openLogStore(options);
  let acknowledged = 0;
  const commit = async () => {
    const payload = Buffer.alloc(2_000, `record ${acknowledged + 1} `);
    await store.commit([{ kind: 'append', stream: 'a', expected: acknowledged, payload }]);
    acknowledged += 1;
  };
  await commit();
  if (store.room() !== 'plenty') throw new Error('the reserve was not taken');
  fillDisk(join(folder, 'filler'));
  while (store.room() === 'plenty') await commit();
  const onReserve = acknowledged;
  let failure: unknown;
  while (failure === undefined) failure = await commit().catch((error: unknown) => error);
  if (!(failure instanceof StoreFailed)) throw failure;
  const used = acknowledged - onReserve;
  if (used < 100) throw new Error(`the reserve lasted for ${used} commits only`);
  await store.close().catch(() => {});
  rmSync(join(folder, 'filler'));
  const next = await openLogStore(options);
  const end = await next.end('a');
  const room = next.room();
  await next.close();
  if (end !== acknowledged) throw new Error(`${acknowledged} records acknowledged, ${end} found`);
  if (room !== 'plenty') throw new Error('with space on the disk the reserve was not taken again');
  return `${used} commits from the reserve after the disk was full, then an end; all ${end} records found`;
}

function fillDisk(path: string): void {
  for (const size of [65_536, 4_096]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      const isFull = error instanceof Error && 'code' in error && error.code === 'ENOSPC';
      if (!isFull) throw error;
    }
  }
}
