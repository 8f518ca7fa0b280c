import { expect, test } from 'vitest';
import { BoundedNames } from '../../src/engine/bounded-names.ts';

test('the newest names are kept, and the oldest is dropped and returned', () => {
  const names = new BoundedNames(3);
  const gone = ['a', 'b', 'c', 'b', 'd', 'e'].map((name) => names.add(name));
  expect(gone).toEqual([[], [], [], [], ['a'], ['b']]);
  expect([...names]).toEqual(['c', 'd', 'e']);
  expect([names.has('a'), names.has('e')]).toEqual([false, true]);
});

test('the order of coming is kept however many have gone', () => {
  const names = new BoundedNames(3);
  for (let count = 0; count < 100; count += 1) {
    expect(names.add(`n${count}`)).toEqual(count < 3 ? [] : [`n${count - 3}`]);
  }
  expect([...names]).toEqual(['n97', 'n98', 'n99']);
});

test('of many names several make room at once, the oldest first, and none is lost', () => {
  const names = new BoundedNames(100);
  const lots = Array.from({ length: 500 }, (_, count) => names.add(`n${count}`));
  const gone = lots.flat();
  expect([...gone, ...names]).toEqual(Array.from({ length: 500 }, (_, count) => `n${count}`));
  expect(new Set(lots.map(({ length }) => length))).toEqual(new Set([0, 7]));
  expect([...names].length).toBeGreaterThanOrEqual(100);
  expect(gone.some((name) => names.has(name))).toBe(false);
});

test('a name that is taken back out makes no room for it', () => {
  const names = new BoundedNames(3);
  for (const name of ['a', 'b', 'c']) names.add(name);
  names.delete('b');
  names.delete('b');
  expect([names.has('b'), [...names]]).toEqual([false, ['a', 'c']]);
  expect(names.add('d')).toEqual([]);
  expect(names.add('e')).toEqual(['a']);
});
