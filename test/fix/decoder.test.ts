import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decoder, type DecoderLimits, defaultDecoderLimits } from '../../src/fix/decoder.ts';
import { fix44 } from '../../src/fix/dictionaries.ts';
import { checkSummed, framed, fromText, header, message, toText } from '../support/fix-text.ts';

/** All that comes out of a decoder: messages as text, `garbled: …`, and at the end `fatal: …` if it is. */
function decodeAll(
  pieces: readonly Uint8Array[],
  limits: DecoderLimits = defaultDecoderLimits,
  dialect: 'house' | 'quickfix' = 'house',
) {
  const decoder = new Decoder(fix44(), limits, dialect);
  const seen: string[] = [];
  for (const piece of pieces) {
    const lent = Uint8Array.from(piece);
    decoder.push(lent);
    for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
      seen.push(step === 'message' ? toText(decoder.message.raw) : `${step}: ${decoder.reason}`);
      if (step === 'fatal') return seen;
    }
    lent.fill(0);
  }
  return seen;
}

/** The same bytes in pieces that end at the given places. */
function cut(bytes: Uint8Array, ends: readonly number[]): Uint8Array[] {
  const places = [...new Set(ends.map((end) => end % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, i) => bytes.subarray(from, places[i] ?? bytes.length));
}

const beat = message('0', '112=T|');
const order = message('D', '11=ID|21=1|38=2|40=1|54=1|55=INTC|60=20261121-10:38:16|');
const data = message('B', '148=H|33=1|58=t|95=28|96=8=FIX.4.4|9=5|35=0|10=000||');
const badSum = Uint8Array.from(beat).fill(48, beat.length - 4, beat.length - 1);

test('whole messages in one piece come out one after the other', () => {
  expect(decodeAll([Buffer.concat([beat, order, data])])).toEqual([beat, order, data].map(toText));
});

test('any cutting of the stream gives the same messages', () => {
  const parts = [
    beat,
    order,
    data,
    badSum,
    fromText('noise|'),
    fromText('8=FIX.4.4|35=D|9=5|'),
    checkSummed('8=FIX.4.4|9=30|35=0|34=3|'),
    message('0', '58=FIX the price|'),
    fromText('8=FI'),
    fromText('8=FIX.4.4|9=000031|35=0|'),
  ];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(2000), { maxLength: 30 }),
      (stream, ends) => {
        const bytes = Buffer.concat([...stream, order]);
        expect(decodeAll(cut(bytes, ends))).toEqual(decodeAll([bytes]));
      },
    ),
    { numRuns: 500 },
  );
});

test('pieces may be pushed before the last one was read to its end', () => {
  const decoder = new Decoder(fix44());
  decoder.push(order.subarray(0, 50));
  decoder.push(order.subarray(50));
  decoder.push(Buffer.concat([beat, data.subarray(0, 9)]));
  expect(decoder.next()).toBe('message');
  expect(toText(decoder.message.raw)).toBe(toText(order));
  decoder.push(data.subarray(9));
  expect([decoder.next(), decoder.message.msgType]).toEqual(['message', '0']);
  expect([decoder.next(), decoder.message.msgType]).toEqual(['message', 'B']);
  expect(decoder.next()).toBe('more');
});

test('a message of the largest size is put together from small pieces, and the next as well', () => {
  const large = message('D', `${'58='.padEnd(65_000, 'x')}|`);
  const ends = Array.from({ length: 60 }, (_, i) => i * 1100);
  const bytes = Buffer.concat([large, beat, large]);
  expect(decodeAll(cut(bytes, ends))).toEqual([large, beat, large].map(toText));
});

test('a message comes out with its last byte, and no sooner', () => {
  const decoder = new Decoder(fix44());
  for (let at = 0; at < order.length; at++) {
    decoder.push(order.subarray(at, at + 1));
    expect(decoder.next()).toBe(at + 1 < order.length ? 'more' : 'message');
  }
});

