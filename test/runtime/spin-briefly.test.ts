import { expect, test } from 'vitest';
import { SpinBriefly } from '../../src/runtime/spin-briefly.ts';

function loop() {
  const rounds: (() => void)[] = [];
  const time = { ms: 0 };
  const warm = new SpinBriefly({ nowMs: () => time.ms, nextRound: (round) => rounds.push(round) });
  /** Rounds until the loop may sleep, at most so many. */
  const turn = (most: number) => {
    let count = 0;
    for (; count < most && rounds.length > 0; count += 1) rounds.shift()?.();
    return count;
  };
  return { warm, time, turn };
}

test('the loop turns for a moment after it was last asked to, then it may sleep', () => {
  const { warm, time, turn } = loop();
  warm.keep();
  expect(turn(50)).toBe(50);
  time.ms = 0.15;
  warm.keep();
  time.ms = 0.3;
  expect(turn(50)).toBe(50);
  time.ms = 0.35;
  expect(turn(50)).toBe(1);
  warm.keep();
  expect(turn(50)).toBe(50);
});

test('it may sleep at once when the awaited event has happened', () => {
  const { warm, turn } = loop();
  warm.keep();
  warm.rest();
  expect(turn(50)).toBe(1);
});
