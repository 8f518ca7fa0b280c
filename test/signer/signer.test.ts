import { expect, test } from 'vitest';
import {
  doubtfulRefusals,
  passingRefusals,
  refusal,
  signRefusals,
} from '../../src/signer/signer.ts';

test('a bridge of another version reads the same codes: their order never changes, and new ones come last', () => {
  expect(signRefusals.slice(0, 10)).toEqual([
    'unreadable',
    'policy',
    'rate',
    'expired',
    'paused',
    'other_digest',
    'nonce_too_old',
    'not_recorded',
    'unavailable',
    'unanswered',
  ]);
  expect(new Set(signRefusals).size).toBe(signRefusals.length);
});

test('what only the action or a person can change does not pass by itself', () => {
  const lasting = signRefusals.filter((code) => !passingRefusals.has(code));
  expect(lasting).toEqual(['unreadable', 'policy', 'expired', 'other_digest', 'nonce_too_old']);
});

test('after a request that may have been recorded another try is needed, so each such refusal passes', () => {
  expect(doubtfulRefusals.size).toBe(2);
  for (const code of doubtfulRefusals) expect(passingRefusals).toContain(code);
});

test('a refusal has its code and its text', () => {
  expect(refusal('rate', 'too many')).toEqual({ kind: 'refused', code: 'rate', text: 'too many' });
});
