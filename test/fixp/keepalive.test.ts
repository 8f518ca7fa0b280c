import { expect, test } from 'vitest';
import { Keepalive } from '../../src/fixp/keepalive.ts';

test('each side has its own interval: ours to speak, theirs to be heard', () => {
  const keepalive = new Keepalive();
  keepalive.start(1_000, 300, 0);
  expect(keepalive.deadlineMs).toBe(300);
  keepalive.heard(290);
  expect(keepalive.check(300)).toBe('none');
  expect(keepalive.deadlineMs).toBe(590);
  keepalive.heard(900);
  expect(keepalive.deadlineMs).toBe(1_000);
  expect(keepalive.check(1_000)).toBe('speak');
  keepalive.said(1_000);
  expect(keepalive.check(1_001)).toBe('none');
});

test('a silent peer is warned once, and given up after another interval', () => {
  const keepalive = new Keepalive();
  keepalive.start(10_000, 300, 0);
  expect(keepalive.check(299)).toBe('none');
  expect(keepalive.check(300)).toBe('warn');
  expect(keepalive.check(301)).toBe('none');
  expect(keepalive.deadlineMs).toBe(600);
  expect(keepalive.check(599)).toBe('none');
  expect(keepalive.check(600)).toBe('lapsed');
});

test('a peer that is heard after the warning has all its time again', () => {
  const keepalive = new Keepalive();
  keepalive.start(10_000, 300, 0);
  keepalive.check(300);
  keepalive.heard(500);
  expect(keepalive.check(799)).toBe('none');
  expect(keepalive.check(800)).toBe('warn');
});
