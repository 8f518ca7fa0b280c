import { expect, test } from 'vitest';
import { Retransmission } from '../../src/fixp/retransmission.ts';
import type { Flow } from '../../src/fixp/session-ids.ts';

const limits = {
  maxRetransmitCount: 100,
  maxRetransmitBytes: 25,
  maxRequestCount: 500,
  maxFutileRequests: 3,
};
const sessionId = 'ab'.repeat(16);
/** Numbers 1 to 90 on the wire are 11 to 100 in the store; those below 4 are not of this flow's reach. */
const flow: Flow = { sessionId, inBase: 0, outBase: 10, outFrom: 14, outEnd: null, clientFlow: 1 };
const request = (fromSeqNo: number, count: number) =>
  ({ name: 'RetransmitRequest', sessionId, timestamp: 1n, fromSeqNo, count }) as const;
const piece = (fromSeq: number, toSeq: number, done: boolean) => ({
  fromSeq,
  toSeq,
  messages: Array.from({ length: toSeq - fromSeq + 1 }, (_, i) => ({
    seq: fromSeq + i,
    bytes: Buffer.alloc(10, fromSeq + i),
  })),
  oldestKept: 1,
  done,
});

test('numbers of the wire are asked of the store', () => {
  const asked = new Retransmission(limits).ask(request(5, 3), flow, 100);
  expect(asked).toEqual({ kind: 'fetch', fromSeq: 15, toSeq: 17 });
});

test.each([
  ['the first number of the flow', 4, 1, 'fetch'],
  ['the number before it', 3, 1, 'reject'],
  ['the last number', 90, 1, 'fetch'],
  ['one behind the last', 90, 2, 'reject'],
  ['no number', 5, 0, 'reject'],
  ['as many as may be asked for', 5, 500, 'reject'],
])('a range of %s', (_, fromSeqNo, count, kind) => {
  expect(new Retransmission(limits).ask(request(fromSeqNo, count), flow, 100).kind).toBe(kind);
});

test('an answer stops at so many messages', () => {
  const asked = new Retransmission(limits).ask(request(4, 400), { ...flow, outEnd: 600 }, 0);
  expect(asked).toEqual({ kind: 'fetch', fromSeq: 14, toSeq: 113 });
});

test('an answer stops at so many bytes, and what is read beyond is dropped', () => {
  const retransmission = new Retransmission(limits);
  retransmission.ask(request(5, 10), flow, 100);
  expect(retransmission.piece(piece(15, 16, false))).toBeUndefined();
  const answer = retransmission.piece(piece(17, 18, false));
  expect(answer?.frames.map(([first]) => first)).toEqual([15, 16, 17, 18]);
  expect(retransmission.piece(piece(19, 24, true))).toBeUndefined();
  retransmission.ask(request(30, 2), flow, 100);
  expect(retransmission.piece(piece(40, 41, true))?.frames).toHaveLength(2);
});

test('messages that are dropped while they are read are missing at the end of the answer', () => {
  const retransmission = new Retransmission({ ...limits, maxRetransmitBytes: 1_000 });
  retransmission.ask(request(5, 6), flow, 100);
  expect(retransmission.piece(piece(15, 16, false))).toBeUndefined();
  expect(retransmission.piece({ ...piece(18, 19, false), oldestKept: 18 })).toBeUndefined();
  const answer = retransmission.piece({ ...piece(20, 20, true), oldestKept: 18 });
  expect(answer?.frames.map(([first]) => first)).toEqual([15, 16]);
});

test('messages that are no longer kept give an answer without messages', () => {
  const retransmission = new Retransmission(limits);
  retransmission.ask(request(5, 1), flow, 100);
  const nothing = { ...piece(15, 15, true), messages: [], oldestKept: 50 };
  expect(retransmission.piece(nothing)).toMatchObject({ frames: [], oldestKept: 50 });
});

test('after the connection has gone nothing is answered', () => {
  const retransmission = new Retransmission(limits);
  retransmission.ask(request(5, 1), flow, 100);
  retransmission.stop();
  expect(retransmission.piece(piece(15, 15, true))).toBeUndefined();
  expect(retransmission.ask(request(5, 1), flow, 100).kind).toBe('fetch');
});
