import { expect, test } from 'vitest';
import {
  maxProofs,
  type PasswordProof,
  PasswordProofs,
  passwordProof,
} from '../../../src/gateway/passwords/password-proofs.ts';
import {
  hashSecret,
  lightCost,
  parseSecretHash,
  type SecretHash,
} from '../../../src/gateway/passwords/secret-hash.ts';

const hashOf = (password: string) => parseSecretHash(hashSecret(password, lightCost)) as SecretHash;
const hash = hashOf('right');

test('a password that was right is accepted again, also by a process that got the proof, and no other password is', () => {
  const told: PasswordProof[] = [];
  const [here, elsewhere] = [new PasswordProofs((proof) => told.push(proof)), new PasswordProofs()];
  expect(here.has('right', hash)).toBe(false);
  here.add('right', hash);
  elsewhere.take(told.map((proof) => passwordProof.parse(JSON.parse(JSON.stringify(proof)))));
  for (const proofs of [here, elsewhere]) {
    expect(proofs.has('right', hash)).toBe(true);
    expect(proofs.has('wrong', hash)).toBe(false);
  }
  expect(elsewhere.all).toEqual(told);
});

test('a proof is worth nothing for the same password under a new hash', () => {
  const proofs = new PasswordProofs();
  proofs.add('right', hash);
  expect(proofs.has('right', hashOf('right'))).toBe(false);
});

test('a proof cannot be made or tested without the stored hash, and contains neither hash nor password', () => {
  const proofs = new PasswordProofs();
  proofs.add('right', hash);
  const text = JSON.stringify(proofs.all);
  for (const secret of ['right', hash.hash.toString('hex'), hash.salt.toString('hex')])
    expect(text).not.toContain(secret);
  // Somebody who knows the name of the stored hash, from another proof, but not the hash.
  const [known] = proofs.all;
  const other = hashOf('guess');
  const forger = new PasswordProofs();
  forger.add('guess', other);
  const forged = forger.all.map((proof) => ({ ...proof, of: known?.of ?? '' }));
  proofs.take(forged);
  expect(proofs.has('guess', hash)).toBe(false);
});

test('a process that got a wrong proof checks the password as before', () => {
  const proofs = new PasswordProofs();
  proofs.add('right', hash);
  proofs.take(proofs.all.map((proof) => ({ ...proof, mac: '0'.repeat(64) })));
  expect(proofs.has('right', hash)).toBe(false);
  proofs.add('right', hash);
  expect(proofs.has('right', hash)).toBe(true);
});

test('the oldest proofs are forgotten beyond the bound', () => {
  const proofs = new PasswordProofs();
  proofs.add('right', hash);
  const named = (count: number) => count.toString(16).padStart(64, '0');
  const rest = { salt: '0'.repeat(32), mac: '0'.repeat(64) };
  proofs.take(Array.from({ length: maxProofs }, (_, count) => ({ of: named(count), ...rest })));
  expect(proofs.all).toHaveLength(maxProofs);
  expect(proofs.has('right', hash)).toBe(false);
});
