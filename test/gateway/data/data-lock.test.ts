/** One process runs on a data directory; a standby waits for its end, and who lost the data is told. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LoadedConfig } from '../../../src/gateway/config/config-file.ts';
import {
  DataLock,
  heldLookMs,
  holderOf,
  lockPath,
  waitingLookMs,
} from '../../../src/gateway/data/data-lock.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'data-lock-'));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** The part of a configuration that the lock looks at. */
function loaded(...roles: ('order-entry' | 'drop-copy')[]): LoadedConfig {
  return {
    config: { dataDir: 'data', roles } as unknown as LoadedConfig['config'],
    path: (file: string) => join(directory, file),
  } as LoadedConfig;
}

const bridge = () => loaded('order-entry', 'drop-copy');

test('a second one has nothing, and can tell who has the data', () => {
  const lock = DataLock.take(bridge());
  expect(DataLock.tryToTake(bridge())).toBeUndefined();
  expect(holderOf(lockPath(bridge()))).toContain(`process ${process.pid} of `);
  lock.release();
});

test('a second one that comes by a symbolic link has nothing either', () => {
  const lock = DataLock.take(bridge());
  const other = mkdtempSync(join(tmpdir(), 'data-lock-link-'));
  symlinkSync(join(directory, 'data'), join(other, 'data'));
  const linked = { ...bridge(), path: (file: string) => join(other, file) };
  expect(DataLock.tryToTake(linked)).toBeUndefined();
  lock.release();
  const next = DataLock.tryToTake(linked);
  expect(next).toBeDefined();
  expect(DataLock.tryToTake(bridge())).toBeUndefined();
  next?.release();
  rmSync(other, { recursive: true });
});

test('a relay has a lock of its own', () => {
  const one = DataLock.take(bridge());
  const other = DataLock.take(loaded('drop-copy'));
  one.release();
  other.release();
});

test('a holder that cannot be read is another process, and a long one is cut', () => {
  const path = lockPath(bridge());
  expect(holderOf(path)).toBe('another process');
  mkdirSync(dirname(path));
  writeFileSync(`${path}.holder`, '');
  expect(holderOf(path)).toBe('another process');
  writeFileSync(`${path}.holder`, 'x'.repeat(10_000));
  expect(holderOf(path)).toHaveLength(200);
});

test('who cannot say that it holds the data holds it all the same', () => {
  const path = lockPath(bridge());
  mkdirSync(`${path}.holder`, { recursive: true });
  const lock = DataLock.take(bridge());
  expect(DataLock.tryToTake(bridge())).toBeUndefined();
  lock.release();
});

test('who waits has the data at the first look after its end', async () => {
  const clock = new ManualClock();
  const before = DataLock.take(bridge());
  let own: DataLock | undefined;
  const waiting = DataLock.await(bridge(), clock).then((lock) => {
    own = lock;
  });
  for (let look = 0; look < 5; look += 1) {
    clock.advance(waitingLookMs);
    await Promise.resolve();
  }
  expect(own).toBeUndefined();
  before.release();
  clock.advance(waitingLookMs);
  await waiting;
  expect(own).toBeInstanceOf(DataLock);
  own?.release();
});

test('the process whose data was seized is notified, and no other process is', () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const before = DataLock.take(bridge());
  before.whenLost(clock, () => told.push('before'));
  clock.advance(heldLookMs);
  const seized = DataLock.seize(bridge());
  seized.whenLost(clock, () => told.push('seized'));
  expect(told).toEqual([]);
  clock.advance(heldLookMs);
  clock.advance(heldLookMs);
  expect(told).toEqual(['before']);
  before.release();
  seized.release();
});

test('a lock that was released is not looked at any more', () => {
  const clock = new ManualClock();
  const told: string[] = [];
  const before = DataLock.take(bridge());
  before.whenLost(clock, () => told.push('before'));
  before.release();
  const seized = DataLock.seize(bridge());
  clock.advance(2 * heldLookMs);
  expect(told).toEqual([]);
  seized.release();
});
