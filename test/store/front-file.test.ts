/** The two files in front of the tables: which is written when, what of them is carried over, and whose they are. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  demandNoLater,
  FrontFile,
  leftBehind,
  removeFronts,
  takeToken,
} from '../../src/store/front-file.ts';
import { markBytes } from '../../src/store/record.ts';
import { CorruptRecord, PositionConflict } from '../../src/store/store.ts';
import { append } from './contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-front-'));
const opened: FrontFile[] = [];
let made = 0;
const owner = { opening: 4, mark: Buffer.alloc(markBytes, 7), carried: 0 };
const longBytes = 1_000;

function open(path = join(folder, `${++made}.db`)) {
  const front = new FrontFile(path, owner, longBytes);
  opened.push(front);
  const commit = (size = 400) => front.append([append('a', front.sequence, 'x'.repeat(size))]);
  const left = (carried: number) =>
    leftBehind(path, { ...owner, carried }).map(({ sequence }) => sequence);
  return { path, front, commit, left };
}

afterAll(() => {
  for (const front of opened) front.close();
  rmSync(folder, { recursive: true });
});

test('what was appended is left for the next opening, behind what is carried over', () => {
  const { front, commit, left } = open();
  for (let i = 0; i < 3; i += 1) commit();
  expect(front.sequence).toBe(3);
  expect([left(0), left(2), left(3)]).toEqual([[1, 2, 3], [3], []]);
});

test('a long file is left for the other one, when all that the other holds is carried over', () => {
  const { path, front, commit, left } = open();
  const sizes = () => [0, 1].map((turn) => statSync(`${path}-front-4-${turn}`).size);
  for (let i = 0; i < 5; i += 1) commit();
  const [first = 0, second = 0] = sizes();
  expect(first).toBeGreaterThan(longBytes);
  expect(second).toBeGreaterThan(0);
  // The first holds records that are not carried over, so the second becomes longer.
  for (let i = 0; i < 5; i += 1) commit();
  expect(sizes()[0]).toBe(first);
  expect(left(0)).toHaveLength(10);
  front.carried(front.uncarried());
  commit();
  expect(sizes()[0]).toBe(first);
  expect(left(10)).toEqual([11]);
  expect(readFileSync(`${path}-front-4-0`).indexOf(owner.mark)).toBe(0);
});

test('what is to be carried over is handed out once, in whole records and in order', () => {
  const { front, commit } = open();
  for (let i = 0; i < 5; i += 1) commit();
  const { extents, lastSequence } = front.uncarried();
  expect([extents.length, lastSequence]).toEqual([2, 5]);
  expect(front.uncarried().extents).toEqual([]);
  commit();
  const bytes = front.uncarriedBytes;
  front.carried({ extents, lastSequence });
  expect(front.uncarriedBytes).toBeLessThan(bytes / 2);
  front.carried(front.uncarried());
  expect(front.uncarriedBytes).toBe(0);
});

test('a gap between the two files is damage', () => {
  const { path, commit, left } = open();
  for (let i = 0; i < 5; i += 1) commit();
  writeFileSync(`${path}-front-4-0`, Buffer.alloc(100));
  expect(() => left(0)).toThrow(CorruptRecord);
  expect(() => left(0)).toThrow('record 1');
});

test('an owner whose token is taken is told at its very next append, however lately it looked', () => {
  const { path, front, commit } = open();
  commit();
  takeToken(path, 3);
  expect(front.conflict).toBeUndefined();
  takeToken(path, owner.opening);
  expect(() => commit()).toThrow(PositionConflict);
  expect(front.conflict).toMatchObject({ expected: 4, actual: 5 });
});

test('a later opening that never wrote is no fault, one that wrote is', () => {
  const { path } = open();
  const later = new FrontFile(path, { ...owner, opening: 5 }, longBytes);
  opened.push(later);
  later.prepare();
  expect(() => demandNoLater(path, 4)).not.toThrow();
  later.append([append('a', 0, 'x')]);
  expect(() => demandNoLater(path, 4)).toThrow(`${path}-front-5-0 is of a later opening`);
});

test('openings are removed up to one, and what bears another name stays', () => {
  const { path } = open();
  opened.push(new FrontFile(path, { ...owner, opening: 12 }, longBytes));
  writeFileSync(`${path}-front-page`, 'not ours');
  removeFronts(path, 11);
  const start = path.slice(folder.length + 1);
  expect(readdirSync(folder).filter((name) => name.startsWith(start))).toEqual([
    `${start}-front-12-0`,
    `${start}-front-12-1`,
    `${start}-front-12-owner`,
    `${start}-front-page`,
  ]);
});

test('prepared files are long from the start', () => {
  const { path, front } = open();
  front.prepare();
  expect(statSync(`${path}-front-4-1`).size).toBe(longBytes);
});
