/** Whose connection it is, by its first bytes. */
import { expect, test } from 'vitest';
import { callerOf } from '../../src/certify/caller.ts';
import { lineBytes } from '../../src/certify/fix-line.ts';
import { fillMessage } from '../../src/certify/fixp-line.ts';

const names = { senderCompId: 'CLIENT', targetCompId: 'DESK' };
const session = { ...names, heartBtInt: 30 };
const credentials = { username: 'client', passwordFile: 'none' };

function logon(senderCompId: string, line = 'A|98=0|108=30'): Buffer {
  return lineBytes(line, { ...names, senderCompId, msgSeqNum: 1, wallMs: 0 });
}

function negotiate(username: string | undefined, framing: 'big' | 'little' = 'big'): Buffer {
  const known = { sessionId: '', requestNs: 0n, nextSeqNo: 1, lastIncomingSeqNo: 0 };
  return fillMessage(
    'Negotiate|SessionId=new',
    {
      ...known,
      newSessionId: () => '01'.repeat(16),
      timestampNs: 1n,
      keepaliveMs: 1_000,
      credentials: username === undefined ? undefined : { username, password: 'secret' },
    },
    framing,
  );
}

const fix = callerOf({ protocol: 'fix', session, credentials: undefined });
const fixp = callerOf({ protocol: 'fixp', session, credentials });
const others = ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00\x01\x00', '\r\n\r\n\r\n\r\n'];

test('what is of another protocol is not of the counterparty', () => {
  for (const bytes of others) {
    expect([bytes, fix(Buffer.from(bytes)), fixp(Buffer.from(bytes))]).toEqual([
      bytes,
      false,
      false,
    ]);
  }
  expect([fix(negotiate('client')), fixp(logon('CLIENT'))]).toEqual([false, false]);
});

test('a message in another name is not of the counterparty', () => {
  expect([fix(logon('CLIENT')), fix(logon('OTHER'))]).toEqual([true, false]);
  expect([fixp(negotiate('client')), fixp(negotiate('other'))]).toEqual([true, false]);
});

test('a message that is wrong in any other way is judged', () => {
  const [wrongSum, early] = [logon('CLIENT', 'A|98=0|10=000'), logon('CLIENT', 'D|11=a')];
  expect([wrongSum, early].map(fix)).toEqual([true, true]);
  expect([negotiate(undefined), negotiate('client', 'little')].map(fixp)).toEqual([true, true]);
});

test('a first message that arrives in pieces, wherever it is cut, is waited for', () => {
  for (const [isCaller, bytes] of [
    [fix, logon('CLIENT')],
    [fixp, negotiate('client')],
    [fixp, negotiate('client', 'little')],
  ] as const) {
    for (let end = 1; end < bytes.length; end += 1) {
      expect([end, isCaller(bytes.subarray(0, end))]).toEqual([end, undefined]);
    }
    expect(isCaller(bytes)).toBe(true);
  }
  expect(fix(Buffer.from('8=FIX'.padEnd(65_536, 'x')))).toBe(true);
});
