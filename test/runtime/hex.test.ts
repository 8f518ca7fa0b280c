import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hexOf } from '../../src/runtime/hex.ts';

test('each byte is two lower-case digits, in order', () => {
  expect(hexOf(Uint8Array.of(0, 1, 0x0a, 0xab, 0xff))).toBe('00010aabff');
  expect(hexOf(new Uint8Array(0))).toBe('');
});

test('a view shows its own bytes, and none of those around it', () => {
  const part = fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(40), fc.nat(40));
  fc.assert(
    fc.property(part, ([bytes, from, to]) => {
      const view = bytes.subarray(from, to);
      expect(hexOf(view)).toHaveLength(view.length * 2);
      expect([...Buffer.from(hexOf(view), 'hex')]).toEqual([...view]);
    }),
  );
});
