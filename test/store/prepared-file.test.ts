import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { prepareFile } from '../../src/store/prepared-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-prepared-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('what is in a file stays, and zeros follow it', () => {
  const path = join(folder, 'log');
  writeFileSync(path, 'log');
  prepareFile(path, 2_000_000);
  expect(statSync(path).size).toBe(2_000_000);
  expect(readFileSync(path).subarray(0, 4).toString()).toBe('log\0');
});

test('a disk with little space is left alone', () => {
  const path = join(folder, 'short');
  writeFileSync(path, '');
  prepareFile(path, Number.MAX_SAFE_INTEGER);
  expect(statSync(path).size).toBe(0);
});
