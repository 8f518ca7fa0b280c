import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  dateDays,
  timeOfDayMs,
  UtcTimestampWriter,
  utcTimestampMs,
} from '../../src/fix/timestamp.ts';

const parsed = (text: string) => {
  const bytes = Buffer.from(`x${text}x`);
  return utcTimestampMs(bytes, 1, bytes.length - 1);
};

test.each([
  ['20261121-10:38:16', '2026-11-21T10:38:16.000Z'],
  ['20261121-10:38:16.123', '2026-11-21T10:38:16.123Z'],
  ['20261121-10:38:16.123999', '2026-11-21T10:38:16.123Z'],
  ['20261121-10:38:16.123999999', '2026-11-21T10:38:16.123Z'],
  ['20240229-00:00:00', '2024-02-29T00:00:00.000Z'],
  ['20000229-23:59:59.999', '2000-02-29T23:59:59.999Z'],
  ['19700101-00:00:00', '1970-01-01T00:00:00.000Z'],
  ['00010101-00:00:00', '0001-01-01T00:00:00.000Z'],
  ['99991231-23:59:59', '9999-12-31T23:59:59.000Z'],
])('%s is %s', (text, iso) => {
  expect(parsed(text)).toBe(Date.parse(iso));
});

test('a leap second is the first second of the next day', () => {
  expect(parsed('20161231-23:59:60')).toBe(Date.UTC(2017, 0, 1));
});

test.each([
  '',
  '20261121',
  '20261121-10:38',
  '20261121 10:38:16',
  '20261121T10:38:16',
  '20261121-10:38:16.',
  '20261121-10:38:16.1',
  '20261121-10:38:16.12',
  '20261121-10:38:16.1234',
  '20261121-10:38:16.1234567890',
  '20261121-10:38:16.12x',
  '20261121-10:38:16.123x99',
  '20261121-10:38:16,123',
  '20261121-10.38:16',
  '20261121-24:00:00',
  '20261121-10:60:00',
  '20261121-10:38:61',
  '20261121-10:38:60',
  '20261321-10:38:16',
  '20260021-10:38:16',
  '20261100-10:38:16',
  '20261131-10:38:16',
  '20260229-10:38:16',
  '21000229-10:38:16',
  '00000101-10:38:16',
  '2026112a-10:38:16',
  '/0261121-10:38:16',
  ':0261121-10:38:16',
])('%s is refused', (text) => {
  expect(parsed(text)).toBeNaN();
});

test('every instant of the years 1 to 9999 reads back as it was written', () => {
  const instant = fc.integer({
    min: Date.parse('0001-01-01T00:00:00Z'),
    max: Date.parse('9999-12-31T23:59:59.999Z'),
  });
  const writer = new UtcTimestampWriter();
  const bytes = new Uint8Array(24);
  fc.assert(
    fc.property(instant, (unixMs) => {
      const end = writer.write(bytes, 1, unixMs);
      expect(utcTimestampMs(bytes, 1, end)).toBe(unixMs);
      const iso = new Date(unixMs).toISOString().replaceAll('-', '').replace('T', '-');
      expect(`${Buffer.from(bytes.subarray(1, end)).toString()}Z`).toBe(iso);
    }),
    { numRuns: 3000 },
  );
});

test('stamps of one second share their text but for the milliseconds', () => {
  const writer = new UtcTimestampWriter();
  const bytes = new Uint8Array(21);
  const texts = [0, 9, 10, 99, 100, 999, 1000].map((ms) => {
    writer.write(bytes, 0, Date.UTC(2026, 0, 5) + ms);
    return Buffer.from(bytes).toString().slice(15);
  });
  expect(texts).toEqual(['00.000', '00.009', '00.010', '00.099', '00.100', '00.999', '01.000']);
});

test('what has no UTCTimestamp is our mistake', () => {
  const writer = new UtcTimestampWriter();
  expect(() => writer.write(new Uint8Array(21), 0, Number.NaN)).toThrow('no UTCTimestamp');
  expect(() => writer.write(new Uint8Array(21), 0, 8e15)).toThrow('no UTCTimestamp');
});

test('dates and times of day stand alone too', () => {
  expect(dateDays(Buffer.from('19700102'), 0)).toBe(1);
  expect(timeOfDayMs(Buffer.from('00:00:01.500'), 0, 12)).toBe(1500);
});
