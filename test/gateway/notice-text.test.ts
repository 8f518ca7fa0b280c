/** Connections in words. */
import { expect, test } from 'vitest';
import { noticeText } from '../../src/gateway/notice-text.ts';

const of = { session: 'FIX.4.4:CAUSEWAY/->ALPHA/', peer: { address: '10.0.0.7' } };

test.each([
  [{ ...of, kind: 'attached' }, 'connected from 10.0.0.7'],
  [{ ...of, kind: 'detached' }, 'the connection from 10.0.0.7 is gone'],
  [{ ...of, kind: 'disconnected', reason: 'silence' }, 'disconnected: silence'],
  [{ ...of, kind: 'slow_reader', unreadBytes: 70_000 }, 'leaves 70000 bytes unread'],
] as const)('%o is told in words that name the session', (notice, words) => {
  expect(noticeText(notice)).toBe(`${of.session}: ${words}`);
});

test('a client of mutual TLS is told by the name in its certificate', () => {
  const certificate = { fingerprint256: 'AA:BB', commonName: 'alpha.example' };
  const notice = { ...of, kind: 'attached', peer: { ...of.peer, certificate } } as const;
  expect(noticeText(notice)).toContain('from 10.0.0.7 (alpha.example)');
});
