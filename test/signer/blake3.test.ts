import { expect, test } from 'vitest';
import { agrees, type Blake3, fastestBlake3, referenceBlake3 } from '../../src/signer/blake3.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('the reference gives the published hash of nothing', () => {
  expect(hex(referenceBlake3(new Uint8Array()))).toBe(
    'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262',
  );
});

test('the accelerated hash agrees with the reference', async () => {
  const { blake3 } = await fastestBlake3();
  expect(blake3).not.toBe(referenceBlake3);
  expect(agrees(blake3)).toBe(true);
});

test('it proves itself once in the life of a process', async () => {
  expect((await fastestBlake3()).blake3).toBe((await fastestBlake3()).blake3);
});

test('an implementation that differs at one length only is not taken', () => {
  const faulty: Blake3 = (bytes) => {
    const hash = referenceBlake3(bytes);
    if (bytes.length === 1025) hash[31] = (hash[31] ?? 0) ^ 1;
    return hash;
  };
  expect(agrees(referenceBlake3)).toBe(true);
  expect(agrees(faulty)).toBe(false);
});

test('a hash stays as it was when the next one is made', async () => {
  const { blake3 } = await fastestBlake3();
  const first = blake3(Uint8Array.of(1));
  const kept = hex(first);
  blake3(Uint8Array.of(2));
  expect(hex(first)).toBe(kept);
});
