/** A worker leaves when its node process is silent, and only then. */
import { expect, test } from 'vitest';
import { NodeWatch } from '../../src/cluster/node-watch.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { leaseMs } from '../../src/store/postgres/lease.ts';

function watched(): { clock: ManualClock; watch: NodeWatch; silences: () => number } {
  const clock = new ManualClock();
  let silences = 0;
  const watch = new NodeWatch(clock, () => {
    silences += 1;
  });
  return { clock, watch, silences: () => silences };
}

test('a node that says again and again that it is alive keeps its workers', () => {
  const { clock, silences, watch } = watched();
  for (let round = 0; round < 100; round += 1) {
    clock.advance(250);
    watch.nodeAlive();
  }
  expect(silences()).toBe(0);
});

test('a node that is silent for a lease loses its workers, once', () => {
  const { clock, silences, watch } = watched();
  clock.advance(10_000 - 1);
  expect(silences()).toBe(1);
  watch.nodeAlive();
  clock.advance(60_000);
  expect(silences()).toBe(1);
  const other = watched();
  other.clock.advance(leaseMs);
  expect(other.silences()).toBe(0);
  other.clock.advance(leaseMs / 2);
  expect(other.silences()).toBe(1);
});

test('a worker that was stopped together with its node does not blame the node', () => {
  // Only one look comes due, however long both were stopped.
  const alarms: (() => void)[] = [];
  const clock = {
    now: () => ({ wallMs: 0, monoMs: performance.now() }),
    at(_: number, callback: () => void) {
      alarms.push(callback);
      return () => {};
    },
  };
  let silences = 0;
  const watch = new NodeWatch(clock, () => {
    silences += 1;
  });
  for (let pause = 0; pause < 20; pause += 1) {
    alarms.shift()?.();
    watch.nodeAlive();
  }
  expect([silences, alarms.length]).toEqual([0, 1]);
});
