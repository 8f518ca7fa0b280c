import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { awaited } from '../../src/certify/awaited.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function waiting(leftMs: number, onWake?: (wake: () => void) => void) {
  const run = new AbortController();
  const seen = { isDone: false };
  const done = awaited(leftMs, run.signal, onWake).then(() => {
    seen.isDone = true;
  });
  return { done, run, seen };
}

test('a wait ends with its time, once what has arrived until then is read', async () => {
  const { seen } = waiting(100);
  await vi.advanceTimersByTimeAsync(99);
  expect(seen.isDone).toBe(false);
  vi.advanceTimersByTime(1);
  await Promise.resolve();
  // The timer was due, and the wait lasts for one more turn.
  expect(seen.isDone).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(seen.isDone).toBe(true);
});

test('whoever is woken or stopped does not wait, and leaves no timer', async () => {
  const before = vi.getTimerCount();
  let wake = () => {};
  const woken = waiting(60_000, (given) => {
    wake = given;
  });
  wake();
  const stopped = waiting(60_000);
  stopped.run.abort();
  await Promise.all([woken.done, stopped.done]);
  expect(vi.getTimerCount()).toBe(before);
});
