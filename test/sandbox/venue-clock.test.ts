import { expect, test } from 'vitest';
import { ManualClock } from '../../src/runtime/clock.ts';
import { VenueClock } from '../../src/sandbox/venue-clock.ts';

test("the venue's clock jumps both ways and drifts, and its monotonic time is untouched", () => {
  const process = new ManualClock(1_000_000);
  const venue = new VenueClock(process);
  venue.setError({ offsetMs: 5_000 });
  expect(venue.now()).toEqual({ wallMs: 1_005_000, monoMs: 0 });
  venue.setError({ driftPpm: 1_000 });
  process.advance(10_000);
  expect(venue.now()).toEqual({ wallMs: 1_015_010, monoMs: 10_000 });
  expect(venue.error).toEqual({ offsetMs: 5_010, driftPpm: 1_000 });
  venue.setError({ offsetMs: -3_000, driftPpm: 0 });
  process.advance(1_000);
  expect(venue.now().wallMs).toBe(1_008_000);
});

test('while an input is processed, the clock shows the time of the input', () => {
  const venue = new VenueClock(new ManualClock());
  venue.setError({ offsetMs: 5_000 });
  expect(venue.during(77, () => venue.now().wallMs)).toBe(77);
});
