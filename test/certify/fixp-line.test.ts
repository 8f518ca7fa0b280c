import { expect, test } from 'vitest';
import { fillMessage, type Known } from '../../src/certify/fixp-line.ts';
import { decodeFrame } from '../../src/certify/fixp-message.ts';
import { asValue } from '../../src/certify/line.ts';

const known: Known = {
  sessionId: '11'.repeat(16),
  newSessionId: () => '22'.repeat(16),
  timestampNs: 1_767_614_400_000_000_000n,
  requestNs: 5n,
  nextSeqNo: 7,
  lastIncomingSeqNo: 3,
  keepaliveMs: 1000,
  credentials: { username: 'alice', password: 'right' },
};

function said(line: string): Readonly<Record<string, string>> {
  const decoded = decodeFrame(fillMessage(line, known));
  if (typeof decoded === 'string') throw new Error(decoded);
  return Object.fromEntries(decoded.fields);
}

test('what the desk knows is filled in', () => {
  expect(said('Establish')).toEqual({
    SessionId: '11'.repeat(16),
    Timestamp: '1767614400000000000',
    KeepaliveInterval: '1000',
    NextSeqNo: '7',
    Credentials: '553=alice\x01554=right\x01',
  });
  expect(said('EstablishmentAck')).toMatchObject({ RequestTimestamp: '5', LastIncomingSeqNo: '3' });
});

test('what a line says outranks it, and what it leaves out is left out', () => {
  expect(said('Establish|NextSeqNo=9|-Credentials')).toMatchObject({ NextSeqNo: '9' });
  expect(said('Establish|-Credentials')).not.toHaveProperty('Credentials');
});

test.each([
  ['Negotiate|SessionId=new', 'SessionId', '22'.repeat(16)],
  ['Negotiate|SessionId=null', 'SessionId', undefined],
  ['Negotiate|Timestamp=seconds', 'Timestamp', '1767614400'],
  ['Negotiate|Timestamp=now-31s', 'Timestamp', '1767614369000000000'],
  ['Negotiate|Credentials=553=a^A554=b^A', 'Credentials', '553=a\x01554=b\x01'],
  ['OrderCancelRequest|ClOrdID=a|TransactTime=now+1s', 'TransactTime', '1767614401000'],
])('%s', (line, name, value) => {
  expect(said(line)[name]).toBe(value);
});

test('an id of the counterparty is an id, even if a line could mean a time by it', () => {
  const { ClOrdID } = said(`OrderCancelRequest|ClOrdID=${asValue('now+1s')}`);
  expect(ClOrdID).toBe('now+1s');
});
