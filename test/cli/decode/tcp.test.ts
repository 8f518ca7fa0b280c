import { expect, test } from 'vitest';
import { segmentOf, TcpStreams } from '../../../src/cli/decode/tcp.ts';
import { ethernetFrame, type Sent } from './capture.ts';

function read(...sent: readonly (Omit<Sent, 'fromClient'> & { fromClient?: boolean })[]) {
  const streams = new TcpStreams();
  const pieces = sent.flatMap((one) => {
    const bytes = ethernetFrame({ fromClient: true, ...one });
    const segment = segmentOf({ linkType: 1, bytes, timeUs: undefined });
    return segment === undefined ? [] : streams.push(segment, undefined);
  });
  return [...pieces, ...streams.end()].map(
    ({ bytes, afterHole }) => `${afterHole ? 'hole ' : ''}${bytes}`,
  );
}

test('each direction has its name and its bytes', () => {
  const segment = segmentOf({
    linkType: 1,
    bytes: ethernetFrame({ fromClient: false, seq: 7, text: 'x' }),
    timeUs: undefined,
  });
  expect(segment).toMatchObject({ flow: '127.0.0.2:9880 > 127.0.0.1:50000', seq: 7 });
});

test('segments out of order are put in order, repeats are dropped, overlaps are cut', () => {
  const start = { seq: 100, text: '', syn: true };
  expect(read(start, { seq: 104, text: 'def' }, { seq: 101, text: 'abc' })).toEqual(['abc', 'def']);
  expect(read(start, { seq: 101, text: 'abc' }, { seq: 101, text: 'abc' })).toEqual(['abc']);
  expect(read(start, { seq: 101, text: 'abc' }, { seq: 102, text: 'bcd' })).toEqual(['abc', 'd']);
});

test('sequence numbers wrap', () => {
  expect(read({ seq: 0xfffffffe, text: 'ab' }, { seq: 0, text: 'cd' })).toEqual(['ab', 'cd']);
});

test('a segment that was not captured is a hole, and what follows is shown', () => {
  expect(read({ seq: 1, text: 'ab' }, { seq: 9, text: 'yz' })).toEqual(['ab', 'hole yz']);
});

test('what is no TCP over IP is stepped over', () => {
  const bytes = ethernetFrame({ fromClient: true, seq: 1, text: 'x' });
  expect(segmentOf({ linkType: 9999, bytes, timeUs: undefined })).toBeUndefined();
  for (let length = 0; length < 54; length += 1) {
    const cut = bytes.subarray(0, length);
    expect(segmentOf({ linkType: 1, bytes: cut, timeUs: undefined })).toBeUndefined();
  }
});
