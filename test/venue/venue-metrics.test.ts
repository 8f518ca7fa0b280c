/** The venue client in the metrics. */
import { expect, test } from 'vitest';
import { Metrics } from '../../src/runtime/metrics.ts';
import { type WatchedAccount, watchVenue } from '../../src/venue/venue-metrics.ts';

const counts = { delivered: 7, duplicates: 1, reordered: 2, gapFills: 3, lag: 4 };
const account = (clockOffsetMs: number): WatchedAccount => ({
  http: { clockOffsetMs },
  submitter: { inFlight: 2, queued: 5 },
  stream: () => ({ counts }),
});

test('R76: gap-fills and lag are exported, summed over the accounts', async () => {
  const metrics = new Metrics();
  const silent = { ...account(0), stream: () => undefined };
  watchVenue(metrics, { state: 'halted' }, () => [account(-900), account(20), silent]);
  const text = await metrics.text();
  const value = (name: string) => text.match(new RegExp(`^causeway_${name} (.*)$`, 'm'))?.[1];
  expect(value('stream_gap_fills')).toBe('6');
  expect(value('stream_lag')).toBe('8');
  expect(value('stream_delivered')).toBe('14');
  expect(value('venue_requests_in_flight')).toBe('6');
  expect(value('venue_actions_queued')).toBe('15');
  expect(value('venue_gate_open')).toBe('0');
  expect(value('venue_clock_offset_ms')).toBe('900');
});
