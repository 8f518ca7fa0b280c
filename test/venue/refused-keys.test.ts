import { expect, test } from 'vitest';
import { RefusedKeys } from '../../src/venue/refused-keys.ts';

test('a refused key is not used for a minute, then for longer each time, and never for more than about an hour', () => {
  const keys = new RefusedKeys();
  let nowMs = 0;
  const rests: number[] = [];
  for (let times = 0; times < 9; times += 1) {
    expect(keys.isResting('a', nowMs)).toBe(false);
    keys.refuse('a', false, nowMs);
    const beganMs = nowMs;
    while (keys.isResting('a', nowMs)) nowMs += 30_000;
    rests.push((nowMs - beganMs) / 60_000);
  }
  expect(rests).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  keys.accept('a');
  keys.refuse('a', false, nowMs);
  expect(keys.isResting('a', nowMs + 61_000)).toBe(false);
});

test('what has ended for good rests until everything is forgotten', () => {
  const keys = new RefusedKeys();
  keys.refuse('a', true, 0);
  keys.refuse('b', false, 0);
  expect(keys.isResting('a', 1e15)).toBe(true);
  expect(keys.size).toBe(2);
  keys.clear();
  expect([keys.isResting('a', 0), keys.size]).toEqual([false, 0]);
});

test('when one has ended for good the other one, which may be known by now, is tried again once', () => {
  const keys = new RefusedKeys();
  for (const key of ['a', 'b']) keys.refuse(key, false, 0);
  keys.refuse('b', true, 1000);
  expect([keys.isResting('a', 1000), keys.isResting('b', 1e15)]).toEqual([false, true]);
  keys.refuse('a', false, 1000);
  keys.refuse('b', true, 2000);
  expect(keys.isResting('a', 100_000)).toBe(true);
  keys.refuse('a', true, 3000);
  expect(keys.isResting('b', 1e15)).toBe(true);
});

test('an operator is told of a refusal once, until the key was accepted', () => {
  const keys = new RefusedKeys();
  expect(keys.isNews('a')).toBe(false);
  keys.refuse('a', false, 0);
  expect([keys.isNews('a'), keys.isNews('a')]).toEqual([true, false]);
  keys.refuse('a', false, 120_000);
  expect(keys.isNews('a')).toBe(false);
  keys.accept('a');
  keys.refuse('a', false, 240_000);
  expect(keys.isNews('a')).toBe(true);
});
