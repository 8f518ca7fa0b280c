import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  PackedLog,
  type Packing,
  packed,
  unpacked,
} from '../../../src/sandbox/engine/packed-log.ts';

interface Pair {
  readonly amount: number | null;
  readonly name: string;
}

const pairs: Packing<Pair> = {
  numbersPerRow: 1,
  refsPerRow: 1,
  write(entry, numbers, atNumber, refs, atRef) {
    numbers[atNumber] = packed(entry.amount);
    refs[atRef] = entry.name;
  },
  read: (numbers, atNumber, refs, atRef) => ({
    amount: unpacked(numbers[atNumber]),
    name: String(refs[atRef]),
  }),
};

const pair = fc.record({ amount: fc.option(fc.maxSafeInteger()), name: fc.string() });

test('a log gives back the newest entries up to its limit and says what it dropped', () => {
  const limits = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constantFrom(127, 128, 129, 300));
  const entries = fc.array(pair, { maxLength: 400, size: 'max' });
  fc.assert(
    fc.property(limits, entries, (limit, pushed) => {
      const log = new PackedLog(limit, pairs);
      const gone = pushed.map((entry) => log.displace(entry)).filter((one) => one !== undefined);
      const kept = pushed.slice(-limit);
      expect(log.toArray()).toEqual(kept.map(({ amount, name }) => ({ amount, name })));
      expect(gone).toEqual(pushed.slice(0, pushed.length - kept.length).map((one) => ({ ...one })));
      expect([log.length, log.dropped]).toEqual([kept.length, pushed.length - kept.length]);
      expect(log.slice(1, 3)).toEqual(log.toArray().slice(1, 3));
      expect(log.refAt(kept.length - 1, 0)).toBe(kept.at(-1)?.name);
    }),
    { numRuns: 50 },
  );
});

test('there is nothing before the first and after the last entry', () => {
  const log = new PackedLog(3, pairs);
  log.push({ amount: -0, name: 'a' });
  expect([log.at(-1), log.at(0), log.at(1)]).toEqual([
    undefined,
    { amount: -0, name: 'a' },
    undefined,
  ]);
});

test('a full log continues where the old one ended', () => {
  const log = new PackedLog(3, pairs);
  const named = (name: string): Pair => ({ amount: null, name });
  log.fill(['a', 'b', 'c', 'd'].map(named), 5);
  expect([log.toArray(), log.dropped]).toEqual([['b', 'c', 'd'].map(named), 6]);
  log.push(named('e'));
  expect([log.toArray(), log.dropped]).toEqual([['c', 'd', 'e'].map(named), 7]);
});

test.each([0, -1, 1.5])('a limit of %d is refused', (limit) => {
  expect(() => new PackedLog(limit, pairs)).toThrow(`limit ${limit}`);
});
