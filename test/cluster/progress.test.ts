/** A database that went back is noticed, however it went back. */
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { Progress } from '../../src/cluster/progress.ts';

const file = () => join(mkdtempSync(join(tmpdir(), 'progress-')), 'n1.commits-lost');

test('a shard that only goes on holds, and each shard is judged alone', () => {
  const progress = new Progress(file());
  expect(progress.holds('a', { epoch: 1, position: 0 })).toBe(true);
  expect(progress.holds('a', { epoch: 1, position: 9 })).toBe(true);
  expect(progress.holds('a', { epoch: 2, position: 9 })).toBe(true);
  expect(progress.holds('b', { epoch: 1, position: 0 })).toBe(true);
});

test('a shard whose owner has found it out does not hold, whatever was read of it, until an operator accepts it', () => {
  const progress = new Progress(file());
  progress.holds('a', { epoch: 3, position: 9 });
  progress.forgotten('a');
  expect(progress.holds('a', { epoch: 3, position: 9 })).toBe(false);
  expect(progress.holds('b', { epoch: 3, position: 9 })).toBe(true);
  progress.forget('a');
  expect(progress.holds('a', { epoch: 3, position: 9 })).toBe(true);
});

test.each([
  ['an earlier owner', { epoch: 2, position: 9 }],
  ['fewer commits', { epoch: 3, position: 8 }],
  ['more owners and fewer commits', { epoch: 7, position: 8 }],
  ['nothing', { epoch: 0, position: 0 }],
])('%s than before does not hold, until an operator accepts it', (_, later) => {
  const progress = new Progress(file());
  progress.holds('a', { epoch: 3, position: 9 });
  expect(progress.holds('a', later)).toBe(false);
  expect(progress.holds('a', later)).toBe(false);
  progress.forget('a');
  expect(progress.holds('a', later)).toBe(true);
});

test('the next process of the node knows which shards lost commits, until the database has them or is accepted', () => {
  const path = file();
  const before = new Progress(path);
  before.holds('a', { epoch: 3, position: 9 });
  before.holds('a', { epoch: 3, position: 8 });
  before.forgotten('b');
  before.holds('c', { epoch: 1, position: 1 });
  const next = new Progress(path);
  expect(next.holds('a', { epoch: 3, position: 8 })).toBe(false);
  expect(next.holds('b', { epoch: 1, position: 1 })).toBe(false);
  expect(next.holds('c', { epoch: 1, position: 0 })).toBe(true);
  expect(next.holds('a', { epoch: 3, position: 9 })).toBe(true);
  expect(new Progress(path).holds('a', { epoch: 1, position: 1 })).toBe(true);
  next.forget('b');
  expect(readdirSync(dirname(path))).toEqual([]);
  expect(new Progress(path).holds('b', { epoch: 1, position: 1 })).toBe(true);
});

test('a file of lost commits that cannot be read stops the node by its name', () => {
  const path = file();
  writeFileSync(path, 'rubbish');
  expect(() => new Progress(path)).toThrow(path);
});

test('a disk that is full changes nothing for the process that found the loss', () => {
  const progress = new Progress(join(file(), 'missing', 'n1.commits-lost'));
  progress.holds('a', { epoch: 3, position: 9 });
  progress.forgotten('b');
  expect(progress.holds('a', { epoch: 3, position: 8 })).toBe(false);
  expect(progress.holds('b', { epoch: 3, position: 9 })).toBe(false);
  expect(progress.holds('a', { epoch: 3, position: 8 })).toBe(false);
});
