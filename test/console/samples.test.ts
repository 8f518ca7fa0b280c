import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Samples, sampleMs } from '../../src/console/samples.ts';
import type { ConsoleView } from '../../src/gateway/console-view.ts';
import type { QuoteRow } from '../../src/gateway/quoted-markets.ts';
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
    quotes: async () => seen.quotes,
  } as unknown as ConsoleView;
  const samples = new Samples(view, clock);
  samples.start();
  /** Each look has come to its end before the next one. */
  const looks = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      clock.advance(sampleMs);
      await setImmediate();
    }
  };
  return { clock, looks, samples, seen };
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

test('the share of looks that found both sides counts from the first quote of the UTC day', async () => {
  const { looks, samples, seen } = setup();
  await looks(1);
  seen.quotes = [quote];
  await looks(3);
  seen.quotes = [{ ...quote, ask: null, spreadBps: null }];
  await looks(1);
  seen.quotes = [];
  await looks(1);
  const [presence] = samples.presences;
  expect(presence).toMatchObject({ looks: 5, twoSided: 3, bid: null, bidQty: '0' });
  expect(presence?.spreads).toEqual([10, 10, 10, null, null]);
  await looks(86_400_000 / sampleMs);
  expect(samples.presences).toEqual([]);
});
