import fc from 'fast-check';
import { expect, test } from 'vitest';
import { venueClientOrderId } from '../../src/signer/client-order-id.ts';
import { signingContractSchema } from '../../src/signer/signing-contract.ts';
import { sandboxSigningContract } from './sandbox-contract.ts';

const rule = sandboxSigningContract.clientOrderId;

test('a ClOrdID of the venue alphabet is sent as it is', () => {
  expect(venueClientOrderId(rule, 'S', 'ORD-1')).toBe('ORD-1');
  expect(venueClientOrderId(rule, 'S', 'x'.repeat(36))).toBe('x'.repeat(36));
});

test('anything else is sent as a digest that the pattern takes, distinct for each session', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (clOrdId) => {
      const id = venueClientOrderId(rule, 'S', clOrdId);
      expect(id).toMatch(new RegExp(rule.pattern));
    }),
  );
  const long = 'x'.repeat(37);
  expect(venueClientOrderId(rule, 'S', long)).toHaveLength(32);
  expect(venueClientOrderId(rule, 'S', long)).toBe(venueClientOrderId(rule, 'S', long));
  expect(venueClientOrderId(rule, 'S', long)).not.toBe(venueClientOrderId(rule, 'T', long));
  expect(venueClientOrderId(rule, 'ab', 'c c')).not.toBe(venueClientOrderId(rule, 'a', 'bc c'));
});

test('quotes and backslashes never reach the signed bytes, whatever the pattern allows', () => {
  const loose = { pattern: '^.{1,64}$', send: 'always' } as const;
  expect(venueClientOrderId(loose, 'S', 'a"b')).toMatch(/^[a-z2-7]{32}$/);
});

test('a profile that sends none gets none', () => {
  expect(venueClientOrderId({ ...rule, send: 'never' }, 'S', 'ORD-1')).toBeUndefined();
});

test('a pattern that takes no digest is an error that names it', () => {
  const narrow = { pattern: '^[0-9]{1,4}$', send: 'always' } as const;
  expect(() => venueClientOrderId(narrow, 'S', 'ORD-1')).toThrow('clientOrderId.pattern');
});

test.each([
  ['^[0-9]{1,20}$', 'always', false],
  ['^[A-Za-z0-9]{1,31}$', 'always', false],
  ['^[A-Z2-7]+$', 'always', false],
  ['^[', 'always', false],
  ['^[a-z2-7]{32}$', 'always', true],
  ['^[0-9]{1,20}$', 'never', true],
] as const)('a profile with the pattern %s, send: %s, may be used: %s', (pattern, send, isGood) => {
  const contract = { ...sandboxSigningContract, clientOrderId: { pattern, send } };
  expect(signingContractSchema.safeParse(contract).success).toBe(isGood);
});
