import { expect, test } from 'vitest';
import { lookMs } from '../../src/console/history.ts';
import { SessionLatency } from '../../src/console/session-latency.ts';
import { ManualClock } from '../../src/runtime/clock.ts';
import { Latency } from '../../src/runtime/latency.ts';

const minuteMs = 60_000;

function setup() {
  const clock = new ManualClock(Date.UTC(2026, 0, 5, 12));
  return { clock, sessions: new SessionLatency(clock) };
}

function counted(...us: number[]): Latency {
  const latency = new Latency();
  for (const each of us) latency.observe(each);
  return latency;
}

test('p50 and p99 are of one session, one range and one hop', () => {
  const { clock, sessions } = setup();
  const reply = counted(90);
  sessions.add('A', { reply, inbound: counted(50) });
  clock.advance(2 * 60 * minuteMs);
  for (const us of [900, 900, 20_000_000]) reply.observe(us);
  sessions.add('A', { reply });
  sessions.add('B', { reply: counted(10) });
  const of = (name: string, range: '1h' | '24h') => sessions.series(name, range)?.hops ?? [];
  expect(of('A', '1h')[0]).toMatchObject({
    hop: 'reply',
    count: 3,
    p50Us: 1_000,
    p99Us: 20_000_000,
  });
  expect(of('A', '1h')[1]).toMatchObject({ hop: 'inbound', count: 0 });
  expect(of('A', '24h').map(({ count }) => count)).toEqual([4, 1]);
  expect(of('A', '24h')[0]?.p50s.filter((value) => value !== null)).toEqual([100, 1_000]);
  expect(of('B', '1h')[0]).toMatchObject({ count: 1, p99Us: 10 });
});

test('a range has steps of a minute, an hour or six hours', () => {
  const { clock, sessions } = setup();
  sessions.add('A', { reply: counted(90) });
  clock.advance(3 * minuteMs);
  const shapes = (['12m', '1h', '24h', '7d'] as const).map((range) => {
    const { hops, stepMs } = sessions.series('A', range) ?? { hops: [], stepMs: 0 };
    return [stepMs / minuteMs, hops[0]?.p99s.length, hops[0]?.count];
  });
  expect(shapes).toEqual([
    [1, 12, 1],
    [1, 60, 1],
    [60, 24, 1],
    [360, 28, 1],
  ]);
  expect(sessions.series('A', '12m')?.hops[0]?.p99s.slice(-4)).toEqual([100, null, null, null]);
  clock.advance(10 * minuteMs);
  expect(sessions.series('A', '12m')?.hops[0]?.count).toBe(0);
});

test('replies per minute count only the time in which the bridge ran', () => {
  const { clock, sessions } = setup();
  const reply = new Latency();
  for (let look = 0; look < 15; look += 1) {
    reply.observe(100);
    sessions.look();
    sessions.add('A', { reply });
    clock.advance(lookMs);
  }
  expect(sessions.series('A', '1h')?.perMinute.slice(-2)).toEqual([null, 30]);
  expect(sessions.latest('A')).toEqual({ perMinute: 30, p99Us: 100 });
  clock.advance(3 * minuteMs);
  expect(sessions.latest('A')).toEqual({ perMinute: 0, p99Us: null });
});

test('2,000 sessions are kept; one that was quiet for ten minutes makes room, an active one does not', () => {
  const { clock, sessions } = setup();
  const first = counted(10);
  sessions.add('first', { reply: first });
  for (let index = 1; index < 2_000; index += 1) sessions.add(`${index}`, { reply: counted(10) });
  const late = counted(10);
  sessions.add('late', { reply: late });
  expect(sessions.series('late', '1h')).toBeUndefined();
  clock.advance(10 * minuteMs);
  late.observe(10);
  sessions.add('late', { reply: late });
  expect(sessions.series('late', '1h')?.hops[0]?.count).toBe(1);
  expect(sessions.series('first', '1h')).toBeUndefined();
  // What was counted while there was no room, and before a session lost its place, is not taken for new.
  first.observe(10);
  sessions.add('first', { reply: first });
  expect(sessions.series('first', '1h')?.hops[0]?.count).toBe(1);
});

test('a session that is configured anew begins at zero', () => {
  const { sessions } = setup();
  sessions.add('A', { reply: counted(10, 10, 10) });
  sessions.add('A', { reply: counted(10, 10) });
  expect(sessions.series('A', '1h')?.hops[0]?.count).toBe(5);
});
