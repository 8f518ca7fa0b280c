import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { writeAll } from '../../src/runtime/write-all.ts';
import { isFull } from '../../src/store/space.ts';

const { writeSync } = fs;

afterEach(() => answer(writeSync));

function answer(call: unknown): void {
  Object.assign(fs, { writeSync: call });
  syncBuiltinESMExports();
}

test('all bytes are written at their places, however few the system takes at once', () => {
  const written: unknown[] = [];
  answer((_: number, bytes: Uint8Array, from: number, length: number, at: number) => {
    const count = Math.ceil(length / 2);
    written.push([Buffer.from(bytes.subarray(from, from + count)).toString(), at]);
    return count;
  });
  writeAll(1, Buffer.from('abcdef'), 100);
  expect(written).toEqual([
    ['abc', 100],
    ['de', 103],
    ['f', 105],
  ]);
});

test('a quota that is used up is named, and counts as a full disk', () => {
  answer(() => {
    const errno = -constants.errno.EDQUOT;
    throw Object.assign(new Error('UNKNOWN: unknown error, write'), { code: 'UNKNOWN', errno });
  });
  let failure: unknown;
  try {
    writeAll(1, Buffer.from('x'), 0);
  } catch (error) {
    failure = error;
  }
  expect(failure).toMatchObject({ message: 'EDQUOT: disk quota exceeded, write' });
  expect(isFull(failure)).toBe(true);
});

test('every other error is the one of the system', () => {
  const error = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
  answer(() => {
    throw error;
  });
  expect(() => writeAll(1, Buffer.from('x'), 0)).toThrow(error);
});
