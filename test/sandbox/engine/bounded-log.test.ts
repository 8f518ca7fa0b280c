import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedLog } from '../../../src/sandbox/engine/bounded-log.ts';

test('a log keeps the newest entries up to its limit and says what it dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.array(fc.integer()), (limit, entries) => {
      const log = new BoundedLog<number>(limit);
      const gone = entries.map((entry) => log.push(entry)).filter((entry) => entry !== undefined);
      expect(log.toArray()).toEqual(entries.slice(-limit));
      expect(gone).toEqual(entries.slice(0, Math.max(0, entries.length - limit)));
      expect(log.dropped).toBe(gone.length);
      expect(log.slice(1, 3)).toEqual(entries.slice(-limit).slice(1, 3));
    }),
  );
});

test('a filled log goes on where the old one stood', () => {
  const log = new BoundedLog<number>(3);
  log.fill([1, 2, 3, 4], 5);
  expect([log.toArray(), log.dropped]).toEqual([[2, 3, 4], 6]);
  log.push(5);
  expect([log.toArray(), log.dropped]).toEqual([[3, 4, 5], 7]);
});

test.each([0, -1, 1.5])('a limit of %d is refused', (limit) => {
  expect(() => new BoundedLog(limit)).toThrow(`limit ${limit}`);
});
