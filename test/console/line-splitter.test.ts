/** Lines out of pieces. */
import { expect, test } from 'vitest';
import { lineSplitter } from '../../src/console/line-splitter.ts';

test('lines come whole, however they are cut', () => {
  const lines: string[] = [];
  const push = lineSplitter((line) => lines.push(line));
  for (const piece of ['a', 'b\ncd', '\n\ne', 'f']) push(piece);
  expect(lines).toEqual(['ab', 'cd', '']);
  push('\n');
  expect(lines.at(-1)).toBe('ef');
});

test('a line without an end takes no more than its share of memory', () => {
  const lines: string[] = [];
  const push = lineSplitter((line) => lines.push(line));
  for (let count = 0; count < 100; count += 1) push('x'.repeat(10_000));
  push('\nnext\n');
  expect(lines[0]?.length).toBeLessThanOrEqual(256 * 1024);
  expect(lines[1]).toBe('next');
});
