import { expect, test } from 'vitest';
import { BoundedNames } from '../../src/gateway/bounded-names.ts';

test('the newest names are kept, the oldest makes room and is told', () => {
  const names = new BoundedNames(3);
  const gone = ['a', 'b', 'c', 'b', 'd', 'e'].map((name) => names.add(name));
  expect(gone).toEqual([undefined, undefined, undefined, undefined, 'a', 'b']);
  expect([...names]).toEqual(['c', 'd', 'e']);
  expect([names.has('a'), names.has('e')]).toEqual([false, true]);
});

test('the order of coming is kept however many have gone', () => {
  const names = new BoundedNames(3);
  for (let count = 0; count < 100; count += 1) {
    expect(names.add(`n${count}`)).toBe(count < 3 ? undefined : `n${count - 3}`);
  }
  expect([...names]).toEqual(['n97', 'n98', 'n99']);
});
