/** Times and numbers as operators type and read them. */
import { expect, test } from 'vitest';
import {
  decoded,
  detailsText,
  duration,
  grouped,
  momentOf,
  peerOf,
} from '../../../src/console/app/format.ts';

const nowMs = Date.UTC(2026, 10, 21, 18, 30);

test.each([
  ['16:42', '2026-11-21T16:42:00Z'],
  [' 16:42:05 ', '2026-11-21T16:42:05Z'],
  ['2026-11-20', '2026-11-20T00:00:00Z'],
  ['2026-11-20 09:00', '2026-11-20T09:00:00Z'],
  ['2026-11-20T09:00:01', '2026-11-20T09:00:01Z'],
])('the moment %j is %s', (text, moment) => {
  expect(momentOf(text, nowMs)).toBe(Date.parse(moment));
});

test.each(['', '  ', '25:00', '16', 'yesterday', '2026-13-01', '2026-11-2009:00'])(
  '%j is no moment',
  (text) => {
    expect(momentOf(text, nowMs)).toBeUndefined();
  },
);

test('numbers are grouped before the point and stay as they are behind it', () => {
  expect(grouped('1234567.12345678')).toBe('1 234 567.12345678');
  expect(grouped('-1234')).toBe('-1 234');
  expect(grouped('999')).toBe('999');
});

test('a time span is told in the unit that one reads it in', () => {
  expect([840, 1_300, 12_345, 2_100_000].map(duration)).toEqual([
    '840 µs',
    '1.3 ms',
    '12 ms',
    '2.1 s',
  ]);
});

test('a session goes by the name of the client', () => {
  expect(peerOf('FIX.4.4:CAUSEWAY/->ALPHA/')).toBe('ALPHA');
  expect(peerOf('FIXP:DELTA')).toBe('DELTA');
});

test('what waits for approval is said in words', () => {
  const text = (details: object) => detailsText(JSON.stringify(details));
  expect(text({ scope: { kind: 'all' } })).toBe('everything');
  expect(text({ scope: { kind: 'session', name: 'FIXP:DELTA' }, symbol: 'BTC-USDC' })).toBe(
    'session DELTA, symbol BTC-USDC',
  );
  expect(
    text({ target: { kind: 'account', name: 'desk-1' }, limits: { ordersPerSecond: 5 } }),
  ).toBe('account desk-1, ordersPerSecond 5');
  expect(text({ orders: ['ALPHA:a', 'ALPHA:b'] })).toBe('ALPHA:a, ALPHA:b');
});

test('a part of an address that does not decode stays as it is', () => {
  expect(['FIX.4.4%3AA%2F', '%', '%zz', 'a%E0'].map(decoded)).toEqual([
    'FIX.4.4:A/',
    '%',
    '%zz',
    'a%E0',
  ]);
});
