import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Extents } from '../../../src/store/log/extents.ts';

const list = (extents: Extents) => [...extents].map(({ from, to, segment }) => [from, to, segment]);

function made(): Extents {
  const extents = new Extents();
  for (let position = 1; position <= 4; position += 1) extents.add(position, position, 1, 10);
  for (let position = 5; position <= 6; position += 1) extents.add(position, position, 2, 10);
  extents.add(9, 12, 3, 40);
  return extents;
}

test('positions in one segment are one extent, and the last of all is known', () => {
  expect(list(made())).toEqual([
    [1, 4, 1],
    [5, 6, 2],
    [9, 12, 3],
  ]);
  expect(made().end).toBe(12);
  expect(new Extents().end).toBe(0);
});

test('a position is found in its extent, or else the next one is', () => {
  const at = (position: number) => made().reaching(position)?.segment;
  expect([0, 1, 4, 5, 6, 7, 9, 12, 13].map(at)).toEqual([1, 1, 1, 2, 2, 3, 3, 3, undefined]);
});

test('what is dropped up to a position is gone, with its share of the bytes', () => {
  const extents = made();
  extents.dropUpTo(3);
  expect(extents.first).toEqual({ from: 4, to: 4, segment: 1, bytes: 10 });
  extents.dropUpTo(10);
  expect(list(extents)).toEqual([[11, 12, 3]]);
  extents.dropUpTo(12);
  expect(list(extents)).toEqual([]);
});

test('what is written again moves, and beside what moved before it is one extent with that', () => {
  const extents = made();
  extents.move(1, 2, 4, 20);
  extents.move(3, 3, 4, 10);
  expect(list(extents).slice(0, 3)).toEqual([
    [1, 3, 4],
    [4, 4, 1],
    [5, 6, 2],
  ]);
});

test('a hole moves with what is behind it, so nothing of a segment is left behind', () => {
  const extents = new Extents();
  extents.add(1, 2, 1, 20);
  extents.add(5, 6, 1, 20);
  extents.add(9, 9, 2, 10);
  extents.move(1, 2, 3, 20);
  extents.move(5, 6, 3, 20);
  expect(list(extents)).toEqual([
    [1, 6, 3],
    [9, 9, 2],
  ]);
});

test('records that were dropped meanwhile do not come back by moving', () => {
  const extents = made();
  extents.dropUpTo(5);
  extents.move(1, 4, 4, 40);
  extents.move(5, 6, 4, 20);
  expect(list(extents)).toEqual([
    [6, 6, 4],
    [9, 12, 3],
  ]);
});

test('packed and unpacked they are the same, and whatever moves, each position has one place', () => {
  const moves = fc.array(fc.tuple(fc.nat(12), fc.nat(3)), { maxLength: 30 });
  fc.assert(
    fc.property(moves, (all) => {
      const extents = made();
      for (const [at, [from, length]] of all.entries()) {
        const held = extents.reaching(from);
        if (held === undefined || held.from > from) continue;
        extents.move(from, Math.min(from + length, held.to), 10 + at, 10);
      }
      const positions = list(extents).flatMap(([from = 0, to = 0]) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      );
      expect(positions).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12]);
      expect(Extents.unpack(extents.pack())).toEqual(extents);
    }),
  );
});
