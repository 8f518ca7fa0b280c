import { expect, test } from 'vitest';
import { Liveness } from '../../src/fix/session-liveness.ts';

function started(): Liveness {
  const liveness = new Liveness();
  liveness.start(10, 0);
  return liveness;
}

test('a heartbeat is due after one interval of our silence', () => {
  const liveness = started();
  expect(liveness.deadlineMs).toBe(10_000);
  expect(liveness.check(9_999)).toBe('none');
  expect(liveness.check(10_000)).toBe('heartbeat');
  liveness.sent(10_000);
  expect(liveness.check(10_000)).toBe('none');
});

test('a test request is due after 1.2 intervals of their silence, the end after 2.4', () => {
  const liveness = started();
  liveness.sent(11_000);
  expect(liveness.check(11_999)).toBe('none');
  expect(liveness.check(12_000)).toBe('testRequest');
  liveness.tested();
  expect(liveness.deadlineMs).toBe(24_000);
  expect(liveness.check(23_999)).toBe('none');
  expect(liveness.check(24_000)).toBe('dead');
});

test('anything heard takes the test back', () => {
  const liveness = started();
  liveness.tested();
  liveness.heard(20_000);
  liveness.sent(20_000);
  expect(liveness.deadlineMs).toBe(30_000);
});

test('an interval of zero switches it off', () => {
  const liveness = new Liveness();
  liveness.start(0, 0);
  expect(liveness.deadlineMs).toBe(Number.POSITIVE_INFINITY);
  expect(liveness.check(Number.MAX_SAFE_INTEGER)).toBe('none');
});
