/** A database that went back is noticed, however it went back. */
import { expect, test } from 'vitest';
import { Progress } from '../../src/cluster/progress.ts';

test('a shard that only goes on holds, and each shard is judged alone', () => {
  const progress = new Progress();
  expect(progress.holds('a', { epoch: 1, position: 0 })).toBe(true);
  expect(progress.holds('a', { epoch: 1, position: 9 })).toBe(true);
  expect(progress.holds('a', { epoch: 2, position: 9 })).toBe(true);
  expect(progress.holds('b', { epoch: 1, position: 0 })).toBe(true);
});

test('a shard whose owner has found it out does not hold, whatever was read of it, until an operator accepts it', () => {
  const progress = new Progress();
  progress.holds('a', { epoch: 3, position: 9 });
  progress.forgotten('a');
  expect(progress.holds('a', { epoch: 3, position: 9 })).toBe(false);
  expect(progress.holds('b', { epoch: 3, position: 9 })).toBe(true);
  progress.forget();
  expect(progress.holds('a', { epoch: 3, position: 9 })).toBe(true);
});

test.each([
  ['an earlier owner', { epoch: 2, position: 9 }],
  ['fewer commits', { epoch: 3, position: 8 }],
  ['more owners and fewer commits', { epoch: 7, position: 8 }],
  ['nothing', { epoch: 0, position: 0 }],
])('%s than before does not hold, until an operator accepts it', (_, later) => {
  const progress = new Progress();
  progress.holds('a', { epoch: 3, position: 9 });
  expect(progress.holds('a', later)).toBe(false);
  expect(progress.holds('a', later)).toBe(false);
  progress.forget();
  expect(progress.holds('a', later)).toBe(true);
});
