/** Connections in words. */
import { expect, test } from 'vitest';
import { noticeText, tell } from '../../src/gateway/notice-text.ts';

const of = { session: 'FIX.4.4:CAUSEWAY/->ALPHA/', peer: { address: '10.0.0.7' } };

test.each([
  [{ ...of, kind: 'attached' }, 'connected from 10.0.0.7'],
  [{ ...of, kind: 'detached' }, 'the connection from 10.0.0.7 is gone'],
  [{ ...of, kind: 'disconnected', reason: 'silence' }, 'disconnected: silence'],
  [
    { session: of.session, kind: 'alarm', alarm: 'resend_loop', text: 'again and again' },
    'resend_loop: again and again',
  ],
  [
    { ...of, kind: 'slow_reader', unreadBytes: 70_000 },
    'slow_reader: cut off, 70000 bytes were left unread',
  ],
] as const)('%o is told in words that name the session', (notice, words) => {
  expect(noticeText(notice)).toBe(`${of.session}: ${words}`);
});

test('a client of mutual TLS is told by the name in its certificate', () => {
  const certificate = { fingerprint256: 'AA:BB', commonName: 'alpha.example' };
  const notice = { ...of, kind: 'attached', peer: { ...of.peer, certificate } } as const;
  expect(noticeText(notice)).toContain('from 10.0.0.7 (alpha.example)');
});

test('what a session raises and a reader that is cut off are alarms, all else is noted', () => {
  const told: string[] = [];
  const to = {
    alarm: (text: string) => told.push(`alarm ${text}`),
    notice: (text: string) => told.push(`notice ${text}`),
  };
  tell({ session: 'A', kind: 'alarm', alarm: 'rate', text: 'too many' }, to);
  tell({ session: 'A', peer: of.peer, kind: 'slow_reader', unreadBytes: 9 }, to);
  tell({ session: 'A', peer: of.peer, kind: 'disconnected', reason: 'silence' }, to);
  expect(told.map((text) => text.split(':')[0])).toEqual(['alarm A', 'alarm A', 'notice A']);
});
