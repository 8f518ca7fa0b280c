import { expect, test } from 'vitest';
import {
  decoyOf,
  hashSecret,
  isCheaperThanNew,
  isSecret,
  lightCost,
  parseSecretHash,
} from '../../../src/gateway/passwords/secret-hash.ts';

function parsed(text: string) {
  const hash = parseSecretHash(text);
  if (hash === undefined) throw new Error(`no hash: ${text}`);
  return hash;
}

test('a secret is known again by its hash, another is not', async () => {
  const hash = parsed(hashSecret('correct horse', lightCost));
  expect(isSecret('correct horse', hash)).toBe(true);
  expect(isSecret('correct horsf', hash)).toBe(false);
  expect(isSecret('', hash)).toBe(false);
});

test('the same secret has another hash each time, and the hash does not hold it', () => {
  const hashes = [hashSecret('s3cret', lightCost), hashSecret('s3cret', lightCost)];
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

test('a new hash takes the memory that it should, and is known again', async () => {
  const text = hashSecret('correct horse');
  expect(text).toMatch(/^scrypt\$131072\$8\$1\$/);
  const hash = parsed(text);
  expect(isSecret('correct horse', hash)).toBe(true);
  expect(isCheaperThanNew(hash)).toBe(false);
  expect(isCheaperThanNew(parsed(hashSecret('correct horse', lightCost)))).toBe(true);
});

test('a decoy costs as much as the costliest hash, and nothing where nobody has a password', () => {
  const light = parsed(hashSecret('one', lightCost));
  const dear = { ...light, N: 2 * light.N };
  expect(decoyOf([light, dear, light])).toMatchObject({ N: dear.N, r: dear.r, p: dear.p });
  expect(decoyOf([light])?.hash.equals(light.hash)).toBe(false);
  expect(decoyOf([])).toBeUndefined();
});

test('what cannot be computed is not right', async () => {
  const hash = { ...parsed(hashSecret('correct horse', lightCost)), N: 3 };
  expect(isSecret('correct horse', hash)).toBe(false);
});
