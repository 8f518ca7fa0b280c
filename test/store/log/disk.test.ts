/** The real disk; a simulated one is held to the same sentences. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realDisk } from '../../../src/store/log/disk.ts';
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
