import { expect, test } from 'vitest';
import { watchRoom } from '../../../src/gateway/operator/room-watch.ts';
import { ManualClock } from '../../../src/runtime/clock.ts';

function watched(problem: string | undefined) {
  const clock = new ManualClock();
  const lines: string[] = [];
  const store = { problem, recheckRoom: () => store.problem };
  const write = (text: string, { event }: { event: string }) => lines.push(`${event}: ${text}`);
  watchRoom({ store, clock, alarm: write, notice: write });
  return { clock, lines, store };
}

test('a disk that is short at the start is an alarm at once, and only one while it lasts', () => {
  const { clock, lines } = watched('the disk has less than 64 bytes free');
  clock.advance(60_000);
  expect(lines).toEqual([
    'space_low: new orders are refused: the disk has less than 64 bytes free',
  ]);
});

test('space that is lost and freed later is noticed within a second, each time', () => {
  const { clock, lines, store } = watched(undefined);
  for (let count = 0; count < 2; count += 1) {
    store.problem = 'full';
    clock.advance(1000);
    store.problem = undefined;
    clock.advance(1000);
  }
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    ...['space_low', 'space_back', 'space_low', 'space_back'],
  ]);
});

test('a store without a disk of its own is not watched', () => {
  const clock = new ManualClock();
  const fail = () => expect.unreachable();
  watchRoom({ store: {}, clock, alarm: fail, notice: fail });
  clock.advance(10_000);
});
