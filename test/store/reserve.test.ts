import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realDisk } from '../../src/store/log/disk.ts';
import { Reserve } from '../../src/store/reserve.ts';
import { SimulatedDisk } from '../simulation/simulated-disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-reserve-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a reserve is taken once, given back once, and taken again', () => {
  const path = join(folder, 'a');
  const reserve = new Reserve(realDisk, path, 3_000_000);
  expect([reserve.take(), reserve.take()]).toEqual([true, true]);
  expect(statSync(path).size).toBe(3_000_000);
  expect([reserve.release(), reserve.release()]).toEqual([true, false]);
  expect(existsSync(path)).toBe(false);
  expect(reserve.take()).toBe(true);
});

test('the reserve of the last run is taken over; one of another size is made anew', () => {
  const path = join(folder, 'b');
  writeFileSync(path, 'short');
  expect(new Reserve(realDisk, path, 1_000).take()).toBe(true);
  expect(statSync(path).size).toBe(1_000);
  expect(new Reserve(realDisk, path, 1_000).take()).toBe(true);
});

test('a disk without room for it gives no reserve', () => {
  const reserve = new Reserve(realDisk, join(folder, 'c'), 2 ** 52);
  expect([reserve.take(), reserve.release()]).toEqual([false, false]);
  expect(existsSync(join(folder, 'c'))).toBe(false);
});

test('a disk that fails while the reserve is written gives none, and leaves no part of one', () => {
  const simulated = new SimulatedDisk(1);
  const { disk } = simulated;
  disk.makeDirectory('/d');
  for (const failing of ['write', 'sync'] as const) {
    simulated.fault = (operation) => (operation === failing ? 'EIO' : undefined);
    const reserve = new Reserve(disk, '/d/reserve', 3_000_000);
    expect([reserve.take(), disk.list('/d')]).toEqual([false, []]);
  }
});

test('what a reserve gives back is room for what is under way', () => {
  const simulated = new SimulatedDisk(1);
  const { disk } = simulated;
  disk.makeDirectory('/d');
  simulated.capacity = 10_000;
  const reserve = new Reserve(disk, '/d/reserve', 4_000);
  const file = disk.open('/d/data', 'new');
  expect(reserve.take()).toBe(true);
  expect(() => file.write(Buffer.alloc(7_000), 0)).toThrow('ENOSPC');
  reserve.release();
  file.write(Buffer.alloc(7_000), 0);
  expect(reserve.take()).toBe(false);
});
