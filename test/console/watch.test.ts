import { expect, test } from 'vitest';
import { Watch } from '../../src/console/watch.ts';
import type { ConsoleView } from '../../src/gateway/console-view.ts';
import { ManualClock } from '../../src/runtime/clock.ts';

/** As much of the view as the watch looks at, set by hand. */
function setup() {
  const clock = new ManualClock();
  const { wallMs: startMs } = clock.now();
  const seen = {
    notReady: [] as string[],
    phases: {} as Record<string, string>,
    isOpen: true,
    isStopped: false,
  };
  const view = {
    get notReady() {
      return seen.notReady;
    },
    statuses: () =>
      Object.entries(seen.phases).map(([name, phase]) => {
        return {
          name,
          phase,
          isStopped: seen.isStopped,
          role: name === 'OUT' ? 'initiator' : 'acceptor',
        };
      }),
    hoursOf: () => ({ isOpen: seen.isOpen, changesMs: null }),
    openOrdersOf: () => 7,
  } as unknown as ConsoleView;
  return { clock, seen, startMs, view, watch: new Watch(clock) };
}

test('the state of the bridge counts from the moment that its reasons changed', () => {
  const { clock, seen, startMs, view, watch } = setup();
  clock.advance(1_000);
  watch.look(view);
  expect(watch.sinceMs).toBe(startMs + 1_000);
  clock.advance(1_000);
  watch.look(view);
  expect(watch.sinceMs).toBe(startMs + 1_000);
  seen.notReady = ['the venue is closed'];
  clock.advance(1_000);
  watch.look(view);
  clock.advance(1_000);
  watch.look(view);
  expect(watch.sinceMs).toBe(startMs + 3_000);
});

test('a bridge that takes a minute to start is ready since the end of its start', () => {
  const { clock, startMs, view, watch } = setup();
  expect(watch.sinceMs).toBe(startMs);
  clock.advance(60_000);
  watch.look(view);
  expect([watch.startedMs, watch.sinceMs]).toEqual([startMs, startMs + 60_000]);
});

test('a session that was logged on is lost when it is down, with the reason of its disconnection', () => {
  const { clock, seen, startMs, view, watch } = setup();
  seen.phases = { S: 'active', NEVER: 'down' };
  watch.reported('S: logged on from 192.0.2.1', { event: 'logged_on', session: 'S' });
  watch.look(view);
  expect(watch.loggedOn).toBe(1);
  expect(watch.lost(view)).toEqual([]);
  clock.advance(500);
  watch.reported('S: disconnected: no heartbeat', { event: 'disconnected', session: 'S' });
  seen.phases = { S: 'down', NEVER: 'down' };
  clock.advance(500);
  watch.look(view);
  expect(watch.lost(view)).toEqual([
    {
      name: 'S',
      isUp: false,
      sinceMs: startMs + 500,
      why: 'disconnected: no heartbeat',
      openOrders: 7,
    },
  ]);
  seen.isStopped = true;
  watch.look(view);
  expect(watch.lost(view)).toEqual([]);
});

test('of a long reason only the beginning is kept', () => {
  const { watch } = setup();
  const text = `S: disconnected: logged out by the peer: ${'x'.repeat(100_000)}`;
  watch.reported(text, { event: 'disconnected', session: 'S' });
  expect(watch.since('S').why).toMatch(/^disconnected: logged out by the peer: x{200}/);
  expect(watch.since('S').why.length).toBeLessThan(400);
});

test('outside its hours no session should be up, and one that the bridge connects always should', () => {
  const { seen, view, watch } = setup();
  seen.phases = { OUT: 'down' };
  watch.look(view);
  expect(watch.lost(view)).toMatchObject([{ name: 'OUT', sinceMs: null }]);
  seen.isOpen = false;
  expect(watch.lost(view)).toEqual([]);
});

test('what is no longer configured is forgotten', () => {
  const { seen, view, watch } = setup();
  watch.reported('S: logged on', { event: 'logged_on', session: 'S' });
  seen.phases = { S: 'active' };
  watch.look(view);
  seen.phases = {};
  watch.look(view);
  expect(watch.since('S')).toEqual({ isUp: false, sinceMs: null, why: '' });
});
