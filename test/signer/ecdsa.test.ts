import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Ecdsa, faultOf, hasLowS, nobleEcdsa, openEcdsa } from '../../src/signer/ecdsa.ts';
import { knownAnswers } from '../../src/signer/known-answers.ts';

const noble = nobleEcdsa();
const key = new Uint8Array(32).fill(7);
const digest = new Uint8Array(32).fill(9);

test.each(['noble', 'secp256k1'] as const)(
  'the %s backend gives the reference bytes, low s and v 0 or 1',
  async (name) => {
    const backend = await openEcdsa(name);
    expect(backend.name).toBe(name);
    const signatures = Array.from({ length: 16 }, () => backend.sign(randomBytes(32), key));
    expect(signatures.every((signature) => hasLowS(signature))).toBe(true);
    expect(new Set(signatures.map((signature) => signature[64]))).toEqual(new Set([0, 1]));
    expect(backend.sign(digest, key)).toEqual(noble.sign(digest, key));
  },
);

test('the known answers are those of the reference', () => {
  for (const { digest: hash, publicKey, secret, signature } of knownAnswers) {
    expect(noble.sign(hash, secret)).toEqual(new Uint8Array(signature));
    expect(noble.publicKey(secret)).toEqual(new Uint8Array(publicKey));
  }
});

test('both backends give the same bytes for random digests and keys', async () => {
  const native = await openEcdsa('secp256k1');
  for (let index = 0; index < 32; index += 1) {
    const [hash, secret] = [randomBytes(32), randomBytes(32)];
    expect(native.sign(hash, secret)).toEqual(noble.sign(hash, secret));
  }
});

test('a backend proves itself once in the life of a process', async () => {
  expect(await openEcdsa('secp256k1')).toBe(await openEcdsa('secp256k1'));
});

test.each([
  ['signature', { sign: flip(noble.sign) }],
  ['public key', { publicKey: (secret: Uint8Array) => noble.publicKey(secret).subarray(0, 33) }],
  ['recovery', { recover: () => undefined }],
  ['s above half the order', { sign: highForOthers }],
  ['recovery of its own signature', { publicKey: wrongForOthers }],
  ['recovery from zeros', { recover: zeroBlind }],
] as const)('a backend with a wrong %s is not used', (what, fault) => {
  expect(faultOf({ ...noble, ...fault } as Ecdsa)).toContain(what);
});

test('a signature that nobody made recovers to nobody', async () => {
  for (const name of ['noble', 'secp256k1'] as const) {
    const backend = await openEcdsa(name);
    expect(backend.recover(digest, new Uint8Array(65).fill(255))).toBeUndefined();
    expect(backend.recover(digest, new Uint8Array(65))).toBeUndefined();
  }
});

/** Gives the known answers, and a key that it does not know from them is wrong. */
function wrongForOthers(secret: Uint8Array): Uint8Array {
  const known = knownAnswers.find((each) => Buffer.compare(each.secret, secret) === 0);
  return known?.publicKey ?? noble.publicKey(key);
}

function highForOthers(hash: Uint8Array, secret: Uint8Array): Uint8Array {
  const isKnown = knownAnswers.some((each) => Buffer.compare(each.digest, hash) === 0);
  return isKnown ? noble.sign(hash, secret) : new Uint8Array(65).fill(0xff);
}

function flip(signWith: Ecdsa['sign']): Ecdsa['sign'] {
  return (hash, secret) => {
    const signature = signWith(hash, secret);
    signature[63] = (signature[63] ?? 0) ^ 1;
    return signature;
  };
}

function zeroBlind(hash: Uint8Array, signature: Uint8Array): Uint8Array | undefined {
  return signature.every((byte) => byte === 0)
    ? new Uint8Array(65)
    : noble.recover(hash, signature);
}
