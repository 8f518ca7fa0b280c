/** Files of secrets that others of the machine may read are not used. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  isExposed,
  PrivateFileError,
  readPrivateFile,
  unreadable,
} from '../../src/runtime/private-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-private-'));
const file = join(folder, 'secret');
writeFileSync(file, 'tell nobody\n', { mode: 0o600 });

afterAll(() => rmSync(folder, { recursive: true }));

const own = 1000;
const root = 0;

test.each([
  [own, 0o600, false],
  [own, 0o400, false],
  [own, 0o640, true],
  [own, 0o604, true],
  [own, 0o620, true],
  [root, 0o440, false],
  [root, 0o640, false],
  [root, 0o660, true],
  [root, 0o644, true],
])('a file of user %i with mode %o: exposed is %s', (uid, mode, exposed) => {
  expect(isExposed({ uid, mode: 0o100_000 | mode })).toBe(exposed);
});

test('a file of this user alone is read, and one that others may read is refused by name', () => {
  expect(readPrivateFile(file, 100)).toBe('tell nobody\n');
  chmodSync(file, 0o644);
  expect(() => readPrivateFile(file, 100)).toThrow(
    new PrivateFileError(`${file} has mode 0644: others may read it; chmod 600`),
  );
  chmodSync(file, 0o600);
});

test('a file that is too long is not read', () => {
  expect(() => readPrivateFile(file, 5)).toThrow('is longer than 5 bytes');
});

test('a file that cannot be read is reported with its name', () => {
  const why = (name: string) => {
    try {
      return readPrivateFile(name, 100_000);
    } catch (error) {
      return unreadable(name, error);
    }
  };
  expect(why(join(folder, 'none'))).toBe(`${join(folder, 'none')} does not exist`);
  expect(why(folder)).toBe(`${folder} cannot be read: EISDIR`);
  expect(why(join(file, 'below'))).toBe(`${join(file, 'below')} cannot be read: ENOTDIR`);
});
