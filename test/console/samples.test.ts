import { expect, test } from 'vitest';
import { Samples, sampleMs } from '../../src/console/samples.ts';
import type { ConsoleView, QuoteRow } from '../../src/gateway/console-view.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

const quote: QuoteRow = {
  account: 'desk-a',
  symbol: 'BTC-USDC',
  bid: '1',
  ask: '2',
  bidQty: '1',
  askQty: '1',
  spreadBps: 10,
};

/** As much of the view as the samples look at, set by hand. */
function setup() {
  const clock = new ManualClock();
  const seen = { answered: { count: 0, sumUs: 0 }, quotes: [] as QuoteRow[] };
  const view = {
    sessions: () => [{ name: 'S', answered: seen.answered }],
    quotes: () => seen.quotes,
  } as unknown as ConsoleView;
  const samples = new Samples(view, clock);
  samples.start();
  return { clock, samples, seen };
}

test('each look adds the mean of what came since the last, or a gap', () => {
  const { clock, samples, seen } = setup();
  clock.advance(sampleMs);
  seen.answered = { count: 2, sumUs: 300 };
  clock.advance(2 * sampleMs);
  seen.answered = { count: 3, sumUs: 350 };
  clock.advance(sampleMs);
  expect(samples.latencyOf('S')).toEqual([150, null, 50]);
  clock.advance(100 * sampleMs);
  expect(samples.latencyOf('S')).toHaveLength(60);
  samples.stop();
  seen.answered = { count: 9, sumUs: 950 };
  clock.advance(sampleMs);
  expect(samples.latencyOf('S').at(-1)).toBeNull();
});

test('the share of looks that found both sides counts from the first quote of the UTC day', () => {
  const { clock, samples, seen } = setup();
  clock.advance(sampleMs);
  seen.quotes = [quote];
  clock.advance(3 * sampleMs);
  seen.quotes = [{ ...quote, ask: null, spreadBps: null }];
  clock.advance(sampleMs);
  seen.quotes = [];
  clock.advance(sampleMs);
  const [presence] = samples.presences;
  expect(presence).toMatchObject({ looks: 5, twoSided: 3, bid: null, bidQty: '0' });
  expect(presence?.spreads).toEqual([10, 10, 10, null, null]);
  clock.advance(86_400_000);
  expect(samples.presences).toEqual([]);
});
