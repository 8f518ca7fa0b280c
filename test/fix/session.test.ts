/** The machine as a whole; its behaviour case by case stands in test/acceptance/fix. */
import { expect, test } from 'vitest';
import { hostileMessages, playPair } from '../long/fuzz-session.long.ts';
import { soak } from '../long/soak-session.long.ts';

test.each([1, 2, 3, 4, 5])(
  'two sessions over lines that are cut and spoilt tell each message once, in order (seed %i)',
  (seed) => {
    expect(playPair(seed).messages).toBeGreaterThan(100);
  },
);

test('well framed nonsense does not get out of the session', () => {
  expect(hostileMessages(7, 5_000)).toBe(5_000);
});

test('S-44: hours go by in one connection', () => {
  expect(soak(1, 2)).toContain('one connection');
});
