import { expect, test } from 'vitest';
import { isTradeOf } from '../../src/dropcopy/trade-criteria.ts';
import { reports } from './copies.ts';

const [, trade] = reports(1);
const atMs = trade!.transactTimeMs;
const all = {
  symbol: null,
  side: null,
  orderId: null,
  clOrdId: null,
  execId: null,
  fromMs: null,
  toMs: null,
};

test.each([
  ['begins', { fromMs: atMs }, true],
  ['begins a millisecond later', { fromMs: atMs + 1 }, false],
  ['ends', { toMs: atMs }, true],
  ['ends a millisecond earlier', { toMs: atMs - 1 }, false],
  ['is that one millisecond', { fromMs: atMs, toMs: atMs }, true],
])('a trade in the very millisecond in which a query %s', (_, times, isIn) => {
  expect(isTradeOf({ ...all, ...times }, trade!)).toBe(isIn);
});
