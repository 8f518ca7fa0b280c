/** The limits of generated classes: what they refuse to write, and bytes that are cut or lie. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Sequence } from '../../src/fixp/generated/sequence.ts';
import { Terminate } from '../../src/fixp/generated/terminate.ts';
import { exampleOf } from '../../src/sbe/example.ts';
import { decodeMessage } from '../../src/sbe/generic-decoder.ts';
import { encodeMessage } from '../../src/sbe/generic-encoder.ts';
import { readSchema } from '../../src/sbe/schema.ts';
import { Everything } from './features/big/everything.ts';

const features = readSchema(
  readFileSync(join(import.meta.dirname, 'features/features.xml'), 'utf8'),
);
const space = Buffer.alloc(4096);

describe('writing', () => {
  const everything = () => new Everything().encode(space);
  const refused: [string, () => unknown, string][] = [
    ['int8 above', () => everything().setI8(128), 'Everything.I8 cannot be 128'],
    ['int8 below', () => everything().setI8(-129), 'Everything.I8 cannot be -129'],
    ['a fraction', () => everything().setI32(1.5), 'Everything.I32 cannot be 1.5'],
    ['not a number', () => everything().setU32(Number.NaN), 'Everything.U32 cannot be NaN'],
    ['uint32 above', () => everything().setU32(2 ** 32), 'Everything.U32 cannot be 4294967296'],
    ['uint64 below', () => everything().setU64(-1), 'Everything.U64 cannot be -1'],
    [
      'beyond 2^53',
      () => everything().setI64(2 ** 53),
      'Everything.I64 cannot be 9007199254740992',
    ],
    [
      'a bigint above',
      () => everything().setU64Big(2n ** 64n),
      'Everything.U64 cannot be 18446744073709551616',
    ],
    [
      'the null of an optional field',
      () => everything().setOptU8(255),
      'Everything.OptU8 cannot be 255',
    ],
    [
      'above the maximum of the schema',
      () => everything().setPercent(101),
      'Everything.Percent cannot be 101',
    ],
    [
      'below the minimum, as bigint',
      () => everything().setNearBig(-11n),
      'Everything.Near cannot be -11',
    ],
    ['a float above the maximum', () => everything().setCold(0.5), 'Everything.Cold cannot be 0.5'],
    [
      'text that is too long',
      () => everything().setAscii('1234567'),
      'Everything.Ascii cannot be text of 7 bytes',
    ],
    [
      'text of another alphabet',
      () => everything().setAscii('é'),
      'Everything.Ascii cannot be "é"',
    ],
    [
      'UTF-8 that is too long',
      () => everything().setUtf('éééééé1'),
      'Everything.Utf cannot be text of 13 bytes',
    ],
    [
      'octets of another length',
      () => everything().setUuid(new Uint8Array(15)),
      'Everything.Uuid cannot be 15 bytes',
    ],
    [
      'an index beyond the array',
      () => everything().setShorts(3, 0),
      'the index of Everything.Shorts cannot be 3',
    ],
    [
      'a message beyond its space',
      () => new Everything().encode(Buffer.alloc(379)),
      'no room for Everything',
    ],
    [
      'a version to come',
      () => new Everything().encode(space, 0, 3),
      'Everything is not in version 3',
    ],
  ];
  test.each(refused)('%s is refused', (_, write, error) => {
    expect(write).toThrow(error);
  });

  test('nothing of an earlier message shows through', () => {
    space.fill(0xee);
    const blank = Buffer.from(new Everything().encode(space).bytes);
    expect(blank.includes(0xee)).toBe(false);
    const everything = new Everything();
    everything.wrap(blank);
    expect(everything.optU64).toBeUndefined();
    expect(everything.optF64).toBeUndefined();
    expect(everything.zeroIsNull).toBeUndefined();
    expect(everything.minusOneIsNull).toBeUndefined();
    expect(everything.nineIsNull).toBeUndefined();
    expect(everything.optSide).toBeUndefined();
    expect(everything.latin).toBeUndefined();
    expect(everything.optHash).toBeUndefined();
  });

  test('null is written again over a value', () => {
    const everything = new Everything().encode(space);
    everything
      .setOptI64(5)
      .setOptI64(undefined)
      .setMinusOneIsNullBig(9n)
      .setMinusOneIsNullBig(undefined);
    everything
      .setLatin('é')
      .setLatin(undefined)
      .setOptHash(new Uint8Array(4))
      .setOptHash(undefined);
    const { optI64, minusOneIsNullBig, latin, optHash } = everything;
    expect([optI64, minusOneIsNullBig, latin, optHash]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('reading', () => {
  test('a number beyond 2^53 throws, and is there as bigint', () => {
    const bytes = new Sequence().encode(space).setNextSeqNoBig(2n ** 53n).bytes;
    const sequence = new Sequence();
    expect(sequence.wrap(bytes)).toBeUndefined();
    expect(() => sequence.nextSeqNo).toThrow(
      'Sequence.NextSeqNo is beyond 2^53: read it as bigint',
    );
    expect(sequence.nextSeqNoBig).toBe(2n ** 53n);
  });

  test('the halves of a 64-bit number are there where they were asked for', () => {
    const everything = new Everything().encode(space).setU64Halves(0x20_0000, 7);
    expect([everything.u64High, everything.u64Low]).toEqual([0x20_0000, 7]);
    expect(everything.u64Big).toBe(2n ** 53n + 7n);
    expect('nextSeqNoHigh' in new Sequence()).toBe(false);
  });

  test('the header of another message is refused', () => {
    const { bytes } = new Sequence().encode(space);
    expect(new Terminate().wrap(bytes)).toBe('the header is not that of Terminate');
  });

  test.each(features.messages)(
    '$name cut anywhere is refused as the generic codec does',
    async (message) => {
      const whole = encodeMessage(features, { message: message.name, fields: exampleOf(message) });
      const folder = './features/big';
      const module = await import(`${folder}/${message.name.toLowerCase()}.ts`);
      const object = new module[message.name]();
      for (let end = 0; end < whole.length; end += 1) {
        const fault = object.wrap(whole, 0, end);
        expect(fault, `cut at ${end}`).toBeTypeOf('string');
        if (end >= features.header.size) expect(decodeMessage(features, whole, 0, end)).toBe(fault);
      }
      expect(object.wrap(whole)).toBeUndefined();
    },
  );
});
