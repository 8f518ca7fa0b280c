import { array, assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { endsOf, inPieces, pieceRows } from '../../src/console/long-list.ts';

test('a list keeps its beginning and its end, and names the first entry that is left out', () => {
  assert(
    property(array(integer(), { maxLength: 12 }), integer({ min: 2, max: 12 }), (list, most) => {
      const { kept, omitted } = endsOf(list, most);
      const half = Math.floor(most / 2);
      const isLong = list.length > most;
      expect(kept).toHaveLength(isLong ? most : list.length);
      expect(kept.slice(0, half)).toEqual(list.slice(0, half));
      expect(kept.slice(half)).toEqual(isLong ? list.slice(half - most) : list.slice(half));
      expect(omitted).toBe(isLong ? list[half] : undefined);
    }),
  );
});

test('others get their turn after each piece, and every entry comes once, in order', async () => {
  const list = Array.from({ length: 3 * pieceRows }, (_, index) => index);
  const log: (number | string)[] = [];
  let isOver = false;
  const turn = () => {
    log.push('turn');
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  for await (const one of inPieces(list)) log.push(one);
  isOver = true;
  expect(log.filter((one) => one !== 'turn')).toEqual(list);
  const piece = log.slice(0, log.indexOf('turn'));
  expect(piece).toEqual(list.slice(0, pieceRows));
  expect(log.filter((one) => one === 'turn')).toHaveLength(2);
});
