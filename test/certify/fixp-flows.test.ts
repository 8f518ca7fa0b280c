import { expect, test } from 'vitest';
import { FixpFlows } from '../../src/certify/fixp-flows.ts';
import { fixpMessage } from './messages.ts';

const id = 'ab'.repeat(16);
const negotiate = fixpMessage('Negotiate', { SessionId: id });
const order = fixpMessage('NewOrderSingle');
const report = fixpMessage('ExecutionReportNew');

test('both sides count their messages, and session messages do not count', () => {
  const flows = new FixpFlows(true);
  flows.sent(negotiate);
  flows.sent(order);
  flows.received(report);
  flows.received(fixpMessage('Applied', { FromSeqNo: 1, Count: 1 }));
  expect(flows.received(fixpMessage('Sequence', { NextSeqNo: 3 }))).toBeUndefined();
  expect([flows.sessionId, flows.nextOut, flows.nextIn]).toEqual([id, 2, 3]);
});

test("a number that is not the next is told, and the counterparty's count is followed", () => {
  const flows = new FixpFlows(true);
  flows.sent(negotiate);
  expect(flows.received(fixpMessage('Sequence', { NextSeqNo: 4 }))).toBe('1');
  expect(flows.nextIn).toBe(4);
});

test('what comes again does not count again', () => {
  const flows = new FixpFlows(true);
  flows.sent(negotiate);
  flows.received(report);
  flows.received(report);
  flows.received(fixpMessage('Retransmission', { NextSeqNo: 1, Count: 1 }));
  flows.received(report);
  expect(flows.nextIn).toBe(3);
  flows.received(report);
  expect(flows.nextIn).toBe(4);
});

test("a gap in a server's flow is filled from its begin, one in a client's is skipped", () => {
  const server = new FixpFlows(false);
  server.received(negotiate);
  server.sent(fixpMessage('Sequence', { NextSeqNo: 3 }));
  expect([server.nextOut, server.announced]).toEqual([1, 3]);
  server.sent(fixpMessage('Retransmission', { NextSeqNo: 1, Count: 2 }));
  server.sent(report);
  server.sent(report);
  expect(server.nextOut).toBe(3);
  const client = new FixpFlows(true);
  client.sent(negotiate);
  client.sent(fixpMessage('Sequence', { NextSeqNo: 3 }));
  expect(client.nextOut).toBe(3);
});

test('a refused message is not awaited', () => {
  const server = new FixpFlows(false);
  server.received(negotiate);
  server.sent(fixpMessage('Sequence', { NextSeqNo: 3 }));
  server.sent(fixpMessage('RetransmitReject'));
  expect(server.nextOut).toBe(3);
});

test('a client may establish with a lower number, never with a higher one', () => {
  const flows = new FixpFlows(false);
  flows.received(negotiate);
  flows.received(order);
  expect(flows.received(fixpMessage('Establish', { SessionId: id, NextSeqNo: 1 }))).toBeUndefined();
  expect(flows.nextIn).toBe(1);
  expect(flows.received(fixpMessage('Establish', { SessionId: id, NextSeqNo: 9 }))).toBe(
    'at most 1',
  );
});

test('a retransmission is compared with what had its number before, until a session begins', () => {
  const flows = new FixpFlows(true);
  const reportOf = (Price: number) => fixpMessage('ExecutionReportNew', { ClOrdID: 'a', Price });
  const again = (Price: number) => {
    flows.received(fixpMessage('Retransmission', { NextSeqNo: 2, Count: 1 }));
    flows.received(reportOf(Price));
    return flows.changed;
  };
  flows.sent(negotiate);
  flows.received(report);
  flows.received(reportOf(1));
  expect(flows.changed).toBeUndefined();
  expect(again(1)).toBeUndefined();
  expect(again(2)).toEqual({ tag: 0, name: 'resent Price', wanted: 'Price=1', got: 'Price=2' });
  flows.received(report);
  expect(flows.changed).toBeUndefined();
  flows.sent(negotiate);
  expect(again(3)).toBeUndefined();
});
