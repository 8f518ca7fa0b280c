/** The real disk; a simulated one is held to the same sentences. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeFolder, realDisk } from '../../../src/store/log/disk.ts';
import { diskContract } from './disk-contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-disk-'));
let made = 0;
afterAll(() => rmSync(folder, { recursive: true }));

diskContract(() => ({ disk: realDisk, folder: join(folder, `${++made}`) }));

test('files and folders are for their owner alone', () => {
  const place = join(folder, 'private', 'inner');
  realDisk.makeDirectory(place);
  realDisk.open(join(place, 'a'), 'new').close();
  realDisk.open(join(place, 'b'), 'write').close();
  for (const path of [place, join(place, 'a'), join(place, 'b')]) {
    expect(statSync(path).mode & 0o077, path).toBe(0);
  }
});

test('a folder that is made is there as a whole or not at all, and what a failed attempt left is not in the next', async () => {
  const place = join(folder, 'whole', 'log');
  const fill = (name: string, error?: string) => async (made: string) => {
    realDisk.open(join(made, name), 'new').close();
    if (error !== undefined) throw new Error(error);
    return name;
  };
  await expect(makeFolder(realDisk, place, fill('a', 'no space'))).rejects.toThrow('no space');
  expect(realDisk.list(join(place, '..'))).toEqual([]);
  // Of attempts whose processes were killed.
  for (const left of ['.new', '.new-00000001', '.new-00000002']) {
    realDisk.makeDirectory(`${place}${left}`);
    realDisk.open(join(`${place}${left}`, 'c'), 'new').close();
  }
  expect(await makeFolder(realDisk, place, fill('b'))).toBe('b');
  expect(realDisk.list(place)).toEqual(['b']);
  expect(realDisk.list(join(place, '..'))).toEqual(['log']);
});

test('of two attempts to make a folder at once one fails, and the folder has nothing of it', async () => {
  const place = join(folder, 'twice', 'log');
  const touch = (made: string, name: string) => realDisk.open(join(made, name), 'new').close();
  const early = makeFolder(realDisk, place, async (made) => {
    touch(made, 'early');
    await makeFolder(realDisk, place, async (other) => touch(other, 'late'));
    touch(made, 'too late');
  });
  await expect(early).rejects.toThrow('ENOENT');
  expect(realDisk.list(place)).toEqual(['late']);
  // An attempt that began before the other had made its folder cannot replace what that one made.
  const second = join(folder, 'again', 'log');
  const slow = makeFolder(realDisk, second, async (made) => {
    touch(made, 'slow');
    realDisk.makeDirectory(second);
    touch(second, 'fast');
  });
  await expect(slow).rejects.toThrow(second);
  expect(realDisk.list(second)).toEqual(['fast']);
});
