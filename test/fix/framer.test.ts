import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimalText } from '../../src/fix/decimal.ts';
import { Decoder } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { FieldWriter } from '../../src/fix/field-writer.ts';
import { Framer } from '../../src/fix/framer.ts';
import { Validator } from '../../src/fix/validator.ts';
import { fromText, toText } from '../support/fix-text.ts';

const nowMs = Date.UTC(2026, 10, 21, 10, 38, 16, 123);
const names = { senderCompId: 'ISLD', targetCompId: 'TW' };

function decode(bytes: Uint8Array) {
  const decoder = new Decoder(fix44());
  decoder.push(bytes);
  expect(decoder.next()).toBe('message');
  return decoder.message;
}

test('a frame is the whole message', () => {
  const bytes = new Framer(names).frame('0', 7, nowMs, fromText('112=T|'));
  expect(toText(bytes)).toBe(
    '8=FIX.4.4|9=55|35=0|34=7|49=ISLD|52=20261121-10:38:16.123|56=TW|112=T|10=209|',
  );
  expect(decode(bytes).text(112)).toBe('T');
});

test('the header holds what the session and the message give it, in the order of tags', () => {
  const framer = new Framer({ ...names, senderSubId: 'S', targetSubId: 'T' });
  const bytes = framer.frame('0', 7, nowMs, new Uint8Array(0), {
    possDup: true,
    possResend: true,
    texts: { 129: 'DS', 128: 'DC', 115: 'OC', 116: 'OS', 122: '20261121-10:38:15' },
    lastMsgSeqNumProcessed: 6,
  });
  expect(toText(bytes)).toContain(
    '|35=0|34=7|43=Y|49=ISLD|50=S|52=20261121-10:38:16.123|56=TW|57=T|97=Y|115=OC|116=OS|' +
      '122=20261121-10:38:15|128=DC|129=DS|369=6|10=',
  );
  expect(new Validator(fix44()).validate(decode(bytes))).toBeUndefined();
});

test('a body of any length is framed, behind others or alone', () => {
  const framer = new Framer(names);
  const lengths = [0, 1, 40, 41, 42, 43, 900, 930, 940, 941, 942, 943, 5000, 99_000, 100_000];
  const alone = lengths.map((length) => {
    framer.clear();
    const body = new FieldWriter().text(58, 'x'.repeat(length)).bytes;
    return framer.frame('0', 1, nowMs, body).slice();
  });
  framer.clear();
  for (const length of lengths) {
    const body = new FieldWriter().text(58, 'x'.repeat(length)).bytes;
    framer.frame('0', 1, nowMs, body);
  }
  expect(toText(framer.frames)).toBe(toText(Buffer.concat(alone)));
  const decoder = new Decoder(fix44(), { maxBodyBytes: 999_999, maxFields: 100 });
  decoder.push(framer.frames);
  for (const length of lengths) {
    expect(decoder.next()).toBe('message');
    expect(decoder.message.text(58) ?? '').toHaveLength(length);
  }
});

test('a body beyond any BodyLength is our mistake and leaves the other frames whole', () => {
  const framer = new Framer(names);
  const first = toText(framer.frame('0', 1, nowMs, new Uint8Array(0)));
  expect(() => framer.frame('0', 2, nowMs, new Uint8Array(1_000_000))).toThrow('BodyLength');
  expect(toText(framer.frames)).toBe(first);
});

test('whatever can be sent can be sent again', () => {
  const framer = new Framer(names);
  const overhead = framer.frame('B', 1, nowMs, new Uint8Array(0)).length;
  let longest = 999_999 - overhead;
  const body = (length: number) => new FieldWriter().text(58, 'x'.repeat(length - 4)).bytes;
  for (let isSent = false; !isSent; longest -= 1) {
    try {
      const sent = framer.frame('B', 1, nowMs, body(longest)).slice();
      isSent = true;
      expect(toText(framer.reframe(sent, nowMs))).toContain('|43=Y|');
    } catch (error) {
      expect(String(error)).toContain('a body of');
    }
  }
  expect(longest).toBeGreaterThan(999_800);
});

test('a resend has the same bytes but for 43, 52 and 122', () => {
  const framer = new Framer({ ...names, senderSubId: 'S' });
  const stored = framer
    .frame('8', 9, nowMs, fromText('37=O|58=52=x|'), { possResend: true, texts: { 128: 'D' } })
    .slice();
  const again = framer.reframe(stored, nowMs + 60_000);
  expect(toText(again)).toContain(
    '|35=8|34=9|43=Y|49=ISLD|50=S|52=20261121-10:39:16.123|56=TW|97=Y|' +
      '122=20261121-10:38:16.123|128=D|37=O|58=52=x|10=',
  );
  expect(decode(again).bool(43)).toBe(true);
});

test('a resend of a resend keeps one 43, and 122 is the SendingTime of what was stored', () => {
  const framer = new Framer(names);
  const stored = framer.frame('0', 9, nowMs, fromText('112=T|')).slice();
  const once = framer.reframe(stored, nowMs + 1000).slice();
  const twice = toText(framer.reframe(once, nowMs + 2000));
  expect(twice.match(/\|43=Y/g)).toHaveLength(1);
  expect(twice).toContain('|122=20261121-10:38:17.123|');
});

test('what is written is what is read: texts, integers, decimals, times, data', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these become spaces
  const clean = (text: string) => text.replace(/[\x00-\x1f]/g, ' ');
  const text = fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' });
  fc.assert(
    fc.property(
      text,
      fc.maxSafeInteger(),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
      fc.integer({ min: 0, max: 18 }),
      fc.integer({ min: 0, max: 4e12 }),
      fc.uint8Array({ minLength: 1, maxLength: 60 }),
      fc.boolean(),
      (said, count, atoms, scale, unixMs, data, flag) => {
        const body = new FieldWriter(8)
          .data(95, 96, data)
          .text(58, said)
          .int(5001, count)
          .decimal(44, atoms, scale)
          .utc(60, unixMs)
          .bool(377, flag)
          .char(54, '1');
        const order = decode(new Framer(names).frame('D', 1, nowMs, body.bytes));
        expect(order.text(58)).toBe(Buffer.from(clean(said)).toString());
        expect(order.int(5001)).toBe(count);
        expect(order.text(44)).toBe(decimalText(atoms, scale));
        expect(order.utcMs(60)).toBe(unixMs);
        expect([...(order.bytes(96) ?? [])]).toEqual([...data]);
        expect(order.bool(377)).toBe(flag);
        expect(order.text(54)).toBe('1');
      },
    ),
    { numRuns: 1000 },
  );
});
