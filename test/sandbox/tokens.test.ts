import { expect, test } from 'vitest';
import { Tokens } from '../../src/sandbox/tokens.ts';

test('R70: a token speaks for its account until it expires', () => {
  const tokens = new Tokens(1);
  const { expiresAtMs, token } = tokens.issue('0xa', 500, 1000);
  expect(expiresAtMs).toBe(1500);
  expect([tokens.account(token, 1499), tokens.account(token, 1500)]).toEqual(['0xa', undefined]);
  expect(tokens.account(token, 1000)).toBeUndefined();
  expect(tokens.account('spt_nobody', 0)).toBeUndefined();
});

test('tokens follow from the seed, differ from each other and are bounded in number', () => {
  const [one, same, other] = [new Tokens(1), new Tokens(1), new Tokens(2)];
  const first = one.issue('0xa', 1000, 0).token;
  expect(same.issue('0xb', 1000, 0).token).toBe(first);
  expect(other.issue('0xa', 1000, 0).token).not.toBe(first);
  for (let count = 0; count < 10_000; count += 1) one.issue('0xa', 1000, 0);
  expect(one.account(first, 0)).toBeUndefined();
});
