/** The totals of a day, which a reader can compute from the messages alone. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ExecutionReport } from '../../src/domain/report.ts';
import { chained, counted, noTotals } from '../../src/dropcopy/copy-totals.ts';
import { reports } from './copies.ts';

const [fresh, trade] = reports(2) as [ExecutionReport, ExecutionReport];
const facts = Buffer.from('17=X');
const symbol = trade.order.instrument.symbol;
const { fill } = trade;
const qty = fill?.qty ?? 0n;
const value = qty * (fill?.price ?? 0n);

test('each copy counts once, and its kind is counted apart', () => {
  let totals = noTotals as Parameters<typeof counted>[0];
  for (const execType of ['new', 'trade', 'trade_cancel', 'trade_correct', 'trade'] as const) {
    totals = counted(totals, { ...trade, execType }, facts);
  }
  expect(totals).toMatchObject({ count: 5, trades: 2, busts: 1, corrections: 1, lost: 0 });
  expect(totals.lastExecId).toBe(trade.execId);
});

test('that an outcome is unknown does not count, like every order status', () => {
  const totals = counted(noTotals, fresh, facts);
  expect(counted(totals, { ...trade, execType: 'order_status' }, facts)).toBe(totals);
});

test('only trades add to the volumes, on the side of their order', () => {
  const bought = counted(noTotals, trade, facts);
  expect(bought.volumes[symbol]).toEqual({
    bought: qty,
    sold: 0n,
    boughtValue: value,
    soldValue: 0n,
    qtyScale: 0,
    valueScale: 0,
  });
  const { order } = trade;
  const sale = { ...trade, order: { ...order, terms: { ...order.terms, side: 'Ask' as const } } };
  const both = counted(counted(bought, sale, facts), sale, facts);
  expect(both.volumes[symbol]).toMatchObject({
    bought: qty,
    sold: 2n * qty,
    soldValue: 2n * value,
  });
  expect(counted(both, { ...trade, execType: 'trade_cancel' }, facts).volumes).toBe(both.volumes);
  expect(counted(noTotals, fresh, facts).volumes).toEqual({});
});

test('the hash is SHA-256 over the hash so far and the facts, so that it depends on all and on their order', () => {
  const first = createHash('sha256').update(Buffer.alloc(32)).update(facts).digest('hex');
  expect(counted(noTotals, fresh, facts).hash).toBe(first);
  const [a, b] = [Buffer.from('a'), Buffer.from('b')];
  expect(chained(chained(first, a), b)).not.toBe(chained(chained(first, b), a));
});

test('the totals before stay as they were', () => {
  counted(noTotals, trade, facts);
  expect(noTotals).toMatchObject({ count: 0, trades: 0, volumes: {} });
});

test('a symbol may be a word that every object has', () => {
  for (const word of ['constructor', '__proto__', 'toString']) {
    const { order } = trade;
    const instrument = { ...order.instrument, symbol: word };
    const totals = counted(noTotals, { ...trade, order: { ...order, instrument } }, facts);
    expect(Object.entries(totals.volumes)).toEqual([
      [word, expect.objectContaining({ bought: qty, boughtValue: value })],
    ]);
  }
});

test('the trades of two markets with one symbol add up as decimals, whatever their scales', () => {
  const { instrument } = trade.order;
  const inMarket = (qtyScale: number): ExecutionReport => ({
    ...trade,
    order: {
      ...trade.order,
      instrument: { ...instrument, market: { ...instrument.market, qtyScale } },
    },
  });
  for (const scales of [
    [2, 0, 1],
    [0, 1, 2],
  ]) {
    const totals = scales.reduce((sum, scale) => counted(sum, inMarket(scale), facts), noTotals);
    const volume = totals.volumes[symbol];
    expect(volume).toMatchObject({ bought: 111n * qty, boughtValue: 111n * value, qtyScale: 2 });
    expect(volume?.valueScale).toBe(2);
  }
});
