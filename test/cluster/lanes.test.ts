/** What a front door reads of a first message of each protocol, and how it turns a client away. */
import { expect, test } from 'vitest';
import { lanes } from '../../src/cluster/lanes.ts';
import { writeCredentials } from '../../src/fixp/credentials.ts';
import { framed } from '../../src/fixp/framing.ts';
import { FlowType } from '../../src/fixp/generated/codes.ts';
import { writeSessionMessage } from '../../src/fixp/session-messages.ts';
import { clientBytes } from '../acceptance/fix/script.ts';
import { toText } from '../support/fix-text.ts';

const now = { wallMs: Date.UTC(2026, 0, 5, 12), monoMs: 0 };

function answerOf(told: { readonly kind: string }): Buffer {
  expect(told).toMatchObject({ kind: 'refuse', isOffence: false });
  return Buffer.from((told as { answer?: Uint8Array }).answer ?? []);
}

test('a FIX client is known by its SenderCompID(49), and turned away with a Logout(5) in its own names', () => {
  const bytes = clientBytes('A|34=7|98=0|108=30', { client: 'ALPHA', server: 'BRIDGE' }, 0);
  const first = lanes.fix(bytes);
  if (first.kind !== 'first') throw new Error(first.kind);
  expect(first.name).toBe('ALPHA');
  const answer = toText(answerOf(first.turnAway('try n2', now)));
  expect(answer).toMatch(
    /\|35=5\|34=1\|49=BRIDGE\|52=20260105-12:00:00\.000\|56=ALPHA\|58=try n2\|/,
  );
});

test('a FIXP client is known by its user, and told the reason in the reject of its protocol', () => {
  const message = writeSessionMessage({
    name: 'Negotiate',
    sessionId: '00'.repeat(16),
    timestamp: 1n,
    clientFlow: FlowType.Idempotent,
    credentials: writeCredentials({ username: 'delta', password: 'x' }),
  });
  const first = lanes.fixp(Buffer.from(framed(message, 'big')));
  if (first.kind !== 'first') throw new Error(first.kind);
  expect(first.name).toBe('delta');
  expect(answerOf(first.turnAway('try n2', now)).toString('latin1')).toContain('try n2');
});

test.each([
  ['fix', 'GET / HTTP/1.1\r\n\r\n'],
  ['fixp', 'GET / HTTP/1.1\r\n\r\n'],
  ['fix', '8=FIX.4.4\x019=5\x0135=0\x0110=163\x01'],
] as const)('over %s, %j is no first message of a client', (lane, text) => {
  expect(lanes[lane](Buffer.from(text))).toMatchObject({ kind: 'refuse' });
});

test.each(['fix', 'fixp'] as const)(
  'over %s nothing is decided before the message is complete',
  (lane) => {
    expect(lanes[lane](Buffer.alloc(0))).toEqual({ kind: 'more' });
  },
);
