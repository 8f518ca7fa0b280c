import { expect, test } from 'vitest';
import { History } from '../../src/console/history.ts';
import { Hops } from '../../src/gateway/account/hops.ts';
import type { ConsoleView } from '../../src/gateway/console-view.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Latency } from '../../src/runtime/latency.ts';

/** As much of the view as the history looks at, with real counters. */
function setup() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 12));
  const hops = new Hops();
  const commits = new Latency();
  const rejects = new Map<string, number>();
  const notReady: string[] = [];
  const view = { latencies: { hops, commits }, rejects, notReady } as unknown as ConsoleView;
  hops.command.observe(1);
  return { clock, hops, rejects, notReady, history: new History(view, clock) };
}

test('each step counts what was added during it, and nothing from before the start', () => {
  const { clock, history, hops, rejects } = setup();
  for (let i = 0; i < 3; i += 1) hops.command.observe(1);
  rejects.set('bridge.limit', 2);
  history.look(4);
  clock.advance(10_000);
  hops.report.observe(1);
  history.look(6);
  const { endMs, flows, loggedOn, stepMs } = history.flow('1h');
  expect([stepMs, endMs]).toEqual([10_000, clock.now().wallMs + 10_000]);
  expect(flows.commands.slice(-3)).toEqual([null, 90, 0]);
  expect(flows.refusals.slice(-2)).toEqual([60, 0]);
  expect(flows.reports.slice(-2)).toEqual([0, 30]);
  expect(loggedOn.slice(-2)).toEqual([4, 6]);
  expect(history.flow('24h').flows.commands.at(-1)).toBe(45);
});

test('a step without a look is a gap, and after a whole range nothing old is left', () => {
  const { clock, history, hops } = setup();
  hops.command.observe(1);
  history.look(1);
  clock.advance(30_000);
  history.look(1);
  expect(history.flow('1h').flows.commands.slice(-4)).toEqual([30, null, null, 0]);
  clock.advance(3_600_000);
  history.look(1);
  const { commands } = history.flow('1h').flows;
  expect(commands).toHaveLength(360);
  expect(commands.filter((count) => count !== null)).toEqual([0]);
  const day = history.flow('24h').flows.commands.filter((count) => count !== null);
  expect(day).toEqual([15, 0]);
});

test('a clock that was set back counts nothing twice and loses nothing', () => {
  const { clock, history, hops } = setup();
  history.look(1);
  clock.stepWall(-60_000);
  hops.command.observe(1);
  history.look(1);
  expect(history.flow('1h').flows.commands.at(-1)).toBe(15);
  clock.stepWall(-86_400_000);
  hops.command.observe(1);
  history.look(1);
  const { commands } = history.flow('1h').flows;
  expect(commands.filter((count) => count !== null)).toEqual([30]);
});

test('the share of time in which the bridge was not ready is of the looks of the step', () => {
  const { clock, history, notReady } = setup();
  history.look(1);
  clock.advance(2_000);
  notReady.push('the venue is closed');
  history.look(1);
  expect(history.flow('1h').notReady.at(-1)).toBe(0.5);
});

test('latency is of the range that was asked for, step by step and as a whole', () => {
  const { clock, history, hops } = setup();
  hops.inbound.observe(90);
  history.look(1);
  clock.advance(2 * 3_600_000);
  for (const us of [900, 900, 20_000_000]) hops.inbound.observe(us);
  history.look(1);
  const of = (range: '1h' | '24h') => history.latency(range).find(({ hop }) => hop === 'inbound');
  expect(of('1h')).toMatchObject({ count: 3, p50Us: 1_000, p99Us: 20_000_000 });
  expect(of('1h')?.p50s.at(-1)).toBe(1_000);
  expect(of('24h')?.count).toBe(4);
  expect(of('24h')?.p50s.filter((value) => value !== null)).toEqual([100, 1_000]);
});
