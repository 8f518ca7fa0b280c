import { expect, test } from 'vitest';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { CanonicalReader } from '../../src/signer/canonical-reader.ts';
import { Derivation, newOrders } from '../../src/signer/digest.ts';
import type { SigningContract } from '../../src/signer/signing-contract.ts';
import { sandboxSigningContract as contract } from './sandbox-contract.ts';
import { vector, vectors } from './signed-action-samples.ts';

const derivation = new Derivation(contract, referenceBlake3);
const bytes = (name: string) => Buffer.from(vector(name).canonical);
const hex = (hash: Uint8Array) => `0x${Buffer.from(hash).toString('hex')}`;
const orders = (name: string) =>
  newOrders(derivation, new CanonicalReader(contract).read(bytes(name)), bytes(name));

test.each(vectors)(
  'R7: the signing hash of $name is that of part F',
  ({ canonical, actionHash }) => {
    expect(hex(derivation.actionHash(Buffer.from(canonical)))).toBe(actionHash);
  },
);

test('R8: a place order has the derived order id of part F', () => {
  for (const name of ['V1', 'V2', 'V3']) {
    expect(orders(name)).toEqual({ kind: 'order', orderId: vector(name).orderId });
  }
  expect(orders('V4')).toEqual({ kind: 'none' });
  expect(orders('V5')).toEqual({ kind: 'none' });
});

test('R3: client_order_id changes the hash and the order id', () => {
  expect(vector('V1').actionHash).not.toBe(vector('V2').actionHash);
  expect(vector('V1').orderId).not.toBe(vector('V2').orderId);
});

test('R9: legs have the child ids of part F, and none where they only cancel', () => {
  expect(orders('V6')).toEqual({ kind: 'legs', legIds: vector('V6').legIds });
  expect(orders('V7')).toEqual({ kind: 'legs', legIds: vector('V7').legIds });
  expect(vector('V7').legIds?.[2]).toBeNull();
});

test('R9: the rule for child ids is data of the profile', () => {
  const encodings = ['u32le', 'u32be', 'u64le', 'u64be', 'ascii'] as const;
  const ids = [0, 1].flatMap((base) =>
    encodings.map((encoding) => {
      const orderId: SigningContract['orderId'] = { ...contract.orderId, leg: { base, encoding } };
      return new Derivation({ ...contract, orderId }, referenceBlake3).legOrderId(bytes('V6'), 0);
    }),
  );
  expect(ids[0]).toBe(vector('V6').legIds?.[0]);
  // With index 0 both byte orders of one width are the same four or eight zeros.
  expect(new Set(ids).size).toBe(ids.length - 2);
});

test('R18: a later domain is configured, not coded', () => {
  const domains = { action: '{NAME}/ACTION_PAYLOAD/v2', orderId: '{NAME}/ORDER_ID/v2' };
  const next = { ...contract, signing: { ...contract.signing, domains } };
  const hash = new Derivation(next, referenceBlake3).actionHash(bytes('V1'));
  const expected = referenceBlake3(
    Buffer.concat([Buffer.from('SANDBOX/ACTION_PAYLOAD/v2'), bytes('V1')]),
  );
  expect(hex(hash)).toBe(hex(expected));
});

test('G15: a fired order is derived from its own envelope', () => {
  const nested = new CanonicalReader(contract).read(bytes('V1'));
  expect(derivation.triggeredOrderId(nested)).toBe(vector('V1').orderId);
});
