/** Orders and replaces of a session before the venue knows them: no way around a limit (contract C.6, D.6). */
import { expect, test } from 'vitest';
import { InstrumentList } from '../../../src/domain/instrument.ts';
import { TradingCore } from '../../support/trading-core.ts';
import { denied } from '../../support/venue-denial.ts';

const nameOf = (refused: ReturnType<TradingCore['replace']>) => refused?.denial.refusal.name;

test('a replace of an order that still waits may not exceed a limit', () => {
  const core = new TradingCore({ session: { maxOrderQty: '10', maxNotional: '1000' } });
  expect(core.order('A', 'Bid', '100x5')).toBeUndefined();
  expect(nameOf(core.replace('B', 'A', 'Bid', '100x900000'))).toBe('bridge.limit');
  expect(nameOf(core.replace('C', 'A', 'Bid', '900x5'))).toBe('bridge.limit');
  core.settle();
  expect(core.sent).toEqual([]);
  expect(core.named('A')?.terms.qty).toBe(5n);
});

test('a replace of an order that still waits may not pass the kill switch', () => {
  const core = new TradingCore();
  core.order('A', 'Bid', '100x5');
  core.killed = denied('bridge.kill_switch', 'loss');
  expect(nameOf(core.replace('B', 'A', 'Bid', '100x6'))).toBe('bridge.kill_switch');
});

test('the ClOrdID of a replace that the gate denied is used, and a copy of the replace is not executed later', () => {
  const core = new TradingCore();
  core.order('A', 'Bid', '100x5');
  core.killed = denied('bridge.kill_switch', 'loss');
  core.replace('B', 'A', 'Bid', '100x6');
  core.killed = undefined;
  expect(nameOf(core.replace('B', 'A', 'Bid', '100x6'))).toBe('bridge.duplicate_clordid');
  expect(nameOf(core.order('B', 'Bid', '100x5'))).toBe('bridge.duplicate_clordid');
});

test('a replace of an order that still waits may change what it may, and goes out behind its order', () => {
  const core = new TradingCore({ session: { maxOpenOrders: 1, maxOrderQty: '6' } });
  core.order('A', 'Bid', '100x5');
  expect(core.replace('B', 'A', 'Bid', '101x6')).toBeUndefined();
  core.settle();
  expect(core.take().intent).toMatchObject({ legs: [{ price: 101n, qty: 6n }] });
});

test('a reprice at the limit of open orders passes, a new order does not', () => {
  const core = new TradingCore({ session: { maxOpenOrders: 1 } });
  core.order('A', 'Bid', '100x5');
  core.settle();
  expect(core.replace('B', 'A', 'Bid', '101x5')).toBeUndefined();
  expect(nameOf(core.order('C', 'Bid', '100x5'))).toBe('bridge.limit');
});

test.each(['new', 'own-1', 'trim-1'])(
  'a cancel may be called %s, and its refusal reaches the client',
  (clOrdId) => {
    const core = new TradingCore();
    core.order('A', 'Bid', '100x5');
    core.settle();
    core.show('A');
    core.cancel(clOrdId, 'A');
    core.settle(denied('bridge.venue_unreachable'));
    expect(core.reports.at(-1)).toMatchObject({ kind: 'cancel_reject', clOrdId });
    expect(core.named('A')?.pending).toBeNull();
  },
);

test('a cancel or replace without an instrument is that of the order that it names', () => {
  const core = new TradingCore();
  core.order('A', 'Bid', '100x5');
  expect(core.replace('B', 'A', 'Bid', '100x6', null)).toBeUndefined();
  core.settle();
  expect(core.cancel('C', 'B', null)).toBeUndefined();
});

test('a cancel with the instrument of another order is refused with the right one', () => {
  const core = new TradingCore();
  core.order('A', 'Bid', '100x5');
  core.settle();
  for (const symbol of ['ETH-USDC', 'NO-SUCH']) {
    const { refusal, text } = core.cancel(`of ${symbol}`, 'A', symbol)!.denial;
    expect([refusal.name, text]).toEqual([
      'bridge.instrument_conflict',
      'the order is in BTC-USDC',
    ]);
  }
});

test('an order can be canceled after the venue stops listing its market', () => {
  const core = new TradingCore();
  core.order('A', 'Bid', '100x5');
  core.settle();
  core.instruments = new InstrumentList([]);
  expect(core.cancel('B', 'A')).toBeUndefined();
});