test('a BodyLength that leads into the next message: we find that one, QuickFIX takes both for one', () => {
  const long = fromText(toText(beat).replace(/9=\d+/, '9=80'));
  const stream = Buffer.concat([long, order, data]);
  const garbled = 'garbled: BodyLength(9) does not lead to CheckSum(10)';
  expect(decodeAll([stream])).toEqual([garbled, toText(order), toText(data)]);
  for (const end of [0, long.length + 3, long.length + order.length - 2]) {
    const pieces = cut(stream, [end]);
    expect(decodeAll(pieces, undefined, 'quickfix')).toEqual([garbled, toText(data)]);
  }
});

test('in the manner of QuickFIX a CheckSum that never comes is not waited for without end', () => {
  const decoder = new Decoder(fix44(), { maxBodyBytes: 300, maxFields: 64 }, 'quickfix');
  decoder.push(Buffer.concat([fromText('8=FIX.4.4|9=20|35=0|'), Buffer.alloc(200, 'x')]));
  expect(decoder.next()).toBe('more');
  decoder.push(Buffer.alloc(200, 'x'));
  expect(decoder.next()).toBe('garbled');
  decoder.push(beat);
  expect(decoder.next()).toBe('message');
});

test.each([
  ['a wrong CheckSum', badSum, 'CheckSum(10) is wrong'],
  ['a BodyLength too short', checkSummed('8=FIX.4.4|9=4|35=0|34=2|'), 'does not lead to'],
  ['a BodyLength too long', checkSummed('8=FIX.4.4|9=20|35=0|34=2|'), 'does not lead to'],
  ['BodyLength not second', checkSummed('8=FIX.4.4|35=0|9=5|34=2|'), 'not the second'],
  ['MsgType not third', framed('34=2|35=0|'), 'not the third'],
  ['no BodyLength at all', fromText('8=FIX.4.4|10=000|'), 'not the second'],
  ['a BeginString without end', fromText('8=FIX.4.4.4.4.4.4.4'), 'too long'],
  ['noise', fromText('GET / HTTP/1.1'), 'BeginString(8) expected'],
])('%s is told once and skipped', (_name, bytes, reason) => {
  const seen = decodeAll([bytes, order, beat]);
  expect(seen).toHaveLength(3);
  expect(seen[0]).toContain(`garbled: `);
  expect(seen[0]).toContain(reason);
  expect(seen.slice(1)).toEqual([order, beat].map(toText));
});

test('a Text(58) that begins with FIX is no message to go on with', () => {
  const broken = checkSummed(`8=FIX.4.4|9=9|35=0|${header}58=FIX.4.4|`);
  expect(decodeAll([broken, beat])).toEqual([expect.stringContaining('garbled'), toText(beat)]);
});

test('a whole message inside a broken one is found', () => {
  const broken = fromText('8=FIX.4.4|9=400|35=0|34=');
  const rest = new Array(6).fill(beat);
  const seen = decodeAll([broken, ...rest]);
  expect(seen[0]).toContain('garbled');
  expect(seen.slice(1)).toEqual(rest.map(toText).slice(0));
});

test.each([
  ['1000000', 'more than 6 digits'],
  ['0000005', 'more than 6 digits'],
  ['99999999999999999999', 'more than 6 digits'],
  ['4294967301', 'more than 6 digits'],
  ['-5', 'not a number'],
  ['+5', 'not a number'],
  ['5x', 'not a number'],
  ['0x10', 'not a number'],
  [' 5', 'not a number'],
  ['1e3', 'not a number'],
  ['5.0', 'not a number'],
  ['', 'empty'],
  ['65537', 'above 65536'],
  ['999999', 'above 65536'],
])('BodyLength(9)=%s ends the stream', (length, reason) => {
  const seen = decodeAll([fromText(`8=FIX.4.4|9=${length}|35=0|`), beat]);
  expect(seen).toEqual([`fatal: ${seen[0]?.slice(7)}`]);
  expect(seen[0]).toContain(reason);
});

test('a lost stream stays lost', () => {
  const decoder = new Decoder(fix44());
  decoder.push(fromText('8=FIX.4.4|9=x|'));
  expect(decoder.next()).toBe('fatal');
  decoder.push(beat);
  expect(decoder.next()).toBe('fatal');
});

