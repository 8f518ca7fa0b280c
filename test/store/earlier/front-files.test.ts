/** Commits of earlier versions that had not been carried over into the tables: all of them in order, or a refusal. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leftBehind, takeToken } from '../../../src/store/earlier/front-files.ts';
import { EarlierTables, type FrontRow } from '../../../src/store/earlier/tables.ts';
import { CorruptRecord } from '../../../src/store/store.ts';
import { Dice } from '../../simulation/dice.ts';
import { unpacked } from './kept-stores.ts';

let directory = '';
let path = '';
let front: FrontRow;

beforeEach(() => {
  directory = unpacked('killed');
  path = join(directory, 'gateway.db');
  const tables = new EarlierTables(path);
  front = tables.front();
  tables.close();
});
afterEach(() => rmSync(directory, { recursive: true }));

test('what the tables hold already does not come again', () => {
  const all = leftBehind(path, front);
  expect(all.length).toBeGreaterThan(100);
  const later = leftBehind(path, { ...front, carried: front.carried + 10 });
  expect(later.length).toBeLessThan(all.length);
  expect(all.slice(-later.length)).toEqual(later);
});

test('any damage leaves the first commits and no part of another, or is refused', () => {
  const all = leftBehind(path, front);
  const dice = new Dice(1);
  const files = [0, 1].map((turn) => `${path}-front-1-${turn}`).filter(existsSync);
  const counts = { whole: 0, refused: 0, shorter: 0 };
  for (let i = 0; i < 300; i += 1) {
    const file = dice.pick(files);
    const right = readFileSync(file);
    const bytes = Buffer.from(right);
    const at = dice.below(bytes.length);
    const isCut = dice.hits(300);
    if (!isCut) bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
    writeFileSync(file, isCut ? bytes.subarray(0, at) : bytes);
    try {
      const found = leftBehind(path, front);
      assert.deepEqual(found, all.slice(0, found.length));
      counts[found.length === all.length ? 'whole' : 'shorter'] += 1;
    } catch (error) {
      if (!(error instanceof CorruptRecord)) throw error;
      counts.refused += 1;
    }
    writeFileSync(file, right);
  }
  expect(counts.refused).toBeGreaterThan(10);
});

test('files of a later opening make the tables an older copy, unless nothing was written into them', () => {
  const later = `${path}-front-2-0`;
  writeFileSync(later, Buffer.alloc(100));
  expect(leftBehind(path, front).length).toBeGreaterThan(100);
  writeFileSync(later, 'x');
  expect(() => leftBehind(path, front)).toThrow(`it is an older copy: ${later}`);
  truncateSync(later);
  expect(leftBehind(path, front).length).toBeGreaterThan(100);
});

test('the token of an opening is taken once, and one that is gone is no fault', () => {
  expect(existsSync(`${path}-front-1-owner`)).toBe(true);
  takeToken(path, 1);
  expect(existsSync(`${path}-front-1-owner`)).toBe(false);
  takeToken(path, 1);
});
