import { expect, test } from 'vitest';
import { reloadsAsked, stopAsked } from '../../src/cli/stop.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('SIGTERM or SIGINT asks a verb to stop', async () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const stop = stopAsked();
    process.emit(signal);
    await stop;
  }
  process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
});

test('a SIGHUP during the start neither ends the process nor is lost: it reloads once the verb is ready', async () => {
  const reloads = reloadsAsked();
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  let count = 0;
  reloads.begin(async () => {
    count += 1;
  });
  await turn();
  expect(count).toBe(1);
  process.emit('SIGHUP');
  await turn();
  expect(count).toBe(2);
});

test('a SIGHUP while the verb ends neither ends the process nor reloads, and the reload under way is waited for', async () => {
  const reloads = reloadsAsked();
  const happened: string[] = [];
  const reload = Promise.withResolvers<void>();
  reloads.begin(async () => {
    await reload.promise;
    happened.push('reloaded');
  });
  process.emit('SIGHUP');
  const over = reloads.end().then(() => happened.push('over'));
  expect(process.emit('SIGHUP')).toBe(true);
  await turn();
  expect(happened).toEqual([]);
  reload.resolve();
  await over;
  expect(happened).toEqual(['reloaded', 'over']);
});

test('a reload waits for the one before it', async () => {
  const reloads = reloadsAsked();
  const waiting: (() => void)[] = [];
  let running = 0;
  reloads.begin(async () => {
    running += 1;
    expect(running).toBe(1);
    await new Promise<void>((resolve) => waiting.push(resolve));
    running -= 1;
  });
  for (let count = 0; count < 3; count += 1) process.emit('SIGHUP');
  for (let count = 1; count <= 3; count += 1) {
    await turn();
    expect([running, waiting.length]).toEqual([1, count]);
    waiting.at(-1)?.();
  }
});