test('of a lost stream nothing is kept, however much follows', () => {
  const decoder = new Decoder(fix44());
  decoder.push(fromText('8=FIX.4.4|9=x|'));
  expect(decoder.next()).toBe('fatal');
  const piece = new Uint8Array(2 ** 20);
  const before = process.memoryUsage().arrayBuffers;
  for (let i = 0; i < 64; i += 1) decoder.push(piece);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * 2 ** 20);
  expect(decoder.next()).toBe('fatal');
});

test('a body of exactly the limit is taken, one byte more is not', () => {
  const body = `35=0|${header}`;
  const limits = { maxBodyBytes: body.length, maxFields: 100 };
  expect(decodeAll([framed(body)], limits)).toHaveLength(1);
  expect(decodeAll([framed(`${body}1=x|`)], limits)[0]).toContain('fatal');
});

test('nothing is kept for a length that is only promised', () => {
  const decoder = new Decoder(fix44(), { maxBodyBytes: 999_999, maxFields: 100 });
  const before = process.memoryUsage().arrayBuffers;
  const decoders = Array.from({ length: 100 }, () => new Decoder(fix44()));
  for (const one of [decoder, ...decoders]) {
    one.push(fromText('8=FIX.4.4|9=65000|35=0|'));
    expect(one.next()).toBe('more');
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 20_000);
});

test.each([0, -1, 1_000_000, Number.NaN])('a limit of %d bytes is refused', (maxBodyBytes) => {
  expect(() => new Decoder(fix44(), { maxBodyBytes, maxFields: 10 })).toThrow('maxBodyBytes');
});

test('a message kept with detach outlives the decoder going on', () => {
  const decoder = new Decoder(fix44());
  const lent = Buffer.concat([order, beat]);
  decoder.push(lent);
  decoder.next();
  const kept = decoder.message.detach();
  decoder.next();
  lent.fill(0);
  expect(kept.text(55)).toBe('INTC');
  expect(kept.has(112)).toBe(false);
  expect(toText(kept.raw)).toBe(toText(order));
  expect([...kept.fields()].map(({ tag }) => tag).slice(0, 4)).toEqual([8, 9, 35, 49]);
});

test('ten thousand starts of messages in one piece are skipped in one go', () => {
  const start = fromText('8=FIX.4.4|9=60000|35=0|');
  const seen = decodeAll([Buffer.concat([...new Array(10_000).fill(start), beat])]);
  expect(seen[0]).toContain('garbled');
  expect(seen.length).toBeLessThanOrEqual(2);
});

/** A whole message whose body is longer than the limit of 200 bytes. */
const long = (seq: number) => framed(`35=D|34=${seq}|49=C|56=B|58=${'x'.repeat(5000)}|11=late|`);
const skipping = { maxBodyBytes: 200, maxFields: 64, skipsLonger: true };

test.each([1, 7, 100, 1023, 1024, 1025, 100_000])(
  'a message above the limit is passed over in pieces of %i bytes, and its first fields are told',
  (size) => {
    const stream = Buffer.concat([framed('35=0|34=1|'), long(2), framed('35=0|34=3|')]);
    const decoder = new Decoder(fix44(), skipping);
    const seen: string[] = [];
    for (let at = 0; at < stream.length; at += size) {
      decoder.push(stream.subarray(at, at + size));
      for (let step = decoder.next(); step !== 'more'; step = decoder.next()) {
        const { index, msgType } = decoder.message;
        seen.push(
          step === 'message' ? `${msgType} ${decoder.message.int(34)} ${index.fault}` : step,
        );
        expect(decoder.message.raw.length).toBeLessThan(1_100);
        expect(decoder.message.has(11)).toBe(false);
      }
    }
    expect(seen).toEqual(['0 1 undefined', 'D 2 tooLong', '0 3 undefined']);
  },
);

test('a message above the limit that does not end as it says is garbled, and the next one is found', () => {
  const bytes = Buffer.from(long(2));
  bytes[bytes.length - 2] = bytes[bytes.length - 2] === 48 ? 49 : 48;
  const seen = decodeAll([bytes, framed('35=0|34=3|')], skipping);
  expect(seen).toHaveLength(2);
  expect(seen[0]).toContain('garbled: the BodyLength of a message');
  expect(seen[1]).toContain('34=3');
});
