/** The bridge's orders are the venue's orders, whatever the order of answers and events (contract R138, in small). */
import { expect, test } from 'vitest';
import { Agreement } from './agreement.ts';

test.each([1, 2, 3, 4, 5])(
  'R138: seed %i: after random orders and lost answers both sides agree',
  (seed) => {
    const run = new Agreement(seed);
    run.run(2000);
    expect(run.differences()).toEqual([]);
  },
);

test('the same seed says the same', () => {
  const traces = [7, 7, 8].map((seed) => {
    const run = new Agreement(seed);
    run.run(300);
    return run.trace();
  });
  expect(traces[0]).toBe(traces[1]);
  expect(traces[2]).not.toBe(traces[0]);
});
