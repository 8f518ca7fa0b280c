import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Reserve } from '../../src/store/reserve.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-reserve-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a reserve is taken once, given back once, and taken again', () => {
  const path = join(folder, 'a');
  const reserve = new Reserve(path, 3_000_000);
  expect([reserve.take(), reserve.take(), reserve.isHeld]).toEqual([true, true, true]);
  expect(statSync(path).size).toBe(3_000_000);
  expect([reserve.release(), reserve.release(), reserve.isHeld]).toEqual([true, false, false]);
  expect(existsSync(path)).toBe(false);
  expect(reserve.take()).toBe(true);
});

test('the reserve of the last run is taken over; one of another size is made anew', () => {
  const path = join(folder, 'b');
  writeFileSync(path, 'short');
  expect(new Reserve(path, 1_000).take()).toBe(true);
  expect(statSync(path).size).toBe(1_000);
  expect(new Reserve(path, 1_000).take()).toBe(true);
});

test('a disk without room for it gives no reserve', () => {
  const reserve = new Reserve(join(folder, 'c'), 2 ** 52);
  expect([reserve.take(), reserve.isHeld]).toEqual([false, false]);
  expect(existsSync(join(folder, 'c'))).toBe(false);
});
