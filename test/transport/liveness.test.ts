import { expect, test } from 'vitest';
import { fixLiveness, fixpLiveness, Liveness } from '../../src/transport/liveness.ts';

function ofFix(): Liveness {
  const liveness = new Liveness(fixLiveness);
  liveness.start(10_000, 10_000, 0);
  return liveness;
}

function ofFixp(ourMs: number): Liveness {
  const liveness = new Liveness(fixpLiveness);
  liveness.start(ourMs, 300, 0);
  return liveness;
}

test('FIX: a heartbeat is due after one interval of our silence', () => {
  const liveness = ofFix();
  expect(liveness.deadlineMs).toBe(10_000);
  expect(liveness.check(9_999)).toBe('none');
  expect(liveness.check(10_000)).toBe('speak');
  liveness.sent(10_000);
  expect(liveness.check(10_000)).toBe('none');
});

test('FIX: a test request is due after 1.2 intervals of their silence, the end after 2.4', () => {
  const liveness = ofFix();
  liveness.sent(11_000);
  expect(liveness.check(11_999)).toBe('none');
  expect(liveness.check(12_000)).toBe('warn');
  expect(liveness.deadlineMs).toBe(24_000);
  expect(liveness.check(23_999)).toBe('none');
  expect(liveness.check(24_000)).toBe('lapsed');
});

test('FIX: anything heard takes the test back', () => {
  const liveness = ofFix();
  liveness.check(12_000);
  liveness.received(20_000);
  liveness.sent(20_000);
  expect(liveness.deadlineMs).toBe(30_000);
});

test('FIX: an interval of zero switches it off', () => {
  const liveness = new Liveness(fixLiveness);
  liveness.start(0, 0, 0);
  expect(liveness.deadlineMs).toBe(Number.POSITIVE_INFINITY);
  expect(liveness.check(Number.MAX_SAFE_INTEGER)).toBe('none');
});

test('FIXP: each side has its own interval: ours to speak, theirs to be heard', () => {
  const liveness = ofFixp(1_000);
  expect(liveness.deadlineMs).toBe(300);
  liveness.received(290);
  expect(liveness.check(300)).toBe('none');
  expect(liveness.deadlineMs).toBe(590);
  liveness.received(900);
  expect(liveness.deadlineMs).toBe(1_000);
  expect(liveness.check(1_000)).toBe('speak');
  liveness.sent(1_000);
  expect(liveness.check(1_001)).toBe('none');
});

test('FIXP: a silent peer is warned once, and given up after another interval', () => {
  const liveness = ofFixp(10_000);
  expect(liveness.check(299)).toBe('none');
  expect(liveness.check(300)).toBe('warn');
  expect(liveness.check(301)).toBe('none');
  expect(liveness.deadlineMs).toBe(600);
  expect(liveness.check(599)).toBe('none');
  expect(liveness.check(600)).toBe('lapsed');
});

test('FIXP: our interval goes on for a peer that was warned', () => {
  const liveness = ofFixp(500);
  expect(liveness.check(300)).toBe('warn');
  expect(liveness.check(500)).toBe('speak');
});

test('FIXP: a peer that is heard after the warning has all its time again', () => {
  const liveness = ofFixp(10_000);
  liveness.check(300);
  liveness.received(500);
  expect(liveness.check(799)).toBe('none');
  expect(liveness.check(800)).toBe('warn');
});
