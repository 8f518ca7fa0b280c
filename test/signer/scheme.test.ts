import { expect, test } from 'vitest';
import { nobleEcdsa } from '../../src/signer/ecdsa.ts';
import {
  addressOf,
  type Scheme,
  schemes,
  signatureOf,
  signedDigest,
  signerOf,
} from '../../src/signer/scheme.ts';
import { sandboxSigningContract } from './sandbox-contract.ts';

const { signing } = sandboxSigningContract;
const ecdsa = nobleEcdsa();
const key = Buffer.from('4646464646464646464646464646464646464646464646464646464646464646', 'hex');
const address = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f';
const hash = new Uint8Array(32).fill(3);

function sign(contract: typeof signing, scheme: Scheme) {
  return signatureOf(contract, scheme, ecdsa.sign(signedDigest(scheme, hash), key));
}

test('an address is the one that Ethereum derives from the key', () => {
  expect(addressOf(ecdsa.publicKey(key))).toBe(address);
});

test('an address stays the same when more keys came by than are remembered', () => {
  const keys = Array.from({ length: 1100 }, (_, index) => {
    const publicKey = new Uint8Array(65);
    new DataView(publicKey.buffer).setUint32(61, index);
    return publicKey;
  });
  const addresses = keys.map(addressOf);
  expect(new Set(addresses).size).toBe(keys.length);
  expect(keys.map(addressOf)).toEqual(addresses);
});

test.each(schemes)('R11 R12: the signer of a signature by %s is recovered', (scheme) => {
  const signature = sign(signing, scheme);
  expect(signature.scheme).toBe(signing.schemes[scheme]);
  expect(signature.bytes).toHaveLength(65);
  expect(signerOf(signing, ecdsa, hash, signature)).toEqual({ address });
  const other = signerOf(signing, ecdsa, new Uint8Array(32), signature);
  expect(other).not.toEqual({ address });
});

test('R12: the two schemes sign different digests', () => {
  const [raw, personal] = schemes.map((scheme) => sign(signing, scheme).bytes);
  expect(raw).not.toEqual(personal);
});

test('R11: v 27 and 28 are taken like 0 and 1, and sent where the profile says so', () => {
  const later = { ...signing, vEncoding: '27/28' as const };
  const signature = sign(later, 'ecdsa');
  expect([27, 28]).toContain(signature.bytes[64]);
  expect(signerOf(signing, ecdsa, hash, signature)).toEqual({ address });
});

test.each([
  ['an unknown scheme', { scheme: 'Schnorr' }, 'no signature scheme Schnorr'],
  ['a short signature', { bytes: new Uint8Array(64) }, '65 bytes, not 64'],
  ['a v of 2', { bytes: changed(64, () => 2) }, 'v is 2'],
  ['a v of 29', { bytes: changed(64, () => 29) }, 'v is 29'],
  ['zeros', { bytes: new Uint8Array(65) }, 's is not in the lower half'],
])('R12: %s is refused with the reason', (_what, fault, problem) => {
  const signature = { ...sign(signing, 'ecdsa'), ...fault };
  const refused = signerOf(signing, ecdsa, hash, signature);
  expect('problem' in refused && refused.problem).toContain(problem);
});

test('G13: the high-s twin is refused, or taken where the profile allows it', () => {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const { scheme, bytes } = sign(signing, 'ecdsa');
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32, 64)).toString('hex')}`);
  const twin = Uint8Array.from(bytes);
  twin.set(Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex'), 32);
  twin[64] = 1 - (bytes[64] ?? 0);
  const refused = { problem: 's is not in the lower half' };
  expect(signerOf(signing, ecdsa, hash, { scheme, bytes: twin })).toEqual(refused);
  const loose = { ...signing, requireLowS: false };
  expect(signerOf(loose, ecdsa, hash, { scheme, bytes: twin })).toEqual({ address });
});

function changed(index: number, to: (byte: number) => number): Uint8Array {
  const { bytes } = sign(signing, 'ecdsa');
  bytes[index] = to(bytes[index] ?? 0);
  return bytes;
}
