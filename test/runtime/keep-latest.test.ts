import { expect, test } from 'vitest';
import { keepLatest } from '../../src/runtime/keep-latest.ts';

test('a kept value is the latest, also if its key was kept before', () => {
  const map = new Map([
    ['a', 1],
    ['b', 2],
  ]);
  keepLatest(map, 'a', 3, 2);
  expect([...map]).toEqual([
    ['b', 2],
    ['a', 3],
  ]);
});

test('one above the most drops the oldest', () => {
  const map = new Map<string, number>();
  for (const [at, key] of ['a', 'b', 'a', 'c'].entries()) keepLatest(map, key, at, 2);
  expect([...map.keys()]).toEqual(['a', 'c']);
});
