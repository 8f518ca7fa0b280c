/** What is given up when its time is over, and what is not because it ended before. */
import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Deadlines } from '../../src/runtime/deadlines.ts';

function open() {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const given: string[] = [];
  const add = (name: string, dueMs: number, then = () => {}) => {
    const giveUp = () => {
      given.push(name);
      then();
    };
    return deadlines.add({ dueMs, giveUp });
  };
  return { clock, deadlines, given, add };
}

test('each is given up at its own time, whatever the order in which they came', () => {
  const { clock, given, add } = open();
  add('late', 300);
  add('soon', 100);
  add('between', 200);
  for (const expected of [['soon'], ['soon', 'between'], ['soon', 'between', 'late']]) {
    clock.advance(99);
    expect(given).toEqual(expected.slice(0, -1));
    clock.advance(1);
    expect(given).toEqual(expected);
  }
});

test('what ended before its time is not given up, and what came after it still is', () => {
  const { clock, deadlines, given, add } = open();
  deadlines.delete(add('ended', 100));
  clock.advance(50);
  add('later', 150);
  clock.advance(99);
  expect(given).toEqual([]);
  clock.advance(1);
  expect(given).toEqual(['later']);
  clock.advance(1_000);
  add('much later', 1_300);
  clock.advance(150);
  expect(given).toEqual(['later', 'much later']);
});

test('giving one up may add another', () => {
  const { clock, given, add } = open();
  add('first', 100, () => add('second', 100));
  clock.advance(100);
  expect(given).toEqual(['first', 'second']);
});

test('once closed nothing is given up, what comes later neither', () => {
  const { clock, deadlines, given, add } = open();
  add('open', 100);
  deadlines.close();
  add('late', 50);
  clock.advance(1_000);
  expect(given).toEqual([]);
});
