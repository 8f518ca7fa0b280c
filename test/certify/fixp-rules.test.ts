import { expect, test } from 'vitest';
import { fixpFaults, type Known } from '../../src/certify/fixp-rules.ts';
import { fixpMessage } from './messages.ts';

const sessionId = 'ab'.repeat(16);
const known: Known = {
  sessionId,
  requestsNs: new Set([5n]),
  theirRequestNs: 0n,
  hasTerminated: false,
  username: 'alice',
  wrongNumber: undefined,
  changed: undefined,
};
const nowNs = String(BigInt(Date.now()) * 1_000_000n);
const proof = '553=alice\x01554=right\x01';
const negotiate = { SessionId: sessionId, Timestamp: nowNs, Credentials: proof };

test('what is right is not spoken of', () => {
  expect(fixpFaults(fixpMessage('Negotiate', negotiate), known)).toEqual([]);
  const answer = { SessionId: sessionId, RequestTimestamp: '5' };
  expect(fixpFaults(fixpMessage('EstablishmentAck', answer), known)).toEqual([]);
  expect(fixpFaults(fixpMessage('ExecutionReportNew'), known)).toEqual([]);
});

test.each([
  ['Negotiate', { ...negotiate, SessionId: undefined }, {}, 'SessionId'],
  ['Terminate', { SessionId: 'cd'.repeat(16) }, {}, 'SessionId'],
  ['Negotiate', { ...negotiate, Timestamp: '1767614400' }, {}, 'Timestamp'],
  ['Establish', negotiate, { theirRequestNs: BigInt(nowNs) }, 'Timestamp'],
  ['Negotiate', { ...negotiate, Credentials: '553=bob\x01554=x\x01' }, {}, 'Credentials'],
  ['NegotiationResponse', { RequestTimestamp: '6' }, {}, 'RequestTimestamp'],
  ['Sequence', { NextSeqNo: '3' }, { wrongNumber: '2' }, 'NextSeqNo'],
  ['News', {}, { changed: { tag: 0, name: 'resent Text', wanted: 'a', got: 'b' } }, 'resent Text'],
  ['Sequence', { NextSeqNo: '3' }, { hasTerminated: true }, 'message'],
])('%s %j is told as a fault of %s', (msgType, fields, more, name) => {
  const faults = fixpFaults(fixpMessage(msgType, fields), { ...known, ...more });
  expect(faults.map((fault) => fault.name)).toEqual([name]);
});

test('no fault says what proves who somebody is', () => {
  const fields = { ...negotiate, Credentials: '553=bob\x01554=a secret\x01' };
  expect(JSON.stringify(fixpFaults(fixpMessage('Negotiate', fields), known))).not.toMatch(
    'a secret',
  );
});
