import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { writeAll } from '../../src/runtime/write-all.ts';
import { isFull } from '../../src/store/space.ts';

const directory = fs.mkdtempSync(join(tmpdir(), 'write-all-'));
const path = join(directory, 'file');
const { writeSync } = fs;
let descriptor: number;

/** The system writes at most so many bytes at a time, and none once so many are written. */
function limited(atOnceBytes: number, spaceBytes = Number.POSITIVE_INFINITY): void {
  let spaceLeft = spaceBytes;
  fs.writeSync = ((to: number, bytes: Uint8Array, at: number, length: number, position: number) => {
    if (spaceLeft === 0) throw new Error('ENOSPC');
    const count = writeSync(to, bytes, at, Math.min(length, atOnceBytes, spaceLeft), position);
    spaceLeft -= count;
    return count;
  }) as typeof writeSync;
  syncBuiltinESMExports();
}

function failing(error: Error): void {
  fs.writeSync = () => {
    throw error;
  };
  syncBuiltinESMExports();
}

beforeEach(() => {
  fs.writeFileSync(path, '----------');
  descriptor = fs.openSync(path, 'r+');
});
afterEach(() => {
  fs.closeSync(descriptor);
  fs.writeSync = writeSync;
  syncBuiltinESMExports();
});
afterAll(() => fs.rmSync(directory, { recursive: true }));

test.each([1, 2, 3, 4, 5, 100])(
  'all bytes are written in place where the system writes %i at a time',
  (atOnceBytes) => {
    limited(atOnceBytes);
    writeAll(descriptor, Buffer.from('abcde'), 3);
    expect(fs.readFileSync(path, 'utf8')).toBe('---abcde--');
  },
);

test('only the bytes of a view are written', () => {
  writeAll(descriptor, Buffer.from('<abcde>').subarray(1, 6), 0);
  expect(fs.readFileSync(path, 'utf8')).toBe('abcde-----');
});

test('without bytes nothing is asked of the system', () => {
  limited(1, 0);
  expect(() => writeAll(descriptor, new Uint8Array(0), 0)).not.toThrow();
});

test('a disk that takes only a part is an error, not a short file that looks whole', () => {
  limited(2, 3);
  expect(() => writeAll(descriptor, Buffer.from('abcde'), 0)).toThrow('ENOSPC');
  expect(fs.readFileSync(path, 'utf8')).toBe('abc-------');
});

test('a quota that is used up is named, and counts as a full disk', () => {
  const errno = -constants.errno.EDQUOT;
  const error = Object.assign(new Error('UNKNOWN: unknown error, write'), { errno });
  failing(error);
  expect(() => writeAll(descriptor, Buffer.from('x'), 0)).toThrow('EDQUOT: disk quota exceeded');
  expect(isFull(error)).toBe(true);
});

test('every other error is the one of the system', () => {
  const error = new Error('EIO: i/o error, write');
  failing(error);
  expect(() => writeAll(descriptor, Buffer.from('x'), 0)).toThrow(error);
});
