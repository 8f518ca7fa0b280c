import { expect, test } from 'vitest';
import { addTo, TimeRing } from '../../src/console/time-ring.ts';

function setup() {
  const ring = new TimeRing(1_000, 1, new Float32Array(4));
  const add = (wallMs: number, value: number) => addTo(ring.at(wallMs), 0, value);
  const values = (wallMs: number, steps?: number) =>
    ring.rows(wallMs, steps).map(([value]) => value);
  return { ring, add, values };
}

test('each step has its own row, and a step without values is 0', () => {
  const { add, ring, values } = setup();
  add(10_000, 1);
  add(10_999, 1);
  add(12_000, 5);
  expect(values(12_500)).toEqual([0, 2, 0, 5]);
  expect(ring.endMs).toBe(13_000);
  expect(values(12_500, 2)).toEqual([0, 5]);
});

test('after as many steps as it has, nothing old is left', () => {
  const { add, values } = setup();
  for (let step = 0; step < 6; step += 1) add(step * 1_000, step);
  expect(values(5_000)).toEqual([2, 3, 4, 5]);
  expect(values(1_000_000)).toEqual([0, 0, 0, 0]);
});

test('a clock that was set back adds to the latest step, or starts again if it is far back', () => {
  const { add, values } = setup();
  add(100_000, 1);
  add(98_000, 1);
  expect(values(100_000)).toEqual([0, 0, 0, 2]);
  add(10_000, 7);
  expect(values(10_000)).toEqual([0, 0, 0, 7]);
});
