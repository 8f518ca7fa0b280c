import { expect, test } from 'vitest';
import { hex, idsOf } from '../../src/sandbox/ids.ts';
import { referenceBlake3 } from '../../src/signer/blake3.ts';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import { loadProfile, type Profile } from '../../src/venue/profile.ts';
import { signatureOf } from './client.ts';

const profile = loadProfile('dictionaries/venue.sandbox.yaml');
const ecdsa = nobleEcdsa();

function idsWith(change: Partial<Profile>) {
  return idsOf({ ...profile, ...change }, referenceBlake3, ecdsa);
}

const hashOf = (...parts: readonly (string | Buffer)[]) =>
  hex(referenceBlake3(Buffer.concat(parts.map((part) => Buffer.from(part)))));

test.each([
  ['u32le', 0, 3, '03000000'],
  ['u32be', 0, 3, '00000003'],
  ['u64le', 0, 3, '0300000000000000'],
  ['u64be', 0, 3, '0000000000000003'],
  ['ascii', 0, 12, '3132'],
  ['u32be', 1, 0x01020303, '01020304'],
  ['u64le', 1, 0, '0100000000000000'],
  ['ascii', 1, 9, '3130'],
] as const)(
  'R9: a child is named by its index as %s counted from %i: %i is written %s',
  (encoding, base, index, bytes) => {
    const rule = { base, encoding };
    const other = { base: 7, encoding: 'ascii' } as const;
    const named = hashOf('SANDBOX/ORDER_ID/v1{}', Buffer.from(bytes, 'hex'));
    expect(idsWith({ orderId: { leg: rule, algoChild: other } }).legId('{}', index)).toBe(named);
    expect(idsWith({ orderId: { leg: other, algoChild: rule } }).sliceId('{}', index)).toBe(named);
  },
);

test('an action, its order and what else an owner signs have domains of their own', () => {
  const ids = idsWith({});
  expect(hex(ids.actionHash('{}'))).toBe(hashOf('SANDBOX/ACTION_PAYLOAD/v1{}'));
  expect(ids.orderId('{}')).toBe(hashOf('SANDBOX/ORDER_ID/v1{}'));
  expect(hex(ids.hashOf('ACCOUNT', '{}'))).toBe(hashOf('SANDBOX/ACCOUNT/v1{}'));
});

test('a signature names its signer by either scheme, and nobody if it is not one', () => {
  const ids = idsWith({});
  const hash = ids.actionHash('{}');
  const signed = (scheme: 'ecdsa' | 'eip191') =>
    Uint8Array.from(signatureOf('{}', '11'.repeat(32), scheme).bytes);
  const [raw, personal] = [signed('ecdsa'), signed('eip191')];
  // The address of the key 0x11…11, known from elsewhere.
  const address = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a';
  expect(ids.signer(hash, { scheme: 'ecdsa', bytes: raw })).toBe(address);
  expect(ids.signer(hash, { scheme: 'eip191', bytes: personal })).toBe(address);
  expect(ids.signer(hash, { scheme: 'eip191', bytes: raw })).not.toBe(address);
  expect(ids.signer(hash, { scheme: 'ecdsa', bytes: new Uint8Array(65) })).toBeUndefined();
});
