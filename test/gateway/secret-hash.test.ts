import { expect, test } from 'vitest';
import { hashSecret, isSecret, parseSecretHash } from '../../src/gateway/secret-hash.ts';

function parsed(text: string) {
  const hash = parseSecretHash(text);
  if (hash === undefined) throw new Error(`no hash: ${text}`);
  return hash;
}

test('a secret is known again by its hash, another is not', async () => {
  const hash = parsed(hashSecret('correct horse'));
  expect(await isSecret('correct horse', hash)).toBe(true);
  expect(await isSecret('correct horsf', hash)).toBe(false);
  expect(await isSecret('', hash)).toBe(false);
});

test('the same secret has another hash each time, and the hash does not hold it', () => {
  const hashes = [hashSecret('s3cret'), hashSecret('s3cret')];
  expect(hashes[0]).not.toBe(hashes[1]);
  expect(hashes.join()).not.toContain('s3cret');
});

test.each([
  ['a plain password', 'correct horse'],
  ['a cost that is no power of two', 'scrypt$4095$8$1$AAAAAAAAAAAAAAAAAAAAAA$'],
  ['a cost that would stall the loop', 'scrypt$65536$64$1$AAAAAAAAAAAAAAAAAAAAAA$'],
  ['a cost that scrypt does not have', 'scrypt$65536$1$1$AAAAAAAAAAAAAAAAAAAAAA$'],
  ['a cost of nothing', 'scrypt$0$8$1$AAAAAAAAAAAAAAAAAAAAAA$'],
])('%s is no hash', (_, text) => {
  expect(parseSecretHash(text.endsWith('$') ? text + 'A'.repeat(43) : text)).toBeUndefined();
});

test('what cannot be computed is not right', async () => {
  const hash = { ...parsed(hashSecret('correct horse')), N: 3 };
  await expect(isSecret('correct horse', hash)).resolves.toBe(false);
});
