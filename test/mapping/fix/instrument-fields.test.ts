/** Which instrument a message names, and how the bridge names one (contract C.3, R93). */
import { describe, expect, test } from 'vitest';
import { isDenial } from '../../../src/domain/denial.ts';
import { FieldWriter } from '../../../src/fix/field-writer.ts';
import {
  echo,
  echoInstrument,
  namesInstrument,
  readInstrument,
  writeBook,
  writeInstrument,
} from '../../../src/mapping/fix/instrument-fields.ts';
import { instruments, noBook, readSettings, received, settings, spotInstrument } from './wire.ts';

const order = (fields: string, strict = true) =>
  received('D', `11=A|${fields}|54=2|60=20260105-12:00:00|38=1|40=1`, {}, strict);

function written(write: (out: FieldWriter) => void): string {
  const out = new FieldWriter();
  write(out);
  return Buffer.from(out.bytes).toString().replaceAll('\x01', '|');
}

test.each([
  ['48=7:NO|22=8', { securityId: '7:NO' }],
  ['48=7|22=8|9103=YES', { securityId: '7', book: 'YES' }],
  ['55=RAIN-2026|9103=NO', { symbol: 'RAIN-2026', book: 'NO' }],
  ['55=[N/A]|48=1|22=8', { securityId: '1' }],
  ['55=BTC-USDC|48=US0378331005|22=4', { symbol: 'BTC-USDC' }],
  ['55=BTC-USDC|48=1', { symbol: 'BTC-USDC' }],
  ['55=BTC-USDC|201=1', { symbol: 'BTC-USDC' }],
])('R93: %s names an instrument', (fields, expected) => {
  const none = { symbol: null, securityId: null, book: null };
  expect(readInstrument(order(fields), readSettings)).toEqual({ ...none, ...expected });
});

describe('PutOrCall(201)', () => {
  const on = { ...readSettings, putOrCallAsBook: true };
  const bookOf = (fields: string, from = on) => readInstrument(order(fields), from).book;

  test('R93: names the book only where that is switched on', () => {
    expect(bookOf('55=RAIN-2026|201=1')).toBe('YES');
    expect(bookOf('55=RAIN-2026|201=0')).toBe('NO');
    expect(bookOf('55=RAIN-2026')).toBeNull();
    expect(bookOf('55=RAIN-2026|201=1', readSettings)).toBeNull();
  });

  test('R93: may say the same as Book(9103)', () => {
    expect(readInstrument(order('55=RAIN-2026|9103=YES|201=1'), on)).toEqual({
      symbol: 'RAIN-2026',
      securityId: null,
      book: 'YES',
    });
  });

  test.each([
    ['55=RAIN-2026:YES|9103=no', false, 'bridge.unsupported: Book(9103)=no'],
    ['48=7|22=8|9103=MAYBE', true, 'bridge.unsupported: Book(9103)=MAYBE'],
    [
      '55=RAIN-2026|9103=YES|201=0',
      true,
      'bridge.instrument_conflict: Book(9103)=YES contradicts PutOrCall(201)',
    ],
    [
      '55=RAIN-2026|9103=NO|201=1',
      true,
      'bridge.instrument_conflict: Book(9103)=NO contradicts PutOrCall(201)',
    ],
    ['55=RAIN-2026|9103=YES|201=0', false, '7:YES'],
    ['55=RAIN-2026|9103=NO|201=0', true, '7:NO'],
  ])('R93: %s with it switched on or off (%s) is %s', (fields, putOrCallAsBook, expected) => {
    const ref = readInstrument(order(fields), { ...readSettings, putOrCallAsBook });
    const found = instruments.resolve(ref);
    expect(isDenial(found) ? `${found.refusal.name}: ${found.text}` : found.securityId).toBe(
      expected,
    );
  });
});

test('an instrument is named by its symbol or its id, not by its book or the source of an id alone', () => {
  const all = (fields: string) =>
    namesInstrument(received('q', `11=M|530=7|60=20260105-12:00:00|${fields}`));
  expect(all('55=BTC-USDC')).toBe(true);
  expect(all('48=1|22=8')).toBe(true);
  expect(all('54=1|9103=YES')).toBe(false);
});

test('what the bridge writes of an instrument is read as that instrument', () => {
  for (const instrument of [spotInstrument, noBook]) {
    const fields = written((out) => {
      writeInstrument(out, instrument);
      writeBook(out, instrument, settings.tags);
    });
    expect(instruments.resolve(readInstrument(order(fields.slice(0, -1)), readSettings))).toBe(
      instrument,
    );
  }
  expect(written((out) => writeInstrument(out, noBook))).toBe('55=RAIN-2026:NO|48=7:NO|22=8|');
  expect(written((out) => writeBook(out, noBook, settings.tags))).toBe('9103=NO|');
  expect(written((out) => writeBook(out, spotInstrument, settings.tags))).toBe('');
});

test("the client's own fields go back as they came, and only those that are there", () => {
  const foreign = order('55=BTC-USDC|48=US0378331005|22=4|9103=YES');
  expect(written((out) => echoInstrument(out, foreign))).toBe('55=BTC-USDC|48=US0378331005|22=4|');
  expect(written((out) => echoInstrument(out, order('55=?')))).toBe('55=?|');
  expect(written((out) => echo(out, foreign, 54))).toBe('54=2|');
  expect(written((out) => echo(out, foreign, 44))).toBe('');
});
