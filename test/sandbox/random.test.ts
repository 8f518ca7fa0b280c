import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SeededRandom } from '../../src/sandbox/random.ts';

const drawn = (random: SeededRandom, count: number, bound = 2 ** 32) =>
  Array.from({ length: count }, () => random.below(bound));

test('integers stay below their bound, and follow from the seed alone', () => {
  const property = fc.property(
    fc.integer(),
    fc.integer({ min: 1, max: 2 ** 32 }),
    (seed, bound) => {
      const values = drawn(SeededRandom.of(seed), 20, bound);
      expect(values.every((value) => Number.isInteger(value) && value >= 0 && value < bound)).toBe(
        true,
      );
      expect(drawn(SeededRandom.of(seed), 20, bound)).toEqual(values);
    },
  );
  fc.assert(property);
});

test('neighbouring seeds differ, and the seed whose state would be zero is no dead end', () => {
  const seeds = Array.from({ length: 100 }, (_, index) => index - 50);
  const first = seeds.map((seed) => drawn(SeededRandom.of(seed), 3).join());
  expect(new Set(first).size).toBe(seeds.length);
  // A generator whose state is zero gives nothing else.
  expect(new Set(drawn(SeededRandom.of(-1), 100)).size).toBe(100);
});

test('every integer below a small bound comes about equally often', () => {
  const counts = [0, 0, 0, 0, 0];
  for (const value of drawn(SeededRandom.of(1), 5000, 5)) counts[value]! += 1;
  for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(120);
});

test('its record is all that is needed to continue', () => {
  const random = SeededRandom.of(9);
  drawn(random, 10);
  const copy = new SeededRandom(structuredClone(random.record));
  expect(drawn(copy, 10)).toEqual(drawn(random, 10));
});

test('the integers are those of xorshift32 as it was published', () => {
  const random = new SeededRandom({ state: 1 });
  expect(drawn(random, 4)).toEqual([270_369, 67_634_689, 2_647_435_461, 307_599_695]);
});
