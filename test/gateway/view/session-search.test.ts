import { expect, test } from 'vitest';
import { pageOf } from '../../../src/gateway/view/session-search.ts';

const all = ['FIX:D', 'FIX:A', 'FIXP:C', 'FIX:B'].map((name) => ({ name }));
const names = (search: Parameters<typeof pageOf>[1]) => {
  const { count, earlier, rows } = pageOf(all, search);
  return [count, earlier, ...rows.map(({ name }) => name)];
};

test('a page is sorted by name, and has the total and the number of entries before it', () => {
  expect(names({ limit: 2 })).toEqual([4, 0, 'FIX:A', 'FIX:B']);
  expect(names({ limit: 2, after: 'FIX:B' })).toEqual([4, 2, 'FIX:D', 'FIXP:C']);
  expect(names({ limit: 2, after: 'FIXP:C' })).toEqual([4, 4]);
});

test('a session that is gone meanwhile still says where the next page begins', () => {
  expect(names({ limit: 9, after: 'FIX:BB' })).toEqual([4, 2, 'FIX:D', 'FIXP:C']);
});

test('a part of the name is enough, in any case', () => {
  expect(names({ limit: 9, text: 'fixp' })).toEqual([1, 0, 'FIXP:C']);
});
