import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { every, ManualClock, pause, systemClock } from '../../src/runtime/clock.ts';

test('alarms ring in order of time, then of setting, at their own time', () => {
  const clock = new ManualClock();
  const rung: string[] = [];
  const note = (name: string) => () => void rung.push(`${name}@${clock.now().monoMs}`);
  clock.at(20, note('late'));
  clock.at(10, note('first'));
  clock.at(10, note('second'));
  clock.at(30, note('never'))();
  clock.advance(15);
  expect(rung).toEqual(['first@10', 'second@10']);
  clock.advance(100);
  expect(rung).toEqual(['first@10', 'second@10', 'late@20']);
  expect(clock.now().monoMs).toBe(115);
});

test('an alarm that sets another within the step is followed', () => {
  const clock = new ManualClock();
  const rung: number[] = [];
  clock.at(10, () => clock.at(15, () => rung.push(clock.now().monoMs)));
  clock.advance(20);
  expect(rung).toEqual([15]);
});

test('a step of the wall clock rings nothing and leaves the monotonic clock alone', () => {
  const clock = new ManualClock(1_000);
  let rang = false;
  clock.at(10, () => {
    rang = true;
  });
  clock.stepWall(3_600_000);
  expect(clock.now()).toEqual({ wallMs: 3_601_000, monoMs: 0 });
  expect(rang).toBe(false);
  clock.advance(10);
  expect(rang).toBe(true);
});

test('the system clock gives whole milliseconds and rings no alarm early', async () => {
  const start = systemClock.now();
  expect(Number.isInteger(start.monoMs) && Number.isInteger(start.wallMs)).toBe(true);
  await new Promise<void>((resolve) => systemClock.at(start.monoMs + 5, resolve));
  expect(systemClock.now().monoMs).toBeGreaterThanOrEqual(start.monoMs + 5);
});

test('a cancelled alarm of the system clock does not keep the process', () => {
  systemClock.at(systemClock.now().monoMs + 3_600_000, () => {})();
});

test('an alarm of the system clock that is months away rings then, and nothing happens before', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const dueMs = Math.ceil(performance.now()) + 90 * 24 * 3_600_000;
  let rungMs = 0;
  systemClock.at(dueMs, () => {
    rungMs = performance.now();
  });
  let timers = 0;
  for (; rungMs === 0 && timers < 10; timers += 1) vi.advanceTimersToNextTimer();
  expect(rungMs).toBe(dueMs);
  expect(timers).toBeLessThan(10);
});

/** The process does nothing else for so long. */
function stall(forMs: number): void {
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs);
}

test('after a stall of the process, what has arrived meanwhile is read before the alarms that were due', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { readonly port: number };
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const far = connect(port, '127.0.0.1');
  const [near] = await accepted;
  onTestFinished(() => void near.destroy());
  const heard: string[] = [];
  near.on('data', (bytes) => heard.push(String(bytes)));
  const rung = new Promise<void>((resolve) => {
    systemClock.at(systemClock.now().monoMs + 50, () => {
      heard.push('no message in time');
      resolve();
    });
  });
  far.write('heartbeat');
  stall(400);
  await rung;
  expect(heard).toEqual(['heartbeat', 'no message in time']);
});

test('an alarm that is late can still be cancelled', async () => {
  let rang = false;
  const cancel = systemClock.at(systemClock.now().monoMs + 10, () => {
    rang = true;
  });
  const first = systemClock.at(systemClock.now().monoMs, cancel);
  stall(400);
  await new Promise<void>((resolve) => systemClock.at(systemClock.now().monoMs + 20, resolve));
  expect(rang).toBe(false);
  first();
});

test('a repeated call comes each time this long after the one before, until it is ended, also from within', () => {
  const clock = new ManualClock();
  let calls = 0;
  const end = every(clock, 10, () => {
    calls += 1;
    if (calls === 3) end();
  });
  clock.advance(9);
  expect(calls).toBe(0);
  clock.advance(11);
  expect(calls).toBe(2);
  clock.advance(100);
  expect(calls).toBe(3);
  every(clock, 10, () => (calls += 1))();
  clock.advance(100);
  expect(calls).toBe(3);
});

test('a pause lasts as long as it should', async () => {
  const clock = new ManualClock();
  let isOver = false;
  const over = pause(clock, 10).then(() => {
    isOver = true;
  });
  clock.advance(9);
  await Promise.resolve();
  expect(isOver).toBe(false);
  clock.advance(1);
  await over;
  expect(isOver).toBe(true);
});
