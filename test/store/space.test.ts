/** The room that is left: by the data's own limit, and by what the disk still gives. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realDisk } from '../../src/store/log/disk.ts';
import { isFull, reservePath, Space } from '../../src/store/space.ts';
import { StoreFailed } from '../../src/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-space-'));
const limits = { maxBytes: 100_000, reserveBytes: 8_000 };
let made = 0;
let used = 0;

function open() {
  used = 0;
  const path = join(folder, `${++made}.db`);
  return { path, space: new Space(realDisk, path, limits, () => used) };
}

afterAll(() => rmSync(folder, { recursive: true }));

test('within the reserve of the limit new work is refused, and taken again when there is room', () => {
  const { space } = open();
  expect(space.room).toBe('plenty');
  for (const [inUse, room] of [
    [92_000, 'plenty'],
    [92_001, 'reserve'],
    [100_000, 'reserve'],
    [50_000, 'plenty'],
  ] as const) {
    used = inUse;
    space.take(1_001);
    expect(space.room, String(inUse)).toBe(room);
  }
});

test('it is measured now and then', () => {
  const { space } = open();
  used = 95_000;
  space.take(1_000);
  expect(space.room).toBe('plenty');
  space.take(1);
  expect(space.room).toBe('reserve');
});

test('beyond the limit nothing is written, but what is there can be opened', () => {
  const { path, space } = open();
  used = 100_001;
  expect(new Space(realDisk, path, limits, () => used).room).toBe('reserve');
  expect(() => space.take(2_000)).toThrow(StoreFailed);
  expect(() => space.take(2_000)).toThrow('the store holds 100001 bytes of at most 100000');
});

test('the reserve is given up once', () => {
  const { path, space } = open();
  expect(existsSync(reservePath(path))).toBe(true);
  expect([space.giveUpReserve(), space.room]).toEqual([true, 'reserve']);
  expect([existsSync(reservePath(path)), space.giveUpReserve()]).toEqual([false, false]);
});

test('space that was freed from outside is found without another write, and why there is none is said', () => {
  const { space } = open();
  expect(space.recheck()).toBeUndefined();
  used = 92_001;
  space.take(1_001);
  expect(space.recheck()).toBe('the data have 1 MB of at most 1 MB');
  used = 0;
  expect([space.recheck(), space.room]).toEqual([undefined, 'plenty']);
  space.giveUpReserve();
  expect([space.recheck(), space.room]).toEqual([undefined, 'plenty']);
  const full = { ...realDisk, freeBytes: () => 15_999 };
  const short = new Space(full, join(folder, 'short.db'), limits, () => 0);
  expect(short.recheck()).toBe('the disk, or a quota on it, has less than 1 MB free');
});

test('a full disk is distinguished from other faults, whichever layer reports it', () => {
  const said = (more: object) => Object.assign(new Error('x'), more);
  expect([said({ errcode: 13 }), said({ code: 'ENOSPC' })].map(isFull)).toEqual([true, true]);
  // As Node.js reports a quota that is used up.
  expect(isFull(said({ code: 'UNKNOWN', errno: -122 }))).toBe(true);
  expect([said({ errcode: 10 }), said({ code: 'EIO', errno: -5 }), 'x'].map(isFull)).toEqual(
    Array(3).fill(false),
  );
});
