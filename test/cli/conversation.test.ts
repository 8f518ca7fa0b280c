import { expect, test } from 'vitest';
import { BookWatch } from '../../src/cli/conversation.ts';

test('a book is shown when it changes, until it is watched no more', () => {
  const books = new BookWatch();
  books.begin('BTC-USDC', 'c1');
  expect(['a', 'a', 'b', 'b', 'a'].map((book) => books.isNew('c1', book))).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(books.end('BTC-USDC')).toBe('c1');
  expect(books.end('BTC-USDC')).toBeUndefined();
  expect(books.isNew('c1', 'a')).toBe(true);
});
