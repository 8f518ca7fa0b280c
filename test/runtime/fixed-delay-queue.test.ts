import { beforeEach, expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { FixedDelayQueue } from '../../src/runtime/fixed-delay-queue.ts';

let clock: ManualClock;
let rung: string[];
let line: FixedDelayQueue<string>;

beforeEach(() => {
  clock = new ManualClock();
  rung = [];
  line = new FixedDelayQueue(clock, 100, (item) => rung.push(item));
});

test('each rings when its time has passed, and not before', () => {
  line.add('a');
  clock.advance(40);
  line.add('b');
  clock.advance(59);
  expect(rung).toEqual([]);
  clock.advance(1);
  expect(rung).toEqual(['a']);
  clock.advance(40);
  expect(rung).toEqual(['a', 'b']);
});

test('what comes after all have rung rings, too', () => {
  line.add('a');
  clock.advance(500);
  line.add('b');
  clock.advance(100);
  expect(rung).toEqual(['a', 'b']);
});

test('who rings may add again', () => {
  const again: FixedDelayQueue<number> = new FixedDelayQueue(clock, 10, (count) => {
    rung.push(String(count));
    if (count < 3) again.add(count + 1);
  });
  again.add(1);
  clock.advance(30);
  expect(rung).toEqual(['1', '2', '3']);
});

test('thousands ring in their order, whatever is forgotten of those before them', () => {
  const added = Array.from({ length: 5_000 }, (_, i) => String(i));
  for (const item of added) {
    line.add(item);
    clock.advance(1);
  }
  clock.advance(100);
  expect(rung).toEqual(added);
});

test('one alarm is set for all that wait', () => {
  let alarms = 0;
  const counted = {
    now: () => clock.now(),
    at: (monoMs: number, callback: () => void) => {
      alarms += 1;
      return clock.at(monoMs, callback);
    },
  };
  const watched = new FixedDelayQueue(counted, 100, () => {});
  for (let i = 0; i < 1_000; i += 1) watched.add(i);
  expect(alarms).toBe(1);
});
