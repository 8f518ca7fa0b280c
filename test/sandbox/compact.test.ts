import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CompactAction, CompactError, decodeCompact } from '../../src/sandbox/compact.ts';
import { encodeCompact } from './encode-compact.ts';

const batch = fc.record({
  idempotencyKey: fc.stringMatching(/^[ -~]{0,40}$/),
  actions: fc.array(
    fc.record({
      canonical: fc.uint8Array({ maxLength: 400 }),
      scheme: fc.constantFrom('ecdsa' as const, 'eip191' as const),
      signature: fc.uint8Array({ minLength: 65, maxLength: 65 }),
    }),
    { maxLength: 5 },
  ),
});

test('decoding is the inverse of encoding', () => {
  fc.assert(
    fc.property(batch, (value) => {
      const decoded = decodeCompact(encodeCompact(value), 5);
      expect(decoded.idempotencyKey).toBe(value.idempotencyKey);
      const plain = ({ canonical, scheme, signature }: CompactAction) => [
        scheme,
        Buffer.from(canonical).toString('hex'),
        Buffer.from(signature).toString('hex'),
      ];
      expect(decoded.actions.map(plain)).toEqual(value.actions.map(plain));
    }),
  );
});

test('any other bytes give a CompactError and nothing else', () => {
  fc.assert(
    fc.property(batch, fc.nat(), fc.nat(255), fc.nat(), (value, at, byte, cut) => {
      const bytes = encodeCompact(value);
      bytes[at % bytes.length] = byte;
      try {
        decodeCompact(bytes.subarray(0, cut % (bytes.length + 1)), 5);
      } catch (error) {
        expect(error).toBeInstanceOf(CompactError);
      }
    }),
  );
});

test('the layout is the one of contract G26', () => {
  const bytes = encodeCompact({
    idempotencyKey: 'k',
    actions: [
      { canonical: Buffer.from('{}'), scheme: 'eip191', signature: new Uint8Array(65).fill(7) },
    ],
  });
  expect(bytes.toString('hex')).toBe(`534f45420100000001006b0100020000007b7d02${'07'.repeat(65)}`);
});

test('a count beyond the limit is refused before its actions are read', () => {
  const bytes = encodeCompact({ idempotencyKey: '', actions: [] });
  bytes.writeUInt16LE(65_535, bytes.length - 2);
  expect(() => decodeCompact(bytes, 32)).toThrow('65535 actions, at most 32');
});
