import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePrivateDirectory, syncDirectory } from '../../src/runtime/directory.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-directory-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('all that is missing is made, for this user alone', () => {
  const path = join(folder, 'a/b/c');
  makePrivateDirectory(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700);
});

test('one that is there is left as it is', () => {
  makePrivateDirectory(join(folder, 'a'));
  expect(() => makePrivateDirectory(join(folder, 'a'))).not.toThrow();
});

test('one that cannot be made or synced is an error', () => {
  expect(() => makePrivateDirectory('/dev/null/a')).toThrow(/ENOTDIR/);
  expect(() => makePrivateDirectory('/dev/null')).toThrow(/EEXIST/);
  expect(() => makePrivateDirectory('/proc/x/y')).toThrow(/ENOENT/);
  expect(() => syncDirectory(join(folder, 'none'))).toThrow(/ENOENT/);
});
