/** Damage to SQLite's log, made byte by byte: cut off where it is torn, refused where a durable record would be lost. */
import {
  copyFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkWal } from '../../../src/store/earlier/wal-check.ts';
import { CorruptRecord } from '../../../src/store/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'causeway-wal-'));
const good = join(folder, 'good-wal');
const bad = join(folder, 'bad-wal');
const frameSize = 24 + 4096;
const frameAt = (frame: number) => 32 + (frame - 1) * frameSize;
let frames = 0;

beforeAll(() => {
  const path = join(folder, 'source');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  database.exec('CREATE TABLE t (n INTEGER PRIMARY KEY, bytes BLOB)');
  // Each row fills pages of its own: a transaction of several frames.
  for (let i = 0; i < 4; i += 1) database.exec('INSERT INTO t (bytes) VALUES (randomblob(9000))');
  copyFileSync(`${path}-wal`, good);
  database.close();
  frames = (readFileSync(good).length - 32) / frameSize;
});

afterAll(() => rmSync(folder, { recursive: true }));

function damaged(...places: number[]): string {
  const bytes = readFileSync(good);
  for (const place of places) bytes[place]! ^= 1;
  writeFileSync(bad, bytes);
  return bad;
}

const isCommit = (frame: number) => readFileSync(good).readUInt32BE(frameAt(frame) + 4) !== 0;

test('a whole log is good to its last frame, and no log is good too', () => {
  expect(frames).toBeGreaterThan(8);
  expect(checkWal(good)).toBe(frames);
  expect(checkWal(join(folder, 'none-wal'))).toBe(0);
});

test('a log that was cut anywhere is good up to the cut', () => {
  const size = readFileSync(good).length;
  for (const length of [0, 31, 32, 33, frameAt(2) - 1, frameAt(2), frameAt(5) + 100, size - 1]) {
    copyFileSync(good, bad);
    truncateSync(bad, length);
    expect(checkWal(bad)).toBe(Math.max(0, Math.floor((length - 32) / frameSize)));
  }
});

test('a damaged frame before a later durable record is refused by its number', () => {
  const lastCommits = Array.from({ length: frames }, (_, i) => i + 1).filter(isCommit);
  const lastButOne = lastCommits.at(-2)!;
  for (let frame = 1; frame <= lastButOne; frame += 1) {
    for (const place of [24 + 50, 24 + 4095]) {
      expect(() => checkWal(damaged(frameAt(frame) + place)), `frame ${frame}`).toThrow(
        CorruptRecord,
      );
      expect(() => checkWal(damaged(frameAt(frame) + place))).toThrow(`frame ${frame} `);
    }
  }
});

test('damage to the head of a frame is found too', () => {
  for (const place of [0, 8, 12, 16, 20]) {
    expect(() => checkWal(damaged(frameAt(2) + place)), `byte ${place}`).toThrow(CorruptRecord);
  }
});

test('a torn last transaction is cut off: nobody was told that it is durable', () => {
  const lastCommits = Array.from({ length: frames }, (_, i) => i + 1).filter(isCommit);
  const from = lastCommits.at(-2)! + 1;
  for (let frame = from; frame <= frames; frame += 1) {
    expect(checkWal(damaged(frameAt(frame) + 24 + 7))).toBe(frame - 1);
  }
});

test('a damaged header with frames behind it is refused', () => {
  for (const place of [0, 3, 9, 16, 24]) {
    expect(() => checkWal(damaged(place)), `byte ${place}`).toThrow('header');
  }
});

test('frames of an older generation behind the good ones are no damage', () => {
  const bytes = Buffer.concat([readFileSync(good), readFileSync(good).subarray(32)]);
  for (let at = readFileSync(good).length; at < bytes.length; at += frameSize) bytes[at + 8]! ^= 1;
  writeFileSync(bad, bytes);
  expect(checkWal(bad)).toBe(frames);
});
