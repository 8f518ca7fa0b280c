import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { lookMs } from '../../src/console/history.ts';
import { Samples } from '../../src/console/samples.ts';
import { Watch } from '../../src/console/watch.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import type { ConsoleView } from '../../src/gateway/console-view.ts';
import type { QuoteRow } from '../../src/gateway/view/quoted-markets.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Latency } from '../../src/runtime/latency.ts';

const quote: QuoteRow = {
  account: 'desk-a',
  symbol: 'BTC-USDC',
  securityId: '1',
  bid: '1',
  ask: '2',
  bidQty: '1',
  askQty: '1',
  spreadBps: 10,
};

/** As much of the view as the samples look at, set by hand. */
function setup() {
  const clock = new ManualClock();
  const seen = { replies: new Map([['S', new Latency()]]), quotes: [] as QuoteRow[] };
  const view = {
    statuses: () => [...seen.replies.keys()].map((name) => ({ name, phase: 'active' })),
    latenciesOf: (name: string) => ({ reply: seen.replies.get(name) }),
    notReady: [],
    rejects: new Map(),
    latencies: { hops: new Hops(), commits: new Latency() },
    quotes: async () => seen.quotes,
  } as unknown as ConsoleView;
  const watch = new Watch(clock);
  const samples = new Samples(view, clock, watch);
  samples.start();
  /** Each look has come to its end before the next one. */
  const looks = async (count: number) => {
    for (let at = 0; at < count; at += 1) {
      clock.advance(lookMs);
      await setImmediate();
    }
  };
  return { clock, looks, samples, seen, watch };
}

test('each look reads flow, sessions and quotes, until the bridge stops', () => {
  const { clock, samples, seen, watch } = setup();
  seen.replies.get('S')?.observe(100);
  seen.replies.get('S')?.observe(200);
  clock.advance(lookMs);
  expect(samples.sessions.series('S', '1h')?.hops[0]).toMatchObject({ count: 2, meanUs: 150 });
  expect(watch.loggedOn).toBe(1);
  expect(samples.history.flow('1h').loggedOn.at(-1)).toBe(1);
  samples.stop();
  seen.replies.get('S')?.observe(100);
  clock.advance(lookMs);
  expect(samples.sessions.series('S', '1h')?.hops[0]?.count).toBe(2);
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
  await looks(86_400_000 / lookMs);
  expect(samples.presences).toEqual([]);
});

test('many sessions are read in slices between which orders can pass, and none is left out', async () => {
  const { clock, samples, seen } = setup();
  for (let index = 0; index < 100; index += 1) seen.replies.set(`S${index}`, new Latency());
  for (const reply of seen.replies.values()) reply.observe(100);
  const counted = () =>
    [...seen.replies.keys()].filter((name) => samples.sessions.series(name, '1h')).length;
  clock.advance(lookMs);
  expect(counted()).toBe(32);
  for (let round = 0; round < 3; round += 1) await setImmediate();
  expect(counted()).toBe(101);
});
