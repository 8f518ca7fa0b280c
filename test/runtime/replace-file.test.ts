import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { replaceFile, replaceFileSync } from '../../src/runtime/replace-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-replace-'));
  file = join(folder, 'head');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  ['at once', async (content: string) => replaceFileSync(file, content)],
  ['in the background', (content: string) => replaceFile(file, content)],
])('a file is written %s, as a whole and for its owner alone', async (_, replace) => {
  writeFileSync(file, 'a longer content before', { mode: 0o644 });
  await replace('after');
  expect(readFileSync(file, 'utf8')).toBe('after');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['head']);
});

test('a folder that is missing is an error', async () => {
  rmSync(folder, { recursive: true });
  expect(() => replaceFileSync(file, 'x')).toThrow(/ENOENT/);
  await expect(replaceFile(file, 'x')).rejects.toThrow(/ENOENT/);
});

test('writing at once overtakes a write in the background without mixing with it', async () => {
  const late = replaceFile(file, 'b'.repeat(1_000_000));
  replaceFileSync(file, 'a');
  expect(readFileSync(file, 'utf8')).toBe('a');
  await late;
  expect(readFileSync(file, 'utf8')).toBe('b'.repeat(1_000_000));
});
