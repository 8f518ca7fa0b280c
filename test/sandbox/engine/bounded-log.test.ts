import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedLog } from '../../../src/sandbox/engine/bounded-log.ts';

test('a log gives back the newest entries up to its limit and says what it dropped', () => {
  const limits = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(127, 128, 129, 300));
  const entries = fc.array(fc.string(), { maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(limits, entries, (limit, pushed) => {
      const log = new BoundedLog<string>(limit);
      const gone = pushed.map((entry) => log.push(entry)).filter((one) => one !== undefined);
      const kept = pushed.slice(-limit);
      expect(log.toArray()).toEqual(kept);
      expect(gone).toEqual(pushed.slice(0, pushed.length - kept.length));
      expect([log.length, log.dropped]).toEqual([kept.length, pushed.length - kept.length]);
      expect(log.slice(1, 3)).toEqual(kept.slice(1, 3));
    }),
    { numRuns: 50 },
  );
});

test('there is nothing before the first and after the last entry', () => {
  const log = new BoundedLog<string>(3);
  log.push('a');
  expect([log.at(-1), log.at(0), log.at(1), log.at(3)]).toEqual([
    undefined,
    'a',
    undefined,
    undefined,
  ]);
});

test('a full log continues where the old one ended', () => {
  const log = new BoundedLog<string>(3);
  log.fill(['a', 'b', 'c', 'd'], 5);
  expect([log.toArray(), log.dropped]).toEqual([['b', 'c', 'd'], 6]);
  log.push('e');
  expect([log.toArray(), log.dropped]).toEqual([['c', 'd', 'e'], 7]);
});

test.each([0, -1, 1.5])('a limit of %d is refused', (limit) => {
  expect(() => new BoundedLog(limit)).toThrow(`limit ${limit}`);
});
