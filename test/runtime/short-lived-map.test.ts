/** A map whose entries come and go by the thousand. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { ShortLivedMap } from '../../src/runtime/short-lived-map.ts';

test('an entry is there from its set to its delete, in the order in which they came', () => {
  const map = new ShortLivedMap<string, number>();
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ]);
  expect([map.size, map.has('a'), map.get('a'), map.get('c')]).toEqual([2, true, 3, undefined]);
  expect([map.delete('a'), map.delete('a')]).toEqual([true, false]);
  expect([map.size, map.has('a'), map.get('a'), [...map.values()]]).toEqual([
    1,
    false,
    undefined,
    [2],
  ]);
  map.clear();
  expect([map.size, [...map]]).toEqual([0, []]);
});

test('an entry that is deleted while all are looked at is not seen', () => {
  const map = new ShortLivedMap<number, string>();
  for (const number of [1, 2, 3]) map.set(number, `value ${number}`);
  const seen: string[] = [];
  for (const value of map.values()) {
    seen.push(value);
    map.delete(2);
  }
  expect(seen).toEqual(['value 1', 'value 3']);
});

interface Churned {
  set(key: number, value: object): unknown;
  delete(key: number): boolean;
}

/** Bytes of garbage that short collections leave of 20 MB that went through the map, 32 entries at once. */
function leftBehindBy(map: Churned): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options?: { readonly type: 'minor' }) => void;
  map.set(-1, {});
  // Twice, so that it counts as old.
  collect();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let at = 0; at < 20_000; at += 1) {
    map.set(at, new Array(128).fill(at));
    map.delete(at - 32);
    if (at % 1_000 === 999) collect({ type: 'minor' });
  }
  return process.memoryUsage().heapUsed - before;
}

test('deleted entries are freed by the next minor collection, which a standard Map prevents', () => {
  expect(leftBehindBy(new ShortLivedMap())).toBeLessThan(4e6);
  expect(leftBehindBy(new Map())).toBeGreaterThan(12e6);
});
