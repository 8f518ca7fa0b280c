/** The pace of an account by the venue's word (contract A.18.6). */
import { expect, test } from 'vitest';
import { Pacer } from '../../src/venue/pacer.ts';

const headers = (limit: number, remaining: number, resetMs: number) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset-ms': String(resetMs),
});

test('R40: with Remaining 0 nothing goes before Reset-Ms has passed', () => {
  const pacer = new Pacer();
  pacer.sent('a');
  pacer.answered('a', headers(50, 0, 800), 1000);
  expect(pacer.readyAtMs('a', 'cancel', 1000)).toBe(1800);
  expect(pacer.readyAtMs('a', 'place', 1799)).toBe(1800);
  expect(pacer.readyAtMs('a', 'place', 1800)).toBe(1800);
  expect(pacer.readyAtMs('b', 'place', 1000)).toBe(1000);
});

test('R40: an answer that was overtaken by one with Remaining 0 does not end the wait', () => {
  const pacer = new Pacer();
  for (let count = 0; count < 2; count += 1) pacer.sent('a');
  pacer.answered('a', headers(50, 0, 800), 1000);
  pacer.answered('a', headers(50, 40, 700), 1001);
  expect(pacer.readyAtMs('a', 'cancel', 1001)).toBe(1800);
  expect(pacer.readyAtMs('a', 'place', 1800)).toBe(1800);
});

test('what is in flight counts against what remains', () => {
  const pacer = new Pacer();
  for (let count = 0; count < 3; count += 1) pacer.sent('a');
  pacer.answered('a', headers(5, 2, 500), 0);
  expect(pacer.readyAtMs('a', 'cancel', 0)).toBe(500);
});

test('R137: the last tenth of a window is for cancels', () => {
  const pacer = new Pacer();
  pacer.sent('a');
  pacer.answered('a', headers(50, 5, 600), 0);
  expect(pacer.readyAtMs('a', 'place', 0)).toBe(600);
  expect(pacer.readyAtMs('a', 'cancel', 0)).toBe(0);
});

test('a 429 of the account holds the account, that of the edge holds all', () => {
  const pacer = new Pacer();
  pacer.block('a', 700);
  expect(pacer.readyAtMs('a', 'cancel', 0)).toBe(700);
  expect(pacer.readyAtMs('b', 'cancel', 0)).toBe(0);
  pacer.blockAll(900);
  pacer.blockAll(300);
  expect(pacer.readyAtMs('b', 'cancel', 0)).toBe(900);
});

test('headers that are missing or no numbers change nothing, and a reset has a bound', () => {
  const pacer = new Pacer();
  pacer.answered('a', { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset-ms': 'x' }, 0);
  expect(pacer.readyAtMs('a', 'place', 5)).toBe(5);
  pacer.answered('a', headers(10, 0, 999_999_999), 0);
  expect(pacer.readyAtMs('a', 'cancel', 0)).toBe(3_600_000);
});
