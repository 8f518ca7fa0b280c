import { expect, test } from 'vitest';
import { HeadCount } from '../../src/runtime/head-count.ts';

test('connections are counted by name, and a name without any is forgotten', () => {
  const heads = new HeadCount();
  heads.add('a');
  heads.add('a');
  heads.add('b');
  heads.remove('a');
  heads.remove('b');
  expect([heads.of('a'), heads.of('b'), heads.of('c'), heads.size]).toEqual([1, 0, 0, 1]);
});

test('nobody leaves who was not there', () => {
  const heads = new HeadCount();
  heads.remove('a');
  heads.add('a');
  expect(heads.of('a')).toBe(1);
});
