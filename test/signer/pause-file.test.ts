import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import {
  pause,
  pauseFileIn,
  pauseReason,
  pauseWatch,
  resume,
} from '../../src/signer/pause-file.ts';
import { fillDisk, hasRoomAgain } from './full-disk.ts';

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pause-'));
  file = pauseFileIn(directory);
});

afterEach(() => rmSync(directory, { recursive: true }));

test('a pause and its end are seen within 100 ms', () => {
  const clock = new ManualClock();
  const paused = pauseWatch(file, clock);
  expect(paused()).toBeNull();
  pause(file, 'unexplained fills');
  expect(paused()).toBeNull();
  clock.advance(100);
  expect(paused()).toBe('unexplained fills');
  resume(file);
  clock.advance(100);
  expect(paused()).toBeNull();
});

test('a pause survives a restart, for its own user alone, and needs no reason', () => {
  pause(file, '');
  expect(pauseWatch(file, new ManualClock())()).toBe('no reason is given');
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a long reason is cut off, and to resume what is not paused is no fault', () => {
  pause(file, 'x'.repeat(10_000));
  expect(pauseReason(file)).toHaveLength(200);
  resume(file);
  resume(file);
  expect(pauseReason(file)).toBeNull();
});

test('a full disk has no room for the reason, and the pause counts all the same', () => {
  fillDisk(0);
  try {
    pause(file, 'unexplained fills');
  } finally {
    hasRoomAgain();
  }
  expect(pauseReason(file)).toBe('no reason is given');
  expect(() => pause(join(directory, 'nowhere', 'file'), '')).toThrow('ENOENT');
});

test('a file that cannot be read is a pause', () => {
  mkdirSync(file);
  expect(pauseReason(file)).toBe(`${file} cannot be read: EISDIR`);
});
