/** The machines as a whole; their behaviour case by case stands in test/acceptance/fixp. */
import { expect, test } from 'vitest';
import {
  garbledFrames,
  hostileFixpMessages,
  hostileServerMessages,
  playFixpPair,
} from '../long/fuzz-fixp.long.ts';

test.each([1, 2, 3, 4, 5])(
  'a client and a bridge over lines that are cut tell each message once, and lose none (seed %i)',
  (seed) => {
    expect(playFixpPair(seed).messages).toBeGreaterThan(100);
  },
);

// Seeds that once found a fault: messages held before the first id, a FinishedReceiving that was lost.
test.each([9, 76, 179])('what seed %i found stays mended', (seed) => {
  expect(playFixpPair(seed).messages).toBeGreaterThan(100);
});

test('well framed nonsense does not get out of the session', () => {
  expect(hostileFixpMessages(7, 5_000)).toBe(5_000);
});

test('a server that says whatever it likes does not upset the client', () => {
  expect(hostileServerMessages(7, 5_000)).toBe(5_000);
});

test('garbled frames do not get out of the session', async () => {
  expect(await garbledFrames(7, 5_000)).toBe(5_000);
});
