/** Connections and sessions as lines of the log. */
import { expect, test } from 'vitest';
import { reportNotice } from '../../../src/gateway/clients/notice-text.ts';
import type { LineFacts } from '../../../src/runtime/operator-line.ts';
import type { HostNotice } from '../../../src/transport/host.ts';

const session = 'FIX.4.4:CAUSEWAY/->ALPHA/';
const of = { session, peer: { address: '10.0.0.7' } };

/** Which of the two it is, its words behind the session's name, and its facts. */
function told(notice: HostNotice): readonly [kind: string, text: string, facts: LineFacts] {
  const lines: [string, string, LineFacts][] = [];
  const to = (kind: string) => (text: string, facts: LineFacts) => {
    lines.push([kind, text.slice(`${session}: `.length), facts]);
  };
  reportNotice(notice, { alarm: to('alarm'), notice: to('notice') });
  const [line] = lines;
  if (line === undefined || lines.length > 1) throw new Error(`${lines.length} lines`);
  return line;
}

const peer = { session, address: '10.0.0.7', tls: false };

test.each([
  [{ ...of, kind: 'attached' }, 'notice', 'connected from 10.0.0.7 without TLS', 'connected'],
  [{ ...of, kind: 'logged_on' }, 'notice', 'logged on from 10.0.0.7 without TLS', 'logged_on'],
  [
    { ...of, kind: 'disconnected', reason: 'silence' },
    'notice',
    'disconnected: silence',
    'disconnected',
  ],
  [
    { ...of, kind: 'slow_reader', unreadBytes: 70_000 },
    'alarm',
    'slow_reader: disconnected because it left 70000 bytes unread',
    'slow_reader',
  ],
] as const)('%o is a line that names session, address and TLS', (notice, kind, words, event) => {
  const reason = 'reason' in notice ? { reason: notice.reason } : {};
  expect(told(notice)).toEqual([kind, words, { ...peer, event, ...reason }]);
});

test('what a session raises is an alarm with its kind as the code', () => {
  const notice = { session, kind: 'alarm', alarm: 'resend_loop', text: 'again and again' } as const;
  const facts = { event: 'session_alarm', session, code: 'resend_loop' };
  expect(told(notice)).toEqual(['alarm', 'resend_loop: again and again', facts]);
});

test('a client of TLS is shown as such, and one of mutual TLS by the name in its certificate', () => {
  const secured = { ...of.peer, isTls: true };
  const [, text, facts] = told({ ...of, kind: 'attached', peer: secured });
  expect([text, facts.tls]).toEqual([expect.stringMatching(/10\.0\.0\.7.*TLS/), true]);
  const certificate = { fingerprint256: 'AA:BB', commonName: 'alpha.example' };
  const mutual = told({ ...of, kind: 'attached', peer: { ...secured, certificate } });
  expect(mutual[1]).toBe('connected from 10.0.0.7 (alpha.example)');
});
