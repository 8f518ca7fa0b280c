import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cursorCrc, packEnds, recordCrc, sessionCrc, unpackEnds } from '../../src/store/schema.ts';
import { newSession } from '../../src/store/session-row.ts';

test('the ends of a range survive packing, wherever the packed bytes lie', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2 ** 32 - 1)), (ends) => {
      expect(unpackEnds(packEnds(ends))).toEqual(ends);
      const apart = Buffer.concat([Buffer.from([9]), packEnds(ends)]).subarray(1);
      expect(unpackEnds(apart)).toEqual(ends);
    }),
  );
});

test('the sum of a record is over its owner, its place and its content', () => {
  const content = Buffer.from('content');
  const sums = [
    recordCrc('a', 1, content),
    recordCrc('b', 1, content),
    recordCrc('a', 2, content),
    recordCrc('a', 1, Buffer.from('contents')),
  ];
  expect(new Set(sums).size).toBe(4);
  expect(recordCrc('a', 1, Buffer.from('con'), Buffer.from('tent'))).toBe(sums[0]);
});

test('the sum of a session is over each of its numbers', () => {
  const names = Object.keys(newSession) as (keyof typeof newSession)[];
  const sums = names.map((name) => sessionCrc('A', { ...newSession, [name]: 77 }));
  expect(new Set([...sums, sessionCrc('A', newSession), sessionCrc('B', newSession)]).size).toBe(
    names.length + 2,
  );
});

test('the sum of a cursor is over its name and value', () => {
  expect(new Set([cursorCrc('a', 1), cursorCrc('a', 2), cursorCrc('b', 1)]).size).toBe(3);
});
